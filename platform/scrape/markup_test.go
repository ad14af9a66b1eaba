package scrape

import (
	"fmt"
	"strings"
	"testing"
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
