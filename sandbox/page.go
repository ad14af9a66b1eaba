package sandbox

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"net/http"

	"assay.dev/contracts"
	"assay.dev/sandbox/diesel"
	"assay.dev/sandbox/tariff"
)

//go:embed pages
var pageFiles embed.FS

func parsePages() (*template.Template, error) {
	return template.New("pages").Funcs(template.FuncMap{
		"date": func(layout string, d contracts.Date) string { return d.Time().Format(layout) },
		// Invented columns beside the right one.
		"volume":   func(ltl tariff.Percent) tariff.Percent { return ltl * 91 / 100 },
		"parcel":   func(ltl tariff.Percent) tariff.Percent { return ltl * 48 / 100 },
		"permile":  func(p diesel.Price) string { return fmt.Sprintf("$.%03d", p*89/1000) },
		"perpound": func(p diesel.Price) string { return fmt.Sprintf("$0.%02d", p*9/1000) },
		"cents":    func(p diesel.Price) string { return fmt.Sprintf("%d.%02d", p/1000, p%1000/10) },
	}).ParseFS(pageFiles, "pages/*.html")
}

// view is what a page may show. Bands are printed up to a price that diesel has long left behind, as on the real pages.
type view struct {
	Brand string
	Weeks []tariff.Week
	Bands []tariff.Band
	// Scope is what the page's script would have filled it with, for a visitor who runs no scripts; nil for others.
	Scope map[string]any
}

// page shows a carrier's weeks and bands in a file of pages/.
func (w *world) page(file, brand string, c contracts.Carrier) http.HandlerFunc {
	return func(rw http.ResponseWriter, _ *http.Request) {
		w.show(rw, http.StatusOK, file, view{Brand: brand, Weeks: w.weeks(c), Bands: w.tariffs[c].Bands(3000, 5000)})
	}
}

func (w *world) show(rw http.ResponseWriter, code int, file string, v view) {
	var body bytes.Buffer
	if err := w.pages.ExecuteTemplate(&body, file, v); err != nil {
		http.Error(rw, "sandbox: "+err.Error(), http.StatusInternalServerError)
		return
	}
	html(rw)
	rw.WriteHeader(code)
	_, _ = body.WriteTo(rw)
}

// site serves routes, a home page, and a page for everything else. Patterns are those of http.ServeMux.
func (w *world) site(brand string, routes map[string]http.HandlerFunc) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(rw http.ResponseWriter, _ *http.Request) {
		w.show(rw, http.StatusOK, "home.html", view{Brand: brand})
	})
	mux.HandleFunc("/", func(rw http.ResponseWriter, _ *http.Request) {
		w.show(rw, http.StatusNotFound, "notfound.html", view{Brand: brand})
	})
	for pattern, handler := range routes {
		mux.HandleFunc(pattern, handler)
	}
	return mux
}
