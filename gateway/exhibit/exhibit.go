// Package exhibit shows a kept document to people: its text, with the values that were read from it marked where they
// stood. What it makes is a page without scripts, links, pictures and forms, whatever the document holds.
package exhibit

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"strings"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/evidence"
)

// maxText bounds the text that is shown.
const maxText = 512 << 10

const head = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>%s, read %s</title>
<style>body{font:15px/1.5 sans-serif;margin:2em auto;max-width:75em;padding:0 1em}pre{white-space:pre-wrap;overflow-wrap:anywhere}
mark{background:#ffe066;padding:0 .15em}.asked,.row{outline:2px solid #a3201d}.row{display:block;background:none;padding:0}dt{float:left;clear:left;width:9em;color:#555}dd{margin:0 0 0 9em;overflow-wrap:anywhere}</style>
`

// View is what people are shown of a document.
type View struct {
	Facts []Fact
	// Remark says what Text shows of the document.
	Remark string
	// Text is the document's text, escaped, with the values marked: of HTML it has <mark> only, of the class row around
	// the row that is asked for, or of the class asked around each of its values.
	Text template.HTML
}

// Fact is what is known of a document, such as when it was read.
type Fact struct{ Name, Value string }

// Of is the view of a document. find asks for the row of a week's first day or a license, which is outlined; of a bulk
// file it chooses the rows that are shown.
func Of(d *evidence.Document, find string) View {
	s := shownOf(d, find)
	rows := s.rowsIn()
	key := asked(rows, find)
	switch {
	case key == "":
	case rows[key].whole == span{}:
		s.remark += " What was read for " + key + " is outlined, value by value: no row holds just that."
	default:
		s.remark += " The row that was read for " + key + " is outlined."
	}
	v := View{Facts: factsOf(d), Remark: s.remark}
	v.Text = template.HTML(writeMarked(s.text, rows, key)) //nolint:gosec // writeMarked escapes all that the document holds
	return v
}

func factsOf(d *evidence.Document) []Fact {
	var known []Fact
	for _, f := range []Fact{
		{"source", d.Source}, {"read at", d.ReadAt.UTC().Format(time.RFC3339)}, {"from", withoutQuery(d.URL)},
		{"by the path", d.Path},
		{"parser", d.Parser}, {"bytes", fmt.Sprint(d.Size)}, {"SHA-256", d.SHA256}, {"media type", d.Header["Content-Type"]},
		{"last modified", d.Header["Last-Modified"]},
	} {
		if f.Value != "" {
			known = append(known, f)
		}
	}
	return known
}

// Page is the view of a document as a page of its own. What hides in a text, such as U+202E, is shown as an escape.
func Page(d *evidence.Document, find string) []byte {
	var b bytes.Buffer
	v := Of(d, find)
	fmt.Fprintf(&b, head, html.EscapeString(d.Source), d.ReadAt.UTC().Format(time.RFC3339))
	fmt.Fprintf(&b, "<h1>%s</h1><dl>", html.EscapeString(d.Source))
	for _, f := range v.Facts[1:] { // the source is the heading
		fmt.Fprintf(&b, "<dt>%s</dt><dd>%s</dd>", f.Name, html.EscapeString(f.Value))
	}
	fmt.Fprintf(&b, "</dl><p>%s</p><pre>%s</pre></html>\n", html.EscapeString(v.Remark), v.Text)
	return contracts.EscapeJSON(b.Bytes())
}

// withoutQuery is a URL up to its query, which may hold what another tenant searched for.
func withoutQuery(u string) string {
	before, _, _ := strings.Cut(u, "?")
	return before
}

// Extension gives the file name extension for a media type, with its dot, such as ".html".
func Extension(mediaType string) string {
	switch {
	case strings.Contains(mediaType, "html"):
		return ".html"
	case strings.Contains(mediaType, "json"):
		return ".json"
	case strings.Contains(mediaType, "csv"):
		return ".csv"
	case strings.Contains(mediaType, "zip"):
		return ".zip"
	}
	return ".bin"
}
