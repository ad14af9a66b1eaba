package site

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
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
	"assay.dev/gateway/sheet"
	"assay.dev/gateway/spreadsheet"
)

// maxFileForm bounds a form with a file, in bytes: the second one has the file in base64.
const maxFileForm = sheet.MaxWorkbook*4/3 + maxForm

// auditContent is what the page of audits shows.
type auditContent struct {
	filePage
	// Contracts are those that lines may be held against.
	Contracts []option
	Form      auditForm
	// Result is that of the audit whose id the address has; nil for none. Kept are all audits.
	Result *auditResult
	Kept   table
}

// auditForm is a file of invoices with what to audit it by.
type auditForm struct {
	Points, Amount string
	// Contract is the name of the contract that is audited by; empty for what carriers published.
	Contract string
	fileForm
}

// MaxKept is how many audits a tenant keeps.
func (auditContent) MaxKept() int { return kept.MaxAudits }

var auditKind = kindOf(audit.Schema)

func (s *Site) newAuditContent(r *Request) auditContent {
	return auditContent{
		filePage: s.newFilePage(r, auditPath, contracts.LTL, s.API.Auditing.Price, auditKind),
		Form:     auditForm{Points: "0", Amount: "0.01", fileForm: fileForm{kind: auditKind}},
	}
}

// auditFrame is the page. The limit's state is that after what the page asked.
func (s *Site) auditFrame(r *Request, c auditContent) frame {
	c.LimitState = s.limitState(r)
	c.Contracts = []option{{"", "what the carriers published", c.Form.Contract == ""}}
	if all, err := s.API.Contracts.List(r.Context(), owner(r)); err == nil { // else the page does without
		for _, e := range all {
			c.Contracts = append(c.Contracts, option{e.Name, "the contract " + e.Name, c.Form.Contract == e.Name})
		}
	}
	return frame{Title: "Audit", Path: auditPath, Scripts: []string{"own/upload.js"}, Content: c}
}

// audits is the page before a file was chosen, with the audits that are kept, and the one that the address names.
// Opening it asks nothing and costs nothing. It is that audit's CSV where the address says so.
func (s *Site) audits(w http.ResponseWriter, r *Request) error {
	c := s.newAuditContent(r)
	if !c.Allowed {
		return s.writePrivate(w, r, "audit", s.auditFrame(r, c), http.StatusOK)
	}
	if id := r.URL.Query().Get("id"); id != "" {
		if err := r.Hold(); err != nil {
			return s.writeFailedForm(w, r, auditPath, err)
		}
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
		{Name: "Made, UTC", Look: "whole"}, {Name: "Carriers"}, {Name: "By"}, {Name: "Lines", Look: "number"},
		{Name: "Contestable USD", Look: "number"},
		{Name: "Kept until", Look: "whole"}, {Name: "Delete"},
	}}
	for _, e := range all {
		made := e.KeptAt.Format("2006-01-02 15:04:05")
		row := texts(made, carriersOf(e, ", "), cmp.Or(e.Contract, "what they published"), strconv.Itoa(e.Lines),
			e.ContestableAmount.String(), e.ExpiresAt.Format(time.DateOnly))
		row[0].Link, row[0].Label = auditPath+"?id="+e.ID+"#result-title", "The audit of "+made
		t.Rows = append(t.Rows, append(row, cell{Text: "Delete", Form: "forget", Send: field{"delete", e.ID},
			Label: "Delete the audit of " + made}))
	}
	return t
}

// carriersOf are the carriers of an audit, or how many there are.
func carriersOf(e kept.AuditEntry, between string) string {
	all := contracts.Texts(e.Carriers)
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

// sendAudit tells the price of a file, audits it, deletes an audit, or makes a packet of it. The first two send the
// file to the API. The same file is sent as the same request, so that it is charged once.
func (s *Site) sendAudit(w http.ResponseWriter, r *Request) error {
	switch {
	case r.PostForm.Has("delete"):
		return s.forget(w, r, auditPath, s.API.DeleteAudit)
	case r.PostForm.Has("packet"):
		return s.sendPacket(w, r)
	}
	c := s.newAuditContent(r)
	if err := c.Form.readRequest(r); err != nil {
		return s.writeFailedForm(w, r, auditPath, err)
	}
	if r.PostForm.Get("step") == "audit" {
		a := c.Form.audit(r)
		if a.problem != "" {
			c.Problem, c.Match = a.problem, c.Form.match(r.Context())
			return s.writePrivate(w, r, "audit", s.auditFrame(r, c), a.status)
		}
		w.Header().Set("Cache-Control", privatePolicy)
		http.Redirect(w, r.Request, auditPath+"?id="+a.header.Get(api.HeaderAuditID)+"#result-title", http.StatusSeeOther)
		return nil
	}
	status := c.takeQuote(c.Form.price(r))
	c.Match = c.Form.match(r.Context())
	if r.PostForm.Has("script") { // which has the file, and shows the problem itself
		c.Form.Content, status = "", http.StatusOK
	}
	return s.writePrivate(w, r, "audit", s.auditFrame(r, c), status)
}

// readRequest takes the file and what to audit it by.
func (f *auditForm) readRequest(r *Request) error {
	f.Contract, f.Points, f.Amount = r.PostForm.Get("contract"), r.PostForm.Get("tolerance_points"),
		r.PostForm.Get("tolerance_amount")
	return f.fileForm.readRequest(r)
}

// Fields are what the form had, as hidden fields, but for what was said about its columns.
func (f auditForm) Fields() []field {
	return append(f.fileFields(), field{"contract", f.Contract}, field{"tolerance_points", f.Points},
		field{"tolerance_amount", f.Amount})
}

// price asks what the file would cost.
func (f *auditForm) price(r *Request) apiAnswer {
	query := f.query()
	query.Set("dry_run", "1")
	return f.send(r, query, "")
}

// audit asks for the verdicts, to be kept. The request's key is the file's hash: the same file is charged once, here and
// by the clients, and is judged by what is there now.
func (f *auditForm) audit(r *Request) apiAnswer {
	sum := sha256.Sum256(f.file)
	query := f.query()
	query.Set("keep", "1")
	return f.send(r, query, hex.EncodeToString(sum[:]))
}

func (f *auditForm) send(r *Request, query url.Values, idempotencyKey string) apiAnswer {
	query.Set("tolerance_points", f.Points)
	query.Set("tolerance_amount", f.Amount)
	if f.Contract != "" {
		query.Set("contract", f.Contract)
	}
	headers := []string{"Content-Type", "text/csv"}
	if f.format() == lines.Workbook {
		headers[1] = sheet.WorkbookType
	}
	if idempotencyKey != "" {
		headers = append(headers, "Idempotency-Key", idempotencyKey)
	}
	return ask(r, http.MethodPost, "/v1/ltl/audit?"+query.Encode(), f.file, headers...)
}
