package scrape

import (
	"strings"
	"testing"
)

func TestHostileMarkupIsRefused(t *testing.T) {
	for name, page := range map[string]string{
		"elements without end": strings.Repeat("<b><i><p>", 100_000),
		"depth":                strings.Repeat("<div>", 1000),
	} {
		if _, err := ParseHTML([]byte(page)); KindOf(err) != Changed {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := ParseHTML([]byte(strings.Repeat("<tr><td>46.32%</td></tr>", 50_000))); err != nil {
		t.Error(err)
	}
}
