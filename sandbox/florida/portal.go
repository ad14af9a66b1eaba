// Package florida plays www.myfloridalicense.com, the license portal of the Department of Business and Professional
// Regulation, and the extracts on www2.myfloridalicense.com.
//
// The portal is a conversation of three requests on one cookie: GET wl11.asp, POST mode=1 with the type of search, POST
// mode=2 with every hidden field of the form. A deep link by GET shows the first page; a wrong set of fields gets an
// error page with status 200.
//
// Chosen by us, because it is not known: the fields of the form are empty until the visitor fills them (hDivision too);
// names match any part of owner or trade name, and the town its beginning; hPageAction 4 is the next page and 3 the one
// before; the first cell says "Retail Beverage"; the rank spells a modifier with a hyphen; the status words
// "Suspended", "Escrow", "Null and Void" and "Revoked"; the detail page's Name cell holds "OWNER (Primary Name)" and
// "TRADE NAME (DBA Name)"; the extracts have dates as MM/DD/YYYY, no secondary status, and codes in the county columns.
package florida

import (
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"assay.dev/sandbox/license"
	"assay.dev/sandbox/session"
)

// Host is where the portal lives.
const Host = "www.myfloridalicense.com"

// hidden are the fields of the portal's form that a visitor does not see. All must come back.
func hidden() []string {
	return strings.Fields(`hSID hLastName hFirstName hMiddleName hOrgName hSearchOpt hSearchOpt2 hSearchAltName hSearchPartName
		hSearchFuzzy hDivision hBoard hLicenseType hSpecQual hAddrType hCity hCounty hState hLicNbr hAction hCurrPage hTotalPages
		hTotalRecords hPageAction hDDChange hBoardType hLicTyp hSearchHistoric hRecsPerPage hSearchType`)
}

// typed are the fields that a visitor fills, by type of search.
func typed(search string) []string {
	switch search {
	case "LicNbr":
		return []string{"LicNbr", "RecsPerPage"}
	case "Name":
		return []string{"LastName", "FirstName", "MiddleName", "OrgName", "Board", "City", "County", "State",
			"RecsPerPage"}
	}
	return nil
}

// visit says only that the visitor was there before.
type visit struct{}

// portal is the handler.
type portal struct {
	register *license.Register
	pages    *template.Template
	visits   *session.Store[visit]
}

// New serves a register.
func New(register *license.Register) http.Handler {
	p := &portal{register: register, pages: pages(), visits: session.NewStore[visit]("ASPSESSIONIDQQBCTRDA")}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /wl11.asp", func(w http.ResponseWriter, r *http.Request) {
		p.visits.Open(w, r)
		p.render(w, "start", nil)
	})
	mux.HandleFunc("POST /wl11.asp", p.post)
	mux.HandleFunc("GET /LicenseDetail.asp", p.detail)
	return mux
}

func (p *portal) post(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 64<<10)
	if r.ParseForm() != nil || p.visits.Find(r) == nil {
		p.render(w, "error", nil)
		return
	}
	switch r.URL.Query().Get("mode") {
	case "1":
		p.choose(w, r.PostForm.Get("SearchType"))
	case "2":
		p.search(w, r.URL.Query().Get("search"), r.PostForm)
	case "3":
		p.turn(w, r.PostForm)
	default:
		p.render(w, "error", nil)
	}
}

func (p *portal) choose(w http.ResponseWriter, search string) {
	fields := typed(search)
	if fields == nil {
		p.render(w, "error", nil)
		return
	}
	p.render(w, "form", map[string]any{"Search": search, "Hidden": hidden(), "Fields": fields})
}

func (p *portal) search(w http.ResponseWriter, search string, form url.Values) {
	fields := typed(search)
	if fields == nil || !holds(form, append(fields, hidden()...)) || form.Get("hDivision") != "ALL" {
		p.render(w, "error", nil)
		return
	}
	size, err := strconv.Atoi(form.Get("RecsPerPage"))
	if err != nil || size < 1 || size > 50 {
		p.render(w, "error", nil)
		return
	}
	p.results(w, criteria{
		search: search, size: size, page: 1, number: form.Get("LicNbr"), last: form.Get("LastName"),
		first:        form.Get("FirstName"),
		organisation: form.Get("OrgName"), city: form.Get("City"),
	})
}

// turn shows another page of what the hidden fields say was searched.
func (p *portal) turn(w http.ResponseWriter, form url.Values) {
	current, err := strconv.Atoi(form.Get("hCurrPage"))
	size, err2 := strconv.Atoi(form.Get("hRecsPerPage"))
	if !holds(form, hidden()) || err != nil || err2 != nil || size < 1 || size > 50 {
		p.render(w, "error", nil)
		return
	}
	switch form.Get("hPageAction") {
	case "4":
		current++
	case "3":
		current--
	}
	p.results(w, criteria{
		search: form.Get("hSearchType"), size: size, page: current, number: form.Get("hLicNbr"), last: form.Get("hLastName"),
		first: form.Get("hFirstName"), organisation: form.Get("hOrgName"), city: form.Get("hCity"),
	})
}

func holds(form url.Values, names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return !form.Has(name) })
}

func (p *portal) detail(w http.ResponseWriter, r *http.Request) {
	all := p.register.Florida()
	for i := range all {
		if all[i].Word != "" && all[i].ID == r.FormValue("id") {
			p.render(w, "detail", &all[i])
			return
		}
	}
	p.render(w, "error", nil)
}

func (p *portal) render(w http.ResponseWriter, page string, data any) {
	w.Header().Set("Content-Type", "text/html")
	w.Header().Set("Cache-Control", "private")
	_ = p.pages.ExecuteTemplate(w, page, data) // a reader that left
}
