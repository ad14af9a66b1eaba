package carriers

import (
	"embed"
	"fmt"
	"html/template"
	"net/http"

	"assay.dev/contracts"
	"assay.dev/sandbox/diesel"
	"assay.dev/sandbox/page"
	"assay.dev/sandbox/tariff"
)

//go:embed pages
var files embed.FS

func parsePages() (*template.Template, error) {
	frame, err := page.Frame()
	if err != nil {
		return nil, err
	}
	return frame.Funcs(template.FuncMap{
		"date": func(layout string, d contracts.Date) string { return d.Time().Format(layout) },
		// Invented columns beside the right one.
		"volume":   func(ltl tariff.Percent) tariff.Percent { return ltl * 91 / 100 },
		"parcel":   func(ltl tariff.Percent) tariff.Percent { return ltl * 48 / 100 },
		"permile":  func(p diesel.Price) string { return fmt.Sprintf("$.%03d", p*89/1000) },
		"perpound": func(p diesel.Price) string { return fmt.Sprintf("$0.%02d", p*9/1000) },
		"cents":    func(p diesel.Price) string { return fmt.Sprintf("%d.%02d", p/1000, p%1000/10) },
	}).ParseFS(files, "pages/*.html")
}

// view is what a page may show.
type view struct {
	Brand string
	Weeks []tariff.Week
	Bands []tariff.Band
	// Scope is what the page's script would have filled it with, for a visitor who runs no scripts; nil for others.
	Scope map[string]any
}

// bands are those that a page prints beside its history. They end at a price that diesel has long left behind, as
// on the real pages.
func (s *Sites) bands(c contracts.Carrier) []tariff.Band { return s.tariffs[c].Bands(3000, 5000) }

// page shows a carrier's weeks and bands in a file of pages/.
func (s *Sites) page(file, brand string, c contracts.Carrier) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		s.show(w, file, view{Brand: brand, Weeks: s.weeks(c), Bands: s.bands(c)})
	}
}

func (s *Sites) show(w http.ResponseWriter, file string, v view) {
	page.Show(w, http.StatusOK, s.pages, file, v)
}
