package table_test

import (
	"fmt"
	"strings"
	"testing"

	"assay.dev/platform/memorytest"
	"assay.dev/platform/scrape"
)

// What one page may need of the memory is a few times what it may have of bytes, whatever stands in it. The test stands here, as
// the one of what is refused, since the package of ParseHTML is tested with the race detector, which needs twice as much.
func TestMemoryOfHostileMarkup(t *testing.T) {
	for name, page := range map[string]string{
		"one tag with 12,000 attributes":   "<html><body><p><b " + attributes(12_000) + ">" + strings.Repeat("<p>x", 9_000) + "</body></html>",
		"many tags with 200 attributes":    "<p><b " + attributes(200) + ">" + strings.Repeat("<p>x", 90_000),
		"behind a comment in a script":     "<script><!--</script><p><b " + attributes(200) + ">" + strings.Repeat("<p>x", 90_000),
		"attributes of nobody":             "<div " + attributes(1_000_000) + ">",
		"attributes of the body, gathered": gathered(60_000),
		"as much as is parsed":             strings.Repeat("<br a>", 200_000) + "<p><b " + attributes(200) + ">" + strings.Repeat("<p>x", 9_000),
		"one large tag, then many":         "<i " + attributes(100_000) + ">" + strings.Repeat("<hr a>", 100_000),
	} {
		t.Run(name, func(t *testing.T) {
			var err error
			peak := memorytest.Peak(t, func() { _, err = scrape.ParseHTML([]byte(page)) })
			t.Logf("%d bytes took %d MB: %v", len(page), peak, err)
			if peak > 256 {
				t.Errorf("%d bytes took %d MB", len(page), peak)
			}
		})
	}
}

func attributes(number int) string {
	var out strings.Builder
	for i := range number {
		fmt.Fprintf(&out, "a%d ", i)
	}
	return out.String()
}

// A program looks like a tag with many attributes from the < of "i<n" to its next >.
func TestProgramsAreNotTags(t *testing.T) {
	page := "<script>for (i = 0; i<n; i++) {" + strings.Repeat(" words without end", 300) + " }</script><p>x</p></body>"
	if _, err := scrape.ParseHTML([]byte(page)); err != nil {
		t.Error(err)
	}
}

// gathered are tags of which a parser gives the attributes to the first.
func gathered(number int) string {
	var out strings.Builder
	for i := range number {
		fmt.Fprintf(&out, "<body a%d>", i)
	}
	return out.String()
}

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
		if _, err := scrape.ParseHTML([]byte(page)); scrape.KindOf(err) != scrape.Changed {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, page := range map[string]string{
		"a large table":          strings.Repeat("<tr><td>46.32%</td></tr>", 50_000),
		"bold links in a table":  strings.Repeat("<tr><td><a href='x'><b>46.32%</b></a></td></tr>", 20_000),
		"fonts that nobody ends": "<table>" + strings.Repeat("<tr><td><font face=Arial size=2>46.32%</td></tr>", 15_000),
		"links that nobody ends": open.String()[:180] + strings.Repeat("<a href='x'>46.32%<br>", 5_000),
	} {
		if _, err := scrape.ParseHTML([]byte(page)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
