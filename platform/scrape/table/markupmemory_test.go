package table_test

import (
	"fmt"
	"strings"
	"testing"

	"assay.dev/platform/memorytest"
	"assay.dev/platform/scrape"
)

// What one page may need of the memory is a few times what it may have of bytes, whatever stands in it. The test stands here since
// the package of ParseHTML is tested with the race detector, which needs twice as much.
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
