// Package page holds what the stand-in sites have in common: a home page, a page for what is not found, the frame
// of pages, and how answers are written.
package page

import (
	"bytes"
	"embed"
	"encoding/json"
	"html/template"
	"net/http"
)

//go:embed *.html
var files embed.FS

// Frame are the templates "cookies" and "footer", which pages begin and end with.
func Frame() (*template.Template, error) { return template.ParseFS(files, "chrome.html") }

var shared = template.Must(template.ParseFS(files, "*.html"))

// Site serves routes, a home page of the brand, and a page with status 404 for everything else. Routes are by the
// patterns of [http.ServeMux].
func Site(brand string, routes map[string]http.HandlerFunc) http.Handler {
	show := func(code int, file string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			Show(w, code, shared, file, struct{ Brand string }{brand})
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", show(http.StatusOK, "home.html"))
	mux.HandleFunc("/", show(http.StatusNotFound, "notfound.html"))
	for pattern, handler := range routes {
		mux.HandleFunc(pattern, handler)
	}
	return mux
}

// Show writes a page. A template that fails becomes an answer with status 500.
func Show(w http.ResponseWriter, code int, pages *template.Template, file string, data any) {
	var body bytes.Buffer
	if err := pages.ExecuteTemplate(&body, file, data); err != nil {
		http.Error(w, "sandbox: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(code)
	_, _ = body.WriteTo(w)
}

// JSON writes v as JSON.
func JSON(w http.ResponseWriter, code int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(v)
}

// Decode reads the JSON of a request's body, of 4 KB at most, and refuses members that into does not have.
func Decode(w http.ResponseWriter, r *http.Request, into any) error {
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, 4096))
	d.DisallowUnknownFields()
	return d.Decode(into)
}
