// Package california plays www.abc.ca.gov: the page of a single license, the search by business name, and the daily
// export.
//
// Chosen by us, because nothing is known of it: the markup around labels and headings; the page for a number that is
// not on file (an h2 "License Details" and the sentence in notFound); the search form's method (GET and POST are both
// taken) and its table's columns; that the search matches any part of the business name; LF line ends in the export.
package california

import (
	"html/template"
	"net/http"
	"strings"
	"time"

	"assay.dev/sandbox/license"
)

// Host is the host name of the site.
const Host = "www.abc.ca.gov"

// The pages of the site.
const (
	licensePath = "/licensing/license-lookup/single-license/"
	searchPath  = "/licensing/license-lookup/business-name/"
	reportPath  = "/licensing/license-lookup/"
	exportPath  = "/wp-content/uploads/DailyExport-CSV.zip"
)

// maxRows bounds the table of a search.
const maxRows = 1000

// site is the [http.Handler] of the host.
type site struct {
	register *license.Register
	pages    *template.Template
}

// New serves the licenses of a register. now dates the daily export.
func New(register *license.Register, now func() time.Time) http.Handler {
	s := &site{register: register, pages: pages()}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+licensePath, s.license)
	mux.HandleFunc(searchPath, func(w http.ResponseWriter, r *http.Request) {
		s.search(w, r, r.FormValue("BusinessName"))
	})
	mux.HandleFunc("GET "+reportPath+"{$}", s.report)
	mux.Handle("GET "+exportPath, &export{register: register, now: now})
	return mux
}

// report is the address that links to the search by business name.
func (s *site) report(w http.ResponseWriter, r *http.Request) {
	name := ""
	if r.FormValue("RPTTYPE") == "15" {
		name = r.FormValue("DBANAME")
	}
	s.search(w, r, name)
}

func (s *site) license(w http.ResponseWriter, r *http.Request) {
	number := r.FormValue("LICENSE")
	if r.FormValue("RPTTYPE") != "12" || number == "" {
		s.render(w, "form", nil)
		return
	}
	all := s.register.California()
	for i := range all {
		if all[i].Number == number {
			s.render(w, "license", licensePage{&all[i]})
			return
		}
	}
	s.render(w, "notFound", number)
}

// licensePage is what the page of one license shows.
type licensePage struct{ *license.California }

// Colon ends the headings of some pages.
func (p licensePage) Colon() string {
	if p.Colons {
		return ":"
	}
	return ""
}

func (s *site) search(w http.ResponseWriter, r *http.Request, name string) {
	name = strings.ToUpper(strings.TrimSpace(name))
	if name == "" {
		s.render(w, "form", nil)
		return
	}
	all := s.register.California()
	var found []*license.California
	for i := range all {
		if strings.Contains(all[i].DBA, name) && len(found) < maxRows {
			found = append(found, &all[i])
		}
	}
	if len(found) == 1 {
		http.Redirect(w, r, licensePath+"?RPTTYPE=12&LICENSE="+found[0].Number, http.StatusFound)
		return
	}
	s.render(w, "results", found)
}

func (s *site) render(w http.ResponseWriter, page string, data any) {
	w.Header().Set("Content-Type", "text/html; charset=UTF-8")
	_ = s.pages.ExecuteTemplate(w, page, data) // the client has closed the connection
}
