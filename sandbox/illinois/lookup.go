// Package illinois plays ilcc.illinois.gov and ilccportal.illinois.gov: the license lookup, which shows itself to the
// rendering service only, and the daily export, which anyone may load.
//
// Chosen by us, because it is not known: that a visitor whom the site does not like gets 403 on the site and a
// challenge page with 200 on the portal; that the default set is the first twenty licenses of the register; that a card
// holds all fields, labelled as the details are; that `?licenseNumber=` shows the details of one license, and a number
// that is not on file the sentence in the page "none"; the status words Expired, Suspended and Revoked beside Active;
// dates as M/D/YYYY; CRLF line ends in the export.
package illinois

import (
	"html/template"
	"net/http"
	"strings"
	"time"

	"assay.dev/contracts"
	"assay.dev/sandbox/license"
)

// The hosts.
const (
	Host       = "ilcc.illinois.gov"
	PortalHost = "ilccportal.illinois.gov"
)

const (
	lookupPath = "/resources/liquor-license-lookup.html"
	exportPath = "/content/dam/soi/en/web/ilcc/datasources/ilcc-licenses-daily-export.csv"
)

// Shown is how many licenses the lookup shows whatever is searched: the first ones of the register.
const Shown = 20

// lookup is the license lookup.
type lookup struct {
	register *license.Register
	welcome  func(*http.Request) bool
	turnAway http.HandlerFunc
	pages    *template.Template
}

// New serves the site; the lookup only to requests that are welcome, the export to all. now dates the export.
func New(register *license.Register, welcome func(*http.Request) bool, now func() time.Time) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET "+lookupPath, &lookup{register, welcome, denied, pages()})
	mux.Handle("GET "+exportPath, &export{
		register: register, now: now,
		text: license.Each(register, contracts.IL, func() []byte { return file(register.Illinois()) }),
	})
	return mux
}

// NewPortal serves the same lookup at the root of the portal.
func NewPortal(register *license.Register, welcome func(*http.Request) bool) http.Handler {
	return &lookup{register, welcome, challenged, pages()}
}

func (l *lookup) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if !l.welcome(r) {
		l.turnAway(w, r)
		return
	}
	all := l.register.Illinois()
	number := strings.ToUpper(strings.TrimSpace(r.FormValue("licenseNumber")))
	if number == "" {
		l.render(w, "cards", all[:min(Shown, len(all))])
		return
	}
	for i := range all {
		if all[i].Number == number {
			l.render(w, "details", all[i])
			return
		}
	}
	l.render(w, "none", number)
}

func (l *lookup) render(w http.ResponseWriter, page string, data any) {
	_ = l.pages.ExecuteTemplate(w, page, data) // a reader that left
}

func denied(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Server", "AkamaiGHost")
	w.WriteHeader(http.StatusForbidden)
	_, _ = w.Write([]byte("<HTML><HEAD>\n<TITLE>Access Denied</TITLE>\n</HEAD><BODY>\n<H1>Access Denied</H1>\nYou don't " +
		"have permission to access this page.\n</BODY>\n</HTML>\n"))
}

func challenged(w http.ResponseWriter, _ *http.Request) {
	_, _ = w.Write([]byte(`<!DOCTYPE html><html><head><title></title></head><body><script>window.sensor=[];setTimeout(function(){location.reload()},5000)</script>` +
		`<div id="sec-if-cpt-container"><p>Checking your browser.</p></div></body></html>`))
}

func printedDate(d contracts.Date) string { return d.Format("1/2/2006") }

func pages() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"date": printedDate,
		"join": func(names []string) string { return strings.Join(names, "; ") },
	}).Parse(markup))
}

const markup = `
{{define "top"}}<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Liquor License Lookup</title></head><body>
<header><a href="/">Illinois Liquor Control Commission</a><nav><a href="/resources.html">Resources</a></nav></header><main><h1>Liquor License Lookup</h1>
<form class="filters"><input name="businessName" placeholder="Business Name"><input name="licenseeName" placeholder="Licensee Name">
<input name="city" placeholder="City"><button>Search</button></form>{{end}}
{{define "bottom"}}</main><footer>State of Illinois</footer></body></html>{{end}}

{{define "cards"}}{{template "top"}}<div class="ms-srch-result" id="results">{{range .}}<div class="ms-srch-item-body">
<span class="soi-license-number">License No: {{.Number}}</span>{{template "fields" .}}</div>{{end}}</div>{{template "bottom"}}{{end}}

{{define "details"}}{{template "top"}}<div class="license-details" id="details"><dl><dt>License Number</dt><dd>{{.Number}}</dd></dl>{{template "fields" .}}</div>{{template "bottom"}}{{end}}

{{define "none"}}{{template "top"}}<div class="license-details" id="details"><p class="no-results">No license was found with the number {{.}}.</p></div>{{template "bottom"}}{{end}}

{{define "fields"}}<dl><dt>License Class</dt><dd>{{.Class}}</dd><dt>Retail Type</dt><dd>{{.RetailType}}</dd><dt>Issue Date</dt><dd>{{date .Issued}}</dd>
<dt>Expiration Date</dt><dd>{{date .Expiry}}</dd><dt>Application Status</dt><dd>Issued</dd><dt>License Status</dt><dd>{{.Word}}</dd>
<dt>Licensee Name</dt><dd>{{.Owner}}</dd><dt>Business Name</dt><dd>{{.DBA}}</dd><dt>Address</dt><dd>{{.AddressText}}</dd>
<dt>County</dt><dd>{{.Premises.County}}</dd><dt>Type</dt><dd>{{.BusinessType}}</dd><dt>Owners</dt><dd>{{join .Owners}}</dd></dl>{{end}}
`
