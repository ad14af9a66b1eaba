package scrape

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

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
