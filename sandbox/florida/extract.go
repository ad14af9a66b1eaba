package florida

import (
	"bytes"
	"net/http"
	"strings"
	"time"

	"assay.dev/contracts"
	"assay.dev/sandbox/license"
	"assay.dev/sandbox/session"
)

// ExtractHost is where the extracts live.
const ExtractHost = "www2.myfloridalicense.com"

const extractPath = "/sto/file_download/extracts/"

// columns are the heads of the extract.
func columns() []string {
	return []string{
		"Board", "Profession", "Owner Name", "Series", "Modifier", "Mail Address 1", "Mail Address 2",
		"Mail Address 3", "Mail City",
		"Mail State", "Mail ZIP", "Mail County", "DBA", "Location Address 1", "Location Address 2",
		"Location Address 3", "Location City",
		"Location State", "Location ZIP", "Location County", "License Number", "Primary Status", "Secondary Status",
		"Original Licensure Date", "Effective Date", "Expiration Date", "Tax Stamp Designation", "Smoking Designation",
		"Retail Tobacco Indicator",
	}
}

// extracts is the handler. The files are given only to who brings the cookie of the landing page.
type extracts struct {
	register *license.Register
	now      func() time.Time
	passes   *session.Store[visit]
	// licenses and revoked are the files.
	licenses, revoked func() []byte
}

// NewExtracts serves the files of a register.
func NewExtracts(register *license.Register, now func() time.Time) http.Handler {
	of := func(revoked bool) func() []byte {
		return license.Each(register, contracts.FL, func() []byte { return file(register.Florida(), revoked) })
	}
	return &extracts{
		register: register, now: now, passes: session.NewStore[visit]("__cf_bm"), licenses: of(false), revoked: of(true),
	}
}

func (e *extracts) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, isFile := strings.CutPrefix(r.URL.Path, extractPath)
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case !isFile || name == "":
		e.passes.Open(w, r)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(landing)) // a reader that left
	case e.passes.Find(r) == nil:
		w.Header().Set("Content-Type", "text/html; charset=UTF-8")
		w.Header().Set("Server", "cloudflare")
		w.Header().Set("Cf-Mitigated", "challenge")
		w.WriteHeader(http.StatusForbidden)
		_, _ = w.Write([]byte(blocked)) // a reader that left
	case name == "bd4006lic.csv":
		e.file(w, r, name, e.licenses())
	case name == "bd400revok.csv":
		e.file(w, r, name, e.revoked())
	default:
		http.NotFound(w, r)
	}
}

func (e *extracts) file(w http.ResponseWriter, r *http.Request, name string, text []byte) {
	w.Header().Set("Content-Type", "application/octet-stream")
	http.ServeContent(w, r, name, e.register.Modified(contracts.FL, license.LastAt(6, e.now())), bytes.NewReader(text))
}

// file is one extract. Only that of the licenses has a header.
func file(all []license.Florida, revoked bool) []byte {
	var out bytes.Buffer
	if !revoked {
		writeRow(&out, columns())
	}
	for i := range all {
		if all[i].Revoked == revoked {
			writeRow(&out, row(&all[i]))
		}
	}
	return out.Bytes()
}

func row(l *license.Florida) []string {
	p, m := l.Premises, l.Mailing
	mailCounty := m.County
	if m.State == "FL" {
		mailCounty = l.CountyCode
	}
	modifier := l.Modifier
	if l.NullModifier {
		modifier = "NULL"
	}
	return []string{
		"400", "4006", l.Owner, l.Series, modifier, m.Street, m.Suite, "", m.City, m.State, m.Zip, mailCounty,
		l.DBA, p.Street, p.Suite, "", p.City, p.State, p.Zip, l.CountyCode, l.Number, l.Code, "",
		printedDate(l.Licensed), printedDate(l.Effective), printedDate(l.Expiry), "", "N", "N",
	}
}

// writeRow quotes every field and ends the line as Windows does, in latin-1.
func writeRow(out *bytes.Buffer, fields []string) {
	for i, field := range fields {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteByte('"')
		for _, c := range strings.ReplaceAll(field, `"`, `""`) {
			out.WriteByte(byte(c)) // the names drawn hold nothing beyond latin-1
		}
		out.WriteByte('"')
	}
	out.WriteString("\r\n")
}

const landing = `<!DOCTYPE html><html><head><title>Public Records</title></head><body><h1>Instant Public Records</h1>
<p>Alcoholic Beverages and Tobacco</p><ul><li><a href="/sto/file_download/extracts/bd4006lic.csv">Retail beverage licensees</a></li>
<li><a href="/sto/file_download/extracts/bd400revok.csv">Revoked licensees</a></li></ul></body></html>`

const blocked = `<!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title></head><body><noscript>
<div>Enable JavaScript and cookies to continue</div></noscript><div class="footer">Performance &amp; security by a content network</div></body></html>`
