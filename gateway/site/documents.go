package site

import (
	"html/template"
	"net/http"
	"sync"

	"assay.dev/docs"
)

// The paths of the documentation.
const (
	docsPath     = "/docs"
	guidePath    = "/docs/guide"
	contractPath = "/docs/contract"
)

// documentPolicy is how long browsers may keep a page of the documentation without asking.
const documentPolicy = "public, max-age=300"

// textContent is a document with the links to its parts.
type textContent struct {
	HTML  template.HTML
	Parts []part
}

// guide and contract are what the pages of these names show.
var guide, contract = rendered(docs.Guide), rendered(docs.Contract)

// rendered renders a document when it is asked for the first time.
func rendered(markdown []byte) func() (textContent, error) {
	return sync.OnceValues(func() (textContent, error) {
		text, parts, err := renderMarkdown(markdown)
		return textContent{text, parts}, err
	})
}

// documents are the pages of the documentation: the API with its examples, and what stands in the folder docs.
func (s *Site) documents() ([]Page, error) {
	swagger := frame{
		Title: "API reference", Path: docsPath,
		Scripts: []string{"swagger-ui/swagger-ui-bundle.js", "own/docs.js"},
		Styles:  []string{"swagger-ui/swagger-ui.css", "own/docs.css"},
		Content: s.assets.licenses(),
	}
	reference, err := s.document("docs", swagger)
	if err != nil {
		return nil, err
	}
	all := []Page{reference}
	for _, d := range []struct {
		title, path string
		content     func() (textContent, error)
	}{{"Guide", guidePath, guide}, {"Contract", contractPath, contract}} {
		text, err := d.content()
		if err != nil {
			return nil, err
		}
		p, err := s.document("text", frame{Title: d.title, Path: d.path, Content: text})
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// document is a page that is made once.
func (s *Site) document(name string, f frame) (Page, error) {
	body, err := s.render(name, f)
	if err != nil {
		return Page{}, err
	}
	c := newContent(body, htmlType, documentPolicy)
	return Page{Method: http.MethodGet, Path: f.Path, Static: true, Serve: func(w http.ResponseWriter, r *Request) error {
		setPageHeaders(w.Header())
		c.serve(w, r.Request)
		return nil
	}}, nil
}
