package exhibit_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html"

	"assay.dev/contracts"
	"assay.dev/gateway/exhibit"
	"assay.dev/platform/evidence"
	"assay.dev/platform/memorytest"
	"assay.dev/platform/scrape"
)

func document(mediaType, body string, rows map[string][]scrape.Spot) *evidence.Document {
	return &evidence.Document{
		Label: evidence.Label{
			SHA256: strings.Repeat("ab", 32), Size: len(body), URL: "https://a.example/x?dba=secret+search", Status: http.StatusOK,
			ReadAt: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), Header: map[string]string{"Content-Type": mediaType},
			Reading: evidence.Reading{Source: "ODFL", Path: "page", Rows: rows},
		},
		Place: "7", Body: []byte(body),
	}
}

// spots are where texts stand in a document, each after the one before: in a page by the text that holds it, else by its end.
func spots(t *testing.T, body string, texts ...string) (all []scrape.Spot) {
	t.Helper()
	if !strings.HasPrefix(body, "<") {
		from := 0
		for _, text := range texts {
			i := strings.Index(body[from:], text)
			if i < 0 {
				t.Fatalf("no %q in %s", text, body[from:])
			}
			from += i + len(text)
			all = append(all, scrape.Spot{At: from, Text: text})
		}
		return all
	}
	root, err := scrape.ParseHTML([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	scrape.NumberNodes(root, func(n *html.Node, number int) {
		isNext := len(all) < len(texts) && n.Type == html.TextNode && strings.Contains(n.Data, texts[len(all)])
		if isNext {
			all = append(all, scrape.Spot{At: number, Text: texts[len(all)]})
		}
	})
	if len(all) != len(texts) {
		t.Fatalf("%d of %q stand in %s", len(all), texts, body)
	}
	return all
}

func TestMarksWhatWasRead(t *testing.T) {
	const (
		table = `<table><tr><th>Date<th>LTL</tr><tr><td>9/9/2026<td>46.30 %</tr><tr><td>9/2/2026<td>46.30 %</tr></table>
<table><tr><td>9/9/2026<td>46.30 %<td>Canada</tr></table><p>Cap: 46.30 %</p>`
		cards = `<div><p>Week of 9/9/2026</p><p>LTL 46.30%</p></div><div><p>Week of 9/2/2026</p><p>LTL 46.30%</p></div>`
		sides = `<table><tr><td>9/9/2026<td>9/2/2026</tr><tr><td>46.30%<td>46.18%</tr></table>`
		list  = `[{"ltl":46.32,"date":"2026-09-09"},{"ltl":46.32,"date":"2026-09-02"}]`
		lines = "date,usd\n2026-09-07,3.7\n2026-09-14,3.7\n"
	)
	for name, tt := range map[string]struct {
		media, body, find string
		rows              map[string][]string // the texts that were read, in the order of the document
		want              []string            // must stand on the page
		not               []string
	}{
		"a table": {
			"text/html", table, "2026-09-09", map[string][]string{"2026-09-09": {"9/9/2026", "46.30 %"}},
			[]string{
				"<mark class=row><mark>9/9/2026</mark> | <mark>46.30 %</mark>\n</mark>9/2/2026 | 46.30 %", "9/9/2026 | 46.30 % | Canada", "Cap: 46.30 %",
				"The row that was read for 2026-09-09 is outlined",
			}, []string{"class=asked"},
		},
		"nothing is asked for": {
			"text/html", table, "", map[string][]string{"2026-09-09": {"9/9/2026", "46.30 %"}},
			[]string{"<mark>9/9/2026</mark> | <mark>46.30 %</mark>\n9/2/2026"}, []string{"class=", "outlined"},
		},
		"another week": {
			"text/html", table, "2026-09-02", map[string][]string{"2026-09-09": {"9/9/2026", "46.30 %"}}, nil, []string{"class=", "outlined"},
		},
		"a percent is no row": {
			"text/html", table, "46.3", map[string][]string{"2026-09-09": {"9/9/2026", "46.30 %"}}, nil, []string{"class=", "outlined"},
		},
		"cards": {
			"text/html", cards, "2026-09-02", map[string][]string{"2026-09-09": {"9/9/2026", "46.30%"}, "2026-09-02": {"9/9/2026", "46.30%", "9/2/2026", "46.30%"}},
			[]string{"<mark class=row>Week of <mark>9/2/2026</mark>\nLTL <mark>46.30%</mark>\n</mark>"}, nil,
		},
		"weeks side by side": {
			"text/html", sides, "2026-09-09", map[string][]string{"2026-09-09": {"9/9/2026", "46.30%"}, "2026-09-02": {"9/2/2026", "46.18%"}},
			[]string{"<mark class=asked>9/9/2026</mark> | <mark>9/2/2026</mark>", "<mark class=asked>46.30%</mark> | <mark>46.18%</mark>"},
			[]string{"class=row"},
		},
		"JSON": {
			"application/json", list, "2026-09-02", map[string][]string{"2026-09-02": {"2026-09-09", "46.32", "2026-09-02"}},
			[]string{"&#34;ltl&#34;: 46.32,\n    &#34;date&#34;: &#34;2026-09-09&#34;\n  },\n<mark class=row>  {\n    &#34;ltl&#34;: <mark>46.32</mark>"}, nil,
		},
		"lines": {
			"text/csv", lines, "2026-09-14", map[string][]string{"2026-09-14": {"2026-09-14", "3.7"}},
			[]string{"2026-09-07,3.7\n<mark class=row><mark>2026-09-14</mark>,<mark>3.7</mark>\n</mark>"}, nil,
		},
		"another text than was read": {
			"text/html", table, "2026-09-09", map[string][]string{"2026-09-09": nil}, nil, []string{"class=", "<mark>"},
		},
		"a document of before": {
			"text/html", table, "2026-09-09", nil, []string{"was not noted when it was read, so nothing is marked"}, []string{"<mark", "outlined"},
		},
		"latin-1":   {"text/html; charset=iso-8859-1", "<p>CAF\xc9 ROMA", "", nil, []string{"CAFÉ ROMA"}, nil},
		"a picture": {"image/png", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR 46.32", "", nil, []string{"This is no text", "<pre></pre>"}, []string{"IHDR"}},
		"nothing":   {"text/plain", "a < b & c", "", nil, []string{"a &lt; b &amp; c"}, []string{"<mark>"}},
		"marks of our own": {
			"text/html", "<p>\uE000 9/9/2026 \uE001<b>46.30 %</b></p>", "2026-09-09", map[string][]string{"2026-09-09": {"9/9/2026", "46.30 %"}},
			[]string{"<mark class=row>\uFFFD <mark>9/9/2026</mark> \uFFFD<mark>46.30 %</mark>"}, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			rows := map[string][]scrape.Spot{}
			for key, texts := range tt.rows {
				all := spots(t, tt.body, texts...)
				rows[key] = all[max(0, len(all)-2):]
			}
			page := string(exhibit.Page(document(tt.media, tt.body, rows), tt.find))
			for _, want := range tt.want {
				if !strings.Contains(page, want) {
					t.Errorf("no %q in %s", want, page)
				}
			}
			_, text, _ := strings.Cut(page, "</dl>")
			for _, not := range append(tt.not, "secret") {
				if strings.Contains(text, not) {
					t.Errorf("%q in %s", not, page)
				}
			}
		})
	}
}

// A source may answer with JSON that is thousands of levels deep. Each of them would indent every line.
func TestDeepJSONIsShownAsItWasRead(t *testing.T) {
	deep := strings.Repeat("[", 9_000) + strings.Repeat("1,", 2_000) + `"[{\""` + strings.Repeat("]", 9_000)
	var page []byte
	peak := memorytest.Peak(t, func() { page = exhibit.Page(document("application/json", deep, nil), "") })
	if peak > 16 || !bytes.Contains(page, []byte("[[[1,1,")) {
		t.Errorf("%d MB; %d bytes", peak, len(page))
	}
	flat := strings.Repeat(`["\"[[",`, 40) + "1" + strings.Repeat("]", 40)
	if page = exhibit.Page(document("application/json", "["+strings.Repeat(flat+",", 2)+"1]", nil), ""); !bytes.Contains(page, []byte("indented")) {
		t.Errorf("%s", page)
	}
}

// A place that holds another text than was read, as that of a reader who counts otherwise, is no row.
func TestAPlaceWithAnotherText(t *testing.T) {
	const body = "<table><tr><td>9/9/2026<td>46.30 %<tr><td>9/2/2026<td>46.18 %</table>"
	read := spots(t, body, "9/9/2026", "46.30 %")
	for name, at := range map[string]int{"another cell": read[0].At, "beyond the end": 10_000, "nowhere": 0} {
		moved := []scrape.Spot{{At: at, Text: "46.18 %"}, read[0]}
		if page := string(exhibit.Page(document("text/html", body, map[string][]scrape.Spot{"2026-09-09": moved}), "2026-09-09")); strings.Contains(page, "<mark") {
			t.Errorf("%s: %s", name, page)
		}
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
		d := document("text/csv", body, nil)
		d.Place = contracts.PlaceOf(true, 3)
		found := string(exhibit.Page(d, "1a0001234"))
		if !strings.Contains(found, "<pre>number,name\n<mark class=row><mark>1A-0001234,BAR 1234</mark>\n</mark></pre>") || !strings.Contains(found, "1 of 1 rows") {
			t.Errorf("%s: %s", name, found)
		}
		if all := string(exhibit.Page(d, "")); strings.Count(all, ",BAR") != 20 {
			t.Errorf("%s: %d rows without a text to find", name, strings.Count(all, ",BAR"))
		}
		if many := string(exhibit.Page(d, "1A")); strings.Count(many, ",BAR") != 200 || !strings.Contains(many, "200 of 5000 rows") || strings.Contains(many, "<mark") {
			t.Errorf("%s: %d rows", name, strings.Count(many, ",BAR"))
		}
	}
}

// An excerpt holds the row and a few lines around it, and of a row that is too long its values; it is short whatever the document is.
func TestExcerpts(t *testing.T) {
	line := "<tr><td>a line of the page"
	table := "<table>" + strings.Repeat(line, 500) + "<tr><td>9/9/2026<td>46.30 %" + strings.Repeat(line, 500) + "</table>"
	far := "<table><tr><td>400000" + strings.Repeat(line, 100) + "<tr><td>ACTIVE" + strings.Repeat(line, 100) + "</table>"
	for name, c := range map[string]struct {
		body, find string
		values     []string
		want       string
		lines      int
	}{
		"a row":          {table, "2026-09-09", []string{"9/9/2026", "46.30 %"}, "<mark class=row><mark>9/9/2026</mark> | <mark>46.30 %</mark>", 7},
		"a long row":     {far, "400000", []string{"400000", "ACTIVE"}, "<mark class=asked>400000</mark>\na line of the page\n…\na line of the page\n<mark class=asked>ACTIVE</mark>", 6},
		"none, and said": {table, "46.30", nil, "46.30", 7},
		"none":           {table, "x", nil, "a line", 24},
		"one long line":  {"<p>" + strings.Repeat("é", 50_000), "x", nil, "éé", 1},
		"nothing":        {"", "x", nil, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			rows := map[string][]scrape.Spot{}
			if c.values != nil {
				rows[c.find] = spots(t, c.body, c.values...)
			}
			text := string(exhibit.Excerpt(document("text/html", c.body, rows), c.find).Text)
			if !strings.Contains(text, c.want) || strings.Count(text, "\n") > c.lines || len(text) > 3000 || !utf8.ValidString(text) {
				t.Errorf("%d lines, %d bytes: %.2000s", strings.Count(text, "\n"), len(text), text)
			}
		})
	}
}

// Whatever a document holds, the page has no element but its own.
func FuzzPage(f *testing.F) {
	for _, body := range []string{
		"<script>x</script>", "</pre><script>", "<img src=x onerror=y>", "<svg/onload=x>", "<a href=javascript:x>y</a>", "{\"a\":\"</pre>\"}", "PK\x03\x04",
	} {
		f.Add("text/html", body, "46.32", "x", 5)
	}
	own := map[string]bool{
		"html": true, "meta": true, "title": true, "style": true, "h1": true, "dl": true, "dt": true, "dd": true, "p": true, "pre": true, "mark": true,
	}
	f.Fuzz(func(t *testing.T, media, body, value, find string, at int) {
		rows := map[string][]scrape.Spot{"x": {{At: at, Text: value}, {At: at + 1, Text: "x"}}, find: {{At: at, Text: find}}}
		d := document(media, body, rows)
		page := append(exhibit.Page(d, find), exhibit.Excerpt(d, find).Text...)
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
					isAsked := token.Data == "mark" && a.Key == "class" && (a.Val == "asked" || a.Val == "row")
					isViewport := token.Data == "meta" && (a.Val == "viewport" || a.Key == "content" && strings.HasPrefix(a.Val, "width="))
					if a.Key != "charset" && a.Key != "lang" && !isAsked && !isViewport {
						t.Fatalf("<%s %s>", token.Data, a.Key)
					}
				}
			}
		}
	})
}

// The largest text with the most values: what a page costs.
func BenchmarkPage(b *testing.B) {
	body := "<table>" + strings.Repeat("<tr><td>9/9/2026<td>46.32 %<td>Some words of a page, and 9/2/2026", 8000) + "</table>"
	rows := map[string][]scrape.Spot{}
	for i := range 200 {
		rows[string(contracts.Date("2026-09-09").AddDays(-7*i))] = []scrape.Spot{{At: 9 + 7*i, Text: "46.32 %"}}
	}
	for b.Loop() {
		exhibit.Page(document("text/html", body, rows), "2026-09-09")
	}
}
