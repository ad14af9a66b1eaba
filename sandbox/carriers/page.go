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
		// These columns are invented. A reader must pass over them.
		"volume":   func(ltl tariff.Percent) tariff.Percent { return ltl * 91 / 100 },
		"parcel":   func(ltl tariff.Percent) tariff.Percent { return ltl * 48 / 100 },
		"permile":  func(p diesel.Price) string { return fmt.Sprintf("$.%03d", p*89/1000) },
		"perpound": func(p diesel.Price) string { return fmt.Sprintf("$0.%02d", p*9/1000) },
		"cents":    func(p diesel.Price) string { return fmt.Sprintf("%d.%02d", p/1000, p%1000/10) },
	}).ParseFS(files, "pages/*.html")
}

// view holds what a page can show.
type view struct {
	Brand string
	Weeks []tariff.Week
	Bands []tariff.Band
	// Scope holds the values that the page's script puts in, for the rendering service. It is nil for other visitors.
	Scope map[string]any
}

// bands returns the price bands that a page prints beside its history. As on the real pages, they end at a price far
// below that of today.
func (s *Sites) bands(c contracts.Carrier) []tariff.Band { return s.tariffs[c].Bands(3000, 5000) }

// page returns the handler that shows a carrier's weeks and bands in a template of pages/.
func (s *Sites) page(file, brand string, c contracts.Carrier) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		s.show(w, file, view{Brand: brand, Weeks: s.weeks(c), Bands: s.bands(c)})
	}
}

func (s *Sites) show(w http.ResponseWriter, file string, v view) {
	page.Show(w, http.StatusOK, s.pages, file, v)
}
