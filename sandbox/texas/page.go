package texas

import (
	"fmt"
	"html/template"
	"net/http"

	"assay.dev/contracts"
	"assay.dev/sandbox/license"
)

// page is what a visitor is shown: a message or records, always above a fresh form.
type page struct {
	Message string
	Records []*license.Texas
	Total   int
	Issued  formState
}

// formState is what a page's form carries.
type formState struct{ ViewState, Validation, GUID string }

func (q *Inquiry) show(w http.ResponseWriter, v *visit, p page) {
	fresh := q.issue(v)
	p.Issued = formState{fresh.viewState, fresh.validation, fresh.guid}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "private, no-store")
	w.Header().Set("X-AspNet-Version", "4.0.30319")
	_ = q.pages.ExecuteTemplate(w, "page", p) // a reader that left
}

// broken is the yellow page of ASP.NET.
func broken(w http.ResponseWriter, cause error) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(http.StatusInternalServerError)
	_, _ = fmt.Fprintf(w,
		"<html><head><title>Runtime Error</title></head><body><h1>Server Error in '/publicinquiry' Application.</h1>"+
			"<h2><i>%s</i></h2></body></html>", template.HTMLEscapeString(cause.Error())) // a reader that left
}

func printedDate(d contracts.Date) string { return d.Format("01/02/2006") }

func pages() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{"date": printedDate,
		"address": func(p license.Place) string { return p.Text(", ") }}).Parse(markup))
}

const markup = `
{{define "page"}}<!DOCTYPE html>
<html><head><title>TABC Public Inquiry</title></head><body>
<form method="post" action="./" id="aspnetForm">
<div class="aspNetHidden"><input type="hidden" name="__EVENTTARGET" id="__EVENTTARGET" value=""><input type="hidden" name="__EVENTARGUMENT" id="__EVENTARGUMENT" value="">
<input type="hidden" name="__LASTFOCUS" id="__LASTFOCUS" value=""><input type="hidden" name="__VIEWSTATE" id="__VIEWSTATE" value="{{.Issued.ViewState}}"></div>
<div class="aspNetHidden"><input type="hidden" name="__VIEWSTATEGENERATOR" value="4C7B1D20"><input type="hidden" name="__EVENTVALIDATION" value="{{.Issued.Validation}}"></div>
<input type="hidden" name="ctl00$MainContent$hfPage" value="1">
<div id="banner"><h1>Public Inquiry</h1><p>Search for a license or permit.</p></div>
<span id="MainContent_lblMessage" class="message">{{.Message}}</span>
<table class="criteria"><tr><td>License #:</td><td><input name="ctl00$MainContent$txtLicense" type="text" id="MainContent_txtLicense"></td></tr>
<tr><td>Trade Name:</td><td><input name="ctl00$MainContent$txtTradeName" type="text" id="MainContent_txtTradeName"></td></tr>
<tr><td>Owner:</td><td><input name="ctl00$MainContent$txtOwner" type="text" id="MainContent_txtOwner"></td></tr>
<tr><td>Street or City:</td><td><input name="ctl00$MainContent$txtAddress" type="text" id="MainContent_txtAddress"></td></tr>
<tr><td>Type the code:</td><td><img id="MainContent_imgCaptcha" alt="code" src="CaptchaImage.aspx?guid={{.Issued.GUID}}">
<input name="ctl00$MainContent$txtCaptcha" type="text" autocomplete="off" id="MainContent_txtCaptcha"></td></tr>
<tr><td></td><td><input type="submit" name="ctl00$MainContent$btnSearch" value="Search" id="MainContent_btnSearch"></td></tr></table>
{{if .Records}}<div id="MainContent_pnlResults"><span id="MainContent_lblCount">{{.Total}} record(s) found.</span>
{{range .Records}}{{template "record" .}}{{end}}</div>{{end}}
</form><div id="footer">Texas</div></body></html>{{end}}

{{define "record"}}<table class="inquiry-record"><tr><th>License #:</th><td>{{.Number}}</td></tr><tr><th>Legacy #:</th><td>{{.Legacy}}</td></tr>
<tr><th>License Type:</th><td>{{.Type}}</td></tr><tr><th>Status:</th><td>{{.PrimaryStatus}}</td></tr>
<tr><th>Trade Name:</th><td>{{.DBA}}</td></tr><tr><th>Owner:</th><td>{{.Owner}}</td></tr>
<tr><th>Location Address:</th><td>{{address .Premises}}</td></tr><tr><th>County:</th><td>{{.Premises.County}}</td></tr>
<tr><th>Location Phone:</th><td>{{.Phone}}</td></tr><tr><th>Mailing Address:</th><td>{{address .Premises}}</td></tr>
<tr><th>Orig. Issue Date:</th><td>{{date .Issued}}</td></tr><tr><th>Expiration Date:</th><td>{{date .Expires}}</td></tr>
<tr><th>Wine Percent:</th><td></td></tr><tr><th>Subordinates:</th><td></td></tr></table>
{{with .Violations}}<table class="violations"><caption>Violation History</caption><tr><th>Complaint #</th><th>Status</th><th>Violation Date</th><th>Code</th><th>Description</th>
<th>Docket #</th><th>Disposition</th><th>Penalty Fine</th><th>Penalty Paid</th><th>Penalty Paid Date</th><th>Discipline Begin Date</th><th>Discipline End Date</th></tr>
{{range .}}<tr><td>{{.Complaint}}</td><td>{{.Status}}</td><td>{{date .Date}}</td><td>{{.Code}}</td><td>{{.Description}}</td><td>{{.Docket}}</td>
<td>{{.Disposition}}</td><td>{{.Fine}}</td><td>{{.Paid}}</td><td>{{date .PaidDate}}</td><td>{{date .Begin}}</td><td>{{date .End}}</td></tr>{{end}}</table>{{end}}{{end}}
`
