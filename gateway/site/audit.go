package site

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/audit"
	"assay.dev/gateway/kept"
	"assay.dev/gateway/lines"
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
	// Contracts are those that lines may be held against.
	Contracts []option
	Form      auditForm
	// Problem is why there is no price and no result, in the API's words; empty for none.
	Problem string
	// Match is how the file's columns are read; nil before a file was chosen.
	Match *auditMatch
	Quote *auditQuote
	// Result is that of the audit whose id the address has; nil for none. Kept are all audits.
	Result *auditResult
	Kept   table
}

// auditForm is a file of invoices with what to audit it by.
type auditForm struct {
	Points, Amount string
	// Contract is the name of the contract that is audited by; empty for what carriers published.
	Contract string
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
		LinePrice: s.API.Auditing.Price, MaxLines: lines.MaxLines, MaxMegabytes: lines.MaxBytes >> 20,
		Form: auditForm{Points: "0", Amount: "0.01"},
	}
	for _, m := range audit.Schema.Members {
		if !m.Required {
			c.Optional = append(c.Optional, m.Name)
		}
	}
	return c
}

// auditFrame is the page. The standing is that after what the page asked.
func (s *Site) auditFrame(r *Request, c auditContent) frame {
	c.Standing = s.standing(r)
	c.Contracts = []option{{"", "what the carriers published", c.Form.Contract == ""}}
	if all, err := s.API.Contracts.List(r.Context(), owner(r)); err == nil { // else the page does without
		for _, e := range all {
			c.Contracts = append(c.Contracts, option{e.Name, "the contract " + e.Name, c.Form.Contract == e.Name})
		}
	}
	return frame{Title: "Audit", Path: auditPath, Scripts: []string{"own/audit.js"}, Content: c}
}

// audits is the page before a file was chosen, with the audits that are kept, and the one that the address names. Opening it asks nothing
// and costs nothing. It is that audit's CSV where the address says so.
func (s *Site) audits(w http.ResponseWriter, r *Request) error {
	c := s.newAuditContent(r)
	if !c.Allowed {
		return s.writePrivate(w, r, "audit", s.auditFrame(r, c), http.StatusOK)
	}
	if id := r.URL.Query().Get("id"); id != "" {
		made, err := s.API.Audits.Get(r.Context(), owner(r), id, time.Now())
		if err != nil {
			return s.writeFailedForm(w, r, auditPath, err)
		}
		if r.URL.Query().Has("save") {
			text := lines.Whole(audit.Pieces(lines.Output{Format: lines.CSV}, made.Found, slices.Values(made.Results))).Text
			return s.sendFile(w, r, auditPath, savedName(made.AuditEntry), spreadsheet.MediaType, apiAnswer{body: text})
		}
		from, _ := strconv.Atoi(r.URL.Query().Get("from")) // 0 for none
		c.Result = newAuditResult(made, from)
	}
	kept, err := s.API.Audits.List(r.Context(), owner(r), time.Now())
	if err != nil {
		return s.writeFailedForm(w, r, auditPath, err)
	}
	c.Kept = keptTable(kept)
	return s.writePrivate(w, r, "audit", s.auditFrame(r, c), http.StatusOK)
}

// owner is the tenant who sees the page.
func owner(r *Request) kept.Owner {
	return kept.Owner{Environment: r.Caller.Environment, Tenant: r.Caller.Tenant}
}

// keptTable is the table of audits that are kept.
func keptTable(all []kept.AuditEntry) table {
	t := table{ID: "kept", Columns: []column{
		{Name: "Made, UTC", Look: "whole"}, {Name: "Carriers"}, {Name: "Lines", Look: "number"}, {Name: "Contestable USD", Look: "number"},
		{Name: "Kept until", Look: "whole"}, {Name: "Delete"},
	}}
	for _, e := range all {
		made := e.KeptAt.Format("2006-01-02 15:04:05")
		row := texts(made, carriersOf(e, ", "), strconv.Itoa(e.Lines), e.ContestableAmount.String(), e.ExpiresAt.Format(time.DateOnly))
		row[0].Link, row[0].Label = auditPath+"?id="+e.ID+"#result-title", "The audit of "+made
		t.Rows = append(t.Rows, append(row, cell{Text: "Delete", Form: "forget", Send: field{"delete", e.ID}, Label: "Delete the audit of " + made}))
	}
	return t
}

