package scrape

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func TestHostileMarkupIsRefused(t *testing.T) {
	var open strings.Builder // each is repeated in all paragraphs behind
	for i := range 400 {
		fmt.Fprintf(&open, "<p><b a=%d></p>", i)
	}
	ignored, paragraphs := strings.Repeat("</b>", 500), strings.Repeat("<p>x</p>", 2000)
	for name, page := range map[string]string{
		"elements without end":            strings.Repeat("<b><i><p>", 100_000),
		"elements without end, few tags":  strings.Repeat("<b><i><p>", 50_000),
		"depth":                           strings.Repeat("<div>", 1000),
		"repeated":                        open.String() + paragraphs,
		"repeated, closed in a table":     open.String() + "<table><td>" + ignored + "</table>" + paragraphs,
		"repeated, closed in a script":    open.String() + "<script>" + ignored + "</script>" + paragraphs,
		"repeated, closed in a comment":   open.String() + "<!--" + ignored + "-->" + paragraphs,
		"repeated, closed in an svg":      open.String() + "<svg><![CDATA[>" + ignored + "]]></svg>" + paragraphs,
		"repeated, opened in svg's title": "<svg><title>" + open.String() + "</title></svg>" + paragraphs,
	} {
		if _, err := ParseHTML([]byte(page)); KindOf(err) != Changed {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, page := range map[string]string{
		"a large table":          strings.Repeat("<tr><td>46.32%</td></tr>", 50_000),
		"bold links in a table":  strings.Repeat("<tr><td><a href='x'><b>46.32%</b></a></td></tr>", 20_000),
		"fonts that nobody ends": "<table>" + strings.Repeat("<tr><td><font face=Arial size=2>46.32%</td></tr>", 15_000),
		"links that nobody ends": open.String()[:180] + strings.Repeat("<a href='x'>46.32%<br>", 5_000),
	} {
		if _, err := ParseHTML([]byte(page)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What stands in a page is what a tokenizer reads there: no tag has more attributes than were counted, or ends elsewhere.
func FuzzReadTag(f *testing.F) {
	f.Add([]byte("<p><b a0 a1=2 a2='>' a3=\"<b c>\"/a4 =a5 =a6= a7\t=\n'x'y><BODY a/=b></b c='>'>"))
	f.Add([]byte("<script><!--</script><b " + strings.Repeat("a ", 300) + "><svg><style><b a=1></style>"))
	f.Add([]byte("<a/b/c=/d=/>x<a =>x<a ==>x<a b=>x<a b='"))
	f.Fuzz(func(t *testing.T, doc []byte) {
		tokens := html.NewTokenizer(bytes.NewReader(doc))
		for at := 0; tokens.Next() != html.ErrorToken; at += len(tokens.Raw()) {
			token := tokens.Token()
			if token.Type != html.StartTagToken && token.Type != html.SelfClosingTagToken {
				continue
			}
			end := at + len(tokens.Raw())
			if got := readTag(doc, at+1, len(doc)); got.end != end || got.attributes < len(token.Attr) || got.name != token.DataAtom && token.DataAtom != 0 && len(token.Data) <= 16 {
				t.Errorf("%q: %+v, want the end %d and %d attributes", doc[at:end], got, end, len(token.Attr))
			}
		}
		if root, err := ParseHTML(doc); err == nil && root == nil {
			t.Error("neither a page nor an error")
		}
	})
}
