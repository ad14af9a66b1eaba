package exhibit_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"assay.dev/contracts"
	"assay.dev/gateway/exhibit"
	"assay.dev/platform/evidence"
)

func document(mediaType, body string, values ...string) *evidence.Document {
	return &evidence.Document{
		Label: evidence.Label{
			SHA256: strings.Repeat("ab", 32), Size: len(body), URL: "https://a.example/x?dba=secret+search", Status: http.StatusOK,
			ReadAt: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), Header: map[string]string{"Content-Type": mediaType},
			Reading: evidence.Reading{Source: "ODFL", Path: "page", Values: values},
		},
		Place: "7", Body: []byte(body),
	}
}

func TestMarksWhatWasRead(t *testing.T) {
	for name, tt := range map[string]struct {
		media, body string
		values      []string
		want        []string // must stand on the page
		not         []string
	}{
		"a table": {
			"text/html", `<table><tr><th>Date<th>LTL</tr><tr><td>9/9/2026</td><td>46.30 %</td></tr><tr><td>9/19/2026<td>146.30<td>46.305</table>`,
			[]string{"2026-09-09", "46.3"},
			[]string{"<mark>9/9/2026</mark> | <mark>46.30</mark> %", "9/19/2026", "146.30"},
			[]string{"<mark>146", "<mark>9/19", "<mark>46.30</mark>5"},
		},
		"names across lines and cases": {
			"text/html; charset=utf-8", "<p>Moe&#39;s\n  Tavern</p><p>Moe's Taverns</p>", []string{"MOE'S TAVERN"},
			[]string{"<mark>Moe&#39;s Tavern</mark>", "Moe&#39;s Taverns"}, nil,
		},
		"JSON": {
			"application/json", `{"ltl":46.32,"date":"2026-09-09"}`, []string{"2026-09-09", "46.32"},
			[]string{"&#34;ltl&#34;: <mark>46.32</mark>", "&#34;<mark>2026-09-09</mark>&#34;"}, nil,
		},
		"latin-1":   {"text/html; charset=iso-8859-1", "<p>CAF\xc9 ROMA", []string{"CAFÉ ROMA"}, []string{"<mark>CAFÉ ROMA</mark>"}, nil},
		"a picture": {"image/png", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR 46.32", []string{"46.32"}, []string{"This is no text", "<pre></pre>"}, []string{"IHDR"}},
		"nothing":   {"text/plain", "a < b & c", nil, []string{"a &lt; b &amp; c"}, []string{"<mark>"}},
	} {
		t.Run(name, func(t *testing.T) {
			page := string(exhibit.Page(document(tt.media, tt.body, tt.values...), ""))
			for _, want := range tt.want {
				if !strings.Contains(page, want) {
					t.Errorf("no %q in %s", want, page)
				}
			}
			for _, not := range append(tt.not, "secret") {
				if strings.Contains(page, not) {
					t.Errorf("%q in %s", not, page)
				}
			}
		})
	}
}

// What is asked for is told from what else was read, however the document spells it.
func TestMarksWhatIsAskedFor(t *testing.T) {
	d := document("text/html", "<table><tr><td>9/9/2026<td>46.30 %<tr><td>9/2/2026<td>46.18 %</table>", "2026-09-09", "46.3", "46.18")
	page := string(exhibit.Page(d, "46.3"))
	if !strings.Contains(page, "<mark>9/9/2026</mark> | <mark class=asked>46.30</mark> %") || !strings.Contains(page, "<mark>46.18</mark> %") {
		t.Error(page)
	}
}

func TestRowsOfABulkFile(t *testing.T) {
	var csv strings.Builder
	csv.WriteString("number,name\n")
	for i := range 5000 {
		fmt.Fprintf(&csv, "1A-%07d,BAR %d\n", i, i)
	}
	var zipped bytes.Buffer
	w := zip.NewWriter(&zipped)
	f, err := w.Create("f.csv")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = f.Write([]byte(csv.String()))
	_ = w.Close()
	for name, body := range map[string]string{"plain": csv.String(), "in a ZIP": zipped.String()} {
		d := document("text/csv", body)
		d.Place = contracts.PlaceOf(true, 3)
		found := string(exhibit.Page(d, "1a0001234"))
		if !strings.Contains(found, "number,name\n1A-0001234,BAR 1234\n</pre>") || !strings.Contains(found, "1 of 1 rows") {
			t.Errorf("%s: %s", name, found)
		}
		if all := string(exhibit.Page(d, "")); strings.Count(all, ",BAR") != 20 {
			t.Errorf("%s: %d rows without a text to find", name, strings.Count(all, ",BAR"))
		}
		if many := string(exhibit.Page(d, "1A")); strings.Count(many, "<mark class=asked>1A</mark>") != 200 || !strings.Contains(many, "200 of 5000 rows") {
			t.Errorf("%s: %d rows", name, strings.Count(many, "<mark>"))
		}
	}
}

// Whatever a document holds, the page has no element but its own.
func FuzzPage(f *testing.F) {
	for _, body := range []string{
		"<script>x</script>", "</pre><script>", "<img src=x onerror=y>", "<svg/onload=x>", "<a href=javascript:x>y</a>", "{\"a\":\"</pre>\"}", "PK\x03\x04",
	} {
		f.Add("text/html", body, "46.32", "x")
	}
	own := map[string]bool{
		"html": true, "meta": true, "title": true, "style": true, "h1": true, "dl": true, "dt": true, "dd": true, "p": true, "pre": true, "mark": true,
	}
	f.Fuzz(func(t *testing.T, media, body, value, find string) {
		page := exhibit.Page(document(media, body, value), find)
		for tokens := html.NewTokenizer(bytes.NewReader(page)); ; {
			switch tokens.Next() {
			case html.ErrorToken:
				return
			case html.StartTagToken, html.SelfClosingTagToken:
				token := tokens.Token()
				if !own[token.Data] {
					t.Fatalf("<%s> in %s", token.Data, page)
				}
				for _, a := range token.Attr {
					isAsked := token.Data == "mark" && a.Key == "class" && a.Val == "asked"
					if a.Key != "charset" && a.Key != "lang" && !isAsked {
						t.Fatalf("<%s %s>", token.Data, a.Key)
					}
				}
			}
		}
	})
}

// The largest text with the most values: what a page costs.
func BenchmarkPage(b *testing.B) {
	var values []string
	for i := range 200 {
		values = append(values, contracts.Date("2026-09-09").AddDays(-7*i).Time().Format(time.DateOnly))
	}
	body := "<table>" + strings.Repeat("<tr><td>9/9/2026<td>46.32 %<td>Some words of a page, and 9/2/2026", 8000) + "</table>"
	for b.Loop() {
		exhibit.Page(document("text/html", body, values...), "")
	}
}
