// Package exhibit shows a kept document to people: its text, with the values that were read from it marked. What it makes
// is a page without scripts, links, pictures and forms, whatever the document holds.
package exhibit

import (
	"bytes"
	"fmt"
	"html"
	"strings"
	"time"

	"assay.dev/platform/evidence"
)

// maxText bounds the text that is shown.
const maxText = 512 << 10

const head = `<!doctype html><html lang="en"><meta charset="utf-8"><title>%s, read %s</title>
<style>body{font:15px/1.5 sans-serif;margin:2em auto;max-width:75em;padding:0 1em}pre{white-space:pre-wrap;overflow-wrap:anywhere}
mark{background:#ffe066;padding:0 .15em}dt{float:left;clear:left;width:9em;color:#555}dd{margin:0 0 0 9em}</style>
`

// Page is the page of a document. find is a further text to mark; of a bulk file it chooses the rows that are shown.
func Page(d *evidence.Document, find string) []byte {
	var b bytes.Buffer
	at := d.ReadAt.UTC().Format(time.RFC3339)
	fmt.Fprintf(&b, head, html.EscapeString(d.Source), at)
	fmt.Fprintf(&b, "<h1>%s</h1><dl>", html.EscapeString(d.Source))
	for _, fact := range [][2]string{
		{"read at", at}, {"from", withoutQuery(d.URL)}, {"by the path", d.Path}, {"parser", d.Parser},
		{"bytes", fmt.Sprint(d.Size)}, {"SHA-256", d.SHA256}, {"media type", d.Header["Content-Type"]},
		{"last modified", d.Header["Last-Modified"]},
	} {
		if fact[1] != "" {
			fmt.Fprintf(&b, "<dt>%s</dt><dd>%s</dd>", fact[0], html.EscapeString(fact[1]))
		}
	}
	b.WriteString("</dl>")
	text, remark := textOf(d, find)
	fmt.Fprintf(&b, "<p>%s</p><pre>", html.EscapeString(remark))
	writeMarked(&b, text, append([]string{find}, d.Values...))
	b.WriteString("</pre></html>\n")
	return b.Bytes()
}

// withoutQuery is a URL up to its query, which may hold what another tenant searched for.
func withoutQuery(u string) string {
	before, _, _ := strings.Cut(u, "?")
	return before
}

// Extension is that of a file of a media type, with its dot.
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
