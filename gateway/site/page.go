package site

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"strconv"
	"strings"

	"assay.dev/contracts"
	"assay.dev/gateway/coding"
)

// Policy is the Content-Security-Policy of every page.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
	"frame-ancestors 'none'; form-action 'self'; base-uri 'none'"

//go:embed templates
var templateFiles embed.FS

// pageNames are the templates of pages. Each fills the frame of templates/frame.html, and
// may have what stands in templates/parts.html.
var pageNames = []string{"home", "docs", "text", "status", "login", "account", "licenses", "surcharges", "audit",
	"contracts", "customers", "changes", "stops", "proof", "shares", "shared", "webhooks",
	"failed"}

// frame is what every page has.
type frame struct {
	Title string
	// Path is the page's own, for the link of the navigation that leads to it.
	Path string
	// Console are the pages of the console, for the navigation; none without a console.
	Console []consolePage
	// Scripts and Styles are assets, besides the styles of all pages.
	Scripts, Styles []string
	// IsTest tells that the page has invented data.
	IsTest bool
	// Content is what the page's template shows.
	Content any
}

// pages are the templates with what they need of the assets.
type pages map[string]*template.Template

func loadPages(a *assets) (pages, error) {
	all := pages{}
	for _, name := range pageNames {
		t := template.New("frame.html").Funcs(template.FuncMap{"asset": a.url, "isModule": isModule, "next": next})
		t, err := t.ParseFS(templateFiles, "templates/frame.html", "templates/parts.html", "templates/"+name+".html")
		if err != nil {
			return nil, err
		}
		all[name] = t
	}
	return all, nil
}

// render is a page as HTML. What would hide in its texts or turn them round, such as U+202E, is shown as an escape.
func (s *Site) render(name string, f frame) ([]byte, error) {
	f.Console = s.menu
	var b bytes.Buffer
	if err := s.pages[name].Execute(&b, f); err != nil {
		return nil, fmt.Errorf("page %s: %w", name, err)
	}
	return contracts.EscapeJSON(b.Bytes()), nil
}

// next is the number of what follows i, or that of the i-th from 0 on, counted from 1 on.
func next(i int) int { return i + 1 }

// isModule tells whether a script is a module: those of our own are.
func isModule(script string) bool { return strings.HasPrefix(script, "own/") }

const htmlType = "text/html; charset=utf-8"

// setPageHeaders sets what every page has besides its content.
func setPageHeaders(h http.Header) {
	h.Set("Content-Security-Policy", Policy)
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
}

// writeBody writes a body that was made for this request. A coding is chosen as the client likes.
func writeBody(w http.ResponseWriter, r *http.Request, status int, body []byte, mediaType, cacheControl string) {
	h := w.Header()
	h.Set("Content-Type", mediaType)
	h.Set("Cache-Control", cacheControl)
	if coding.IsCodable(mediaType, len(body)) {
		h.Add("Vary", "Accept-Encoding")
		if c := coding.Choose(r.Header["Accept-Encoding"]); c != coding.Identity {
			h.Set("Content-Encoding", string(c))
			body = c.Compress(body)
		}
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) //nolint:gosec // pages are made by html/template; a client that hung up is not our failure
}
