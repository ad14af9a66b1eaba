package site

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"io"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"

	"assay.dev/contracts"
	"assay.dev/gateway/audit"
	"assay.dev/gateway/ratelimit"
	"assay.dev/gateway/sheet"
	"assay.dev/gateway/spreadsheet"
)

// maxAuditForm bounds the form of an audit, in bytes: the second one of an audit has the file in base64.
const maxAuditForm = sheet.MaxWorkbook*4/3 + maxForm

// auditContent is what the page of audits shows: the form, the price once a file was chosen, and the result once it was audited.
type auditContent struct {
	Token           string
	Allowed, IsLive bool
	LinePrice       contracts.Price
	// Optional are the columns that a file may have beside those that it must have.
	Optional               []string
	MaxLines, MaxMegabytes int
	Standing               ratelimit.Decision
	Form                   auditForm
	// Problem is why there is no price and no result, in the API's words; empty for none.
	Problem string
	// Match is how the file's columns are read; nil before a file was chosen.
	Match  *auditMatch
	Quote  *auditQuote
	Result auditResult
}

// auditForm is a file of invoices with what to audit it by.
type auditForm struct {
	Points, Amount string
	// Name is the file's. File is its content, of which Content is the base64.
	Name    string
	file    []byte
	Content string
	// DateForm, PercentForm and columns are what a person said about the file.
	DateForm, PercentForm string
	columns               map[string]string
}

// auditQuote is what an audit would cost.
type auditQuote struct {
	Lines, Resolved, Free, LinePrice, Price string
	// All is the number of lines. Causes are why lines will have no verdict.
	All    int
	Causes []string
}

func (s *Site) newAuditContent(r *Request) auditContent {
	c := auditContent{
		Token: s.token(r), Allowed: r.Caller.Allows(contracts.LTL), IsLive: r.Caller.Environment == contracts.Live,
		LinePrice: s.API.Auditing.LinePrice, MaxLines: audit.MaxLines, MaxMegabytes: audit.MaxBytes >> 20,
		Form: auditForm{Points: "0", Amount: "0.01"}, Result: auditResult{Lines: table{ID: "lines", Columns: lineColumns}},
	}
	for _, m := range audit.Members {
		if !m.Required {
			c.Optional = append(c.Optional, m.Name)
		}
	}
	return c
}

// auditFrame is the page. The standing is that after what the page asked.
func (s *Site) auditFrame(r *Request, c auditContent) frame {
	c.Standing = s.standing(r)
	return frame{Title: "Audit", Path: auditPath, Scripts: []string{"own/audit.js"}, Content: c}
}

// audit is the page before a file was chosen.
func (s *Site) audit(r *Request) (string, frame) {
	return "audit", s.auditFrame(r, s.newAuditContent(r))
}

// sendAudit tells the price of a file, audits it, or gives the result as a CSV. All three send the file to the API. The second and the
// third one send it as the same request, so that it is charged once.
func (s *Site) sendAudit(w http.ResponseWriter, r *Request) error {
	c := s.newAuditContent(r)
	if err := c.Form.read(r); err != nil {
		return s.writeFailedForm(w, r, auditPath, err)
	}
	var status int
	switch r.PostForm.Get("step") {
	case "csv":
		return s.sendFile(w, r, auditPath, c.Form.savedName(), spreadsheet.MediaType, c.Form.audit(r))
	case "audit":
		from, _ := strconv.Atoi(r.PostForm.Get("from")) // 0 for none
		status = c.takeResult(c.Form.audit(r), from)
	default:
		status = c.takeQuote(c.Form.price(r))
		c.Match = c.Form.match()
	}
	if r.PostForm.Has("script") { // which has the file, and shows the problem itself
		c.Form.Content, status = "", http.StatusOK
	}
	return s.writePrivate(w, r, "audit", s.auditFrame(r, c), status)
}

// read takes the file that was chosen, or that the page before sent on.
func (f *auditForm) read(r *Request) (err error) {
	f.Points, f.Amount, f.Name = r.PostForm.Get("tolerance_points"), r.PostForm.Get("tolerance_amount"), r.PostForm.Get("name")
	f.Content = r.PostForm.Get("content")
	f.takeChoices(r.PostForm)
	if f.Content != "" {
		if f.file, err = base64.StdEncoding.DecodeString(f.Content); err != nil {
			return contracts.Invalid("body", "content", "base64", "this is not the content of a file")
		}
		return nil
	}
	f.file, f.Name, err = sentFile(r)
	f.Content = base64.StdEncoding.EncodeToString(f.file)
	return err
}

// sentFile is the file of a form, which must have one.
func sentFile(r *Request) (content []byte, name string, err error) {
	file, header, err := r.FormFile("file")
	if err != nil {
		return nil, "", contracts.Invalid("body", "file", "missing", "choose a file")
	}
	defer file.Close()
	content, err = io.ReadAll(file)
	return content, header.Filename, err
}

// savedName is the name of the result: that of the file with another end.
func (f *auditForm) savedName() string {
	return contracts.Printable(strings.TrimSuffix(f.Name, path.Ext(f.Name))) + "-audited.csv"
}

// price asks what the file would cost.
func (f *auditForm) price(r *Request) apiAnswer {
	query := f.query()
	query.Set("dry_run", "1")
	return f.send(r, query, "")
}

// audit asks for the verdicts. The request's key is made of the file, by the same rule as in audit.js: the same file is charged once.
func (f *auditForm) audit(r *Request) apiAnswer {
	sum := sha256.Sum256(f.file)
	return f.send(r, f.query(), "console-"+hex.EncodeToString(sum[:]))
}

func (f *auditForm) send(r *Request, query url.Values, idempotencyKey string) apiAnswer {
	query.Set("tolerance_points", f.Points)
	query.Set("tolerance_amount", f.Amount)
	request, err := http.NewRequestWithContext(r.Context(), http.MethodPost, "/v1/ltl/audit?"+query.Encode(), bytes.NewReader(f.file))
	if err != nil {
		return apiAnswer{status: http.StatusInternalServerError, problem: "The API could not be asked."}
	}
	request.Header.Set("Content-Type", "text/csv")
	if f.format() == audit.Workbook {
		request.Header.Set("Content-Type", sheet.WorkbookType)
	}
	if idempotencyKey != "" {
		request.Header.Set("Idempotency-Key", idempotencyKey)
	}
	return ask(r, request)
}