// carriersOf are the carriers of an audit, or how many there are.
func carriersOf(e kept.AuditEntry, between string) string {
	var all []string
	for _, c := range e.Carriers {
		all = append(all, string(c))
	}
	switch {
	case len(all) == 0:
		return "none"
	case len(all) > 3:
		return fmt.Sprintf("%d carriers", len(all))
	}
	return strings.Join(all, between)
}

// savedName is the name of an audit's CSV, such as audit-ODFL-2026-11-25.csv.
func savedName(e kept.AuditEntry) string {
	return fmt.Sprintf("audit-%s-%s.csv", strings.ReplaceAll(carriersOf(e, "-"), " ", "-"), e.KeptAt.Format(time.DateOnly))
}

// sendAudit tells the price of a file, audits it, deletes an audit, or makes a packet of it. The first two send the file to the API. The same file is sent as the
// same request, so that it is charged once.
func (s *Site) sendAudit(w http.ResponseWriter, r *Request) error {
	switch {
	case r.PostForm.Has("delete"):
		return s.forget(w, r, auditPath, s.API.Audits.Delete)
	case r.PostForm.Has("packet"):
		return s.sendPacket(w, r)
	}
	c := s.newAuditContent(r)
	if err := c.Form.read(r); err != nil {
		return s.writeFailedForm(w, r, auditPath, err)
	}
	if r.PostForm.Get("step") == "audit" {
		a := c.Form.audit(r)
		if a.problem != "" {
			c.Problem = a.problem
			return s.writePrivate(w, r, "audit", s.auditFrame(r, c), a.status)
		}
		w.Header().Set("Cache-Control", privatePolicy)
		http.Redirect(w, r.Request, auditPath+"?id="+a.header.Get(api.HeaderAuditID)+"#result-title", http.StatusSeeOther)
		return nil
	}
	status := c.takeQuote(c.Form.price(r))
	c.Match = c.Form.match()
	if r.PostForm.Has("script") { // which has the file, and shows the problem itself
		c.Form.Content, status = "", http.StatusOK
	}
	return s.writePrivate(w, r, "audit", s.auditFrame(r, c), status)
}

// read takes the file that was chosen, or that the page before sent on.
func (f *auditForm) read(r *Request) (err error) {
	f.Contract = r.PostForm.Get("contract")
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

// price asks what the file would cost.
func (f *auditForm) price(r *Request) apiAnswer {
	query := f.query()
	query.Set("dry_run", "1")
	return f.send(r, query, "")
}

// audit asks for the verdicts, to be kept. The request's key is made of the file: the same file is charged once.
func (f *auditForm) audit(r *Request) apiAnswer {
	sum := sha256.Sum256(f.file)
	query := f.query()
	query.Set("keep", "1")
	return f.send(r, query, "console-"+hex.EncodeToString(sum[:]))
}

func (f *auditForm) send(r *Request, query url.Values, idempotencyKey string) apiAnswer {
	query.Set("tolerance_points", f.Points)
	query.Set("tolerance_amount", f.Amount)
	if f.Contract != "" {
		query.Set("contract", f.Contract)
	}
	request, err := http.NewRequestWithContext(r.Context(), http.MethodPost, "/v1/ltl/audit?"+query.Encode(), bytes.NewReader(f.file))
	if err != nil {
		return apiAnswer{status: http.StatusInternalServerError, problem: "The API could not be asked."}
	}
	request.Header.Set("Content-Type", "text/csv")
	if f.format() == lines.Workbook {
		request.Header.Set("Content-Type", sheet.WorkbookType)
	}
	if idempotencyKey != "" {
		request.Header.Set("Idempotency-Key", idempotencyKey)
	}
	return ask(r, request)
}
