package site

import (
	"bytes"
	"fmt"
	"html/template"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// documentPaths are where the pages show the documents of the folder docs that link to one another.
var documentPaths = map[string]string{"guide.md": guidePath, "contract.md": contractPath}

// part is a heading that a reader can go to.
type part struct {
	ID, Title string
	// Level is 2 for the largest below the title.
	Level int
}

// renderMarkdown makes HTML of one of our documents, with its parts. HTML in the text stays text. A link that leads
// nowhere on the site is an error.
func renderMarkdown(source []byte) (template.HTML, []part, error) {
	markdown := goldmark.New(
		goldmark.WithExtensions(extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	)
	document := markdown.Parser().Parse(text.NewReader(source))
	var parts []part
	err := ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Heading:
			if id, ok := n.AttributeString("id"); ok && entering && (n.Level == 2 || n.Level == 3) {
				parts = append(parts, part{ID: string(id.([]byte)), Title: plainText(n, source), Level: n.Level})
			}
		case *ast.Link:
			return ast.WalkContinue, resolveLink(n)
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return "", nil, err
	}
	var b bytes.Buffer
	if err := markdown.Renderer().Render(&b, source, document); err != nil {
		return "", nil, err
	}
	// Wide tables and code scroll by themselves, also with the keyboard.
	html := strings.NewReplacer(
		"<table>", `<div class="scroll" tabindex="0"><table>`, "</table>", "</table></div>", "<pre>", `<pre tabindex="0">`,
	).Replace(b.String())
	// What is not on the screen yet is laid out later, a section at a time: see .text section in site.css.
	html = "<section>" + strings.ReplaceAll(html, "<h2 ", "</section><section><h2 ") + "</section>"
	return template.HTML(html), parts, nil //nolint:gosec // it is made of our own documents, with their HTML escaped
}

// resolveLink leads a link between documents to their pages.
func resolveLink(l *ast.Link) error {
	file, fragment, hasFragment := strings.Cut(string(l.Destination), "#")
	switch path := documentPaths[file]; {
	case path != "" && hasFragment:
		l.Destination = []byte(path + "#" + fragment)
	case path != "":
		l.Destination = []byte(path)
	case file != "" && !strings.HasPrefix(file, "https://") && !strings.HasPrefix(file, "/"):
		return fmt.Errorf("the link to %s leads to no page of the site", file)
	}
	return nil
}

// plainText is the text of a node without its marks.
func plainText(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the function never fails
		if t, ok := n.(*ast.Text); ok && entering {
			b.Write(t.Segment.Value(source))
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}
