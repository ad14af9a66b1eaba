package document_test

import (
	"fmt"
	"strings"
	"testing"

	"assay.dev/ltl-worker/document"
	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/platform/memorytest"
)

// show writes lists: the labels of each, then a row a line.
func show(lists []document.List) string {
	var b strings.Builder
	for _, l := range lists {
		for _, labels := range l.Labels {
			b.WriteString("[" + strings.Join(labels, ">") + "]")
		}
		for _, r := range l.Rows {
			b.WriteByte('\n')
			for i, c := range r.Cells {
				if i > 0 {
					b.WriteString(" | ")
				}
				b.WriteString(c.Text)
			}
		}
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// A record is the smallest repeated part with a date and a figure, whatever it is made of.
func TestLists(t *testing.T) {
	const rows = "[Date][LTL]\n9/9/2026 | 50%\n9/2/2026 | 49%"
	for name, c := range map[string]struct{ doc, want string }{
		"a table":                   {`<table><tr><th>Date<th>LTL<tr><td>9/9/2026<td>50%<tr><td>9/2/2026<td>49%</table>`, rows},
		"a turned table":            {`<table><tr><th>Date<td>9/9/2026<td>9/2/2026<tr><th>LTL<td>50%<td>49%</table>`, rows},
		"rows of divs":              {`<div><div><b>Date</b><b>LTL</b></div><div><i>9/9/2026</i><i>50%</i></div><div><i>9/2/2026</i><i>49%</i></div></div>`, rows},
		"a list of lists":           {`<div><ul><li>Date<li>LTL</ul><ul><li>9/9/2026<li>50%</ul><ul><li>9/2/2026<li>49%</ul></div>`, rows},
		"columns":                   {`<div><div><p>Date<p>9/9/2026<p>9/2/2026</div><div><p>LTL<p>50%<p>49%</div></div>`, rows},
		"one description list":      {`<dl><dt>Date<dd>9/9/2026<dt>LTL<dd>50%<dt>Date<dd>9/2/2026<dt>LTL<dd>49%</dl>`, rows},
		"sections":                  {`<h3>9/9/2026</h3><p>LTL: 50%</p><h3>9/2/2026</h3><p>LTL: 49%</p>`, "[][ltl]\n9/9/2026 | LTL: 50%\n9/2/2026 | LTL: 49%"},
		"fields for typing":         {`<form><label>Date</label><input value=9/9/2026><label>LTL</label><input value=50></form>`, ""},
		"a menu":                    {`<ul><li>About<li>Us</ul><ul><li>Our<li>Jobs</ul>`, ""},
		"a date over figures":       {`<div><h4>9/9/2026</h4><table><tr><td>LTL<td>50%<tr><td>TL<td>80%</table></div>`, "[][LTL][TL]\n9/9/2026 | 50% | 80%"},
		"records":                   {`[{"Date":"9/9/2026","LTL":"50%"},{"Date":"9/2/2026","LTL":"49%"}]`, rows},
		"records in another record": {`[{"a":{"Date":"9/9/2026"},"b":[{"mode":"LTL","pct":50}]}]`, "[a>Date][b>LTL>pct]\n9/9/2026 | 50"},
		"lists":                     {`{"Date":["9/9/2026","9/2/2026"],"LTL":["50%","49%"]}`, rows},
		"rows under columns":        {`{"columns":["Date","LTL"],"rows":[["9/9/2026","50%"],["9/2/2026","49%"]]}`, rows},
		"names that are dates":      {`{"9/9/2026":"50%","9/2/2026":"49%"}`, "[][]\n9/9/2026 | 50%\n9/2/2026 | 49%"},
		"a text of JSON":            {`{"d":"[{\"Date\":\"9/9/2026\",\"LTL\":\"50%\"}]"}`, "[Date][LTL]\n9/9/2026 | 50%"},
		"a piece of a page":         {`{"html":"<table><tr><th>Date</th><th>LTL</th></tr><tr><td>9/9/2026</td><td>50%</td></tr></table>"}`, "[Date][LTL]\n9/9/2026 | 50%"},
	} {
		t.Run(name, func(t *testing.T) {
			parse := document.FromHTML
			if strings.ContainsAny(c.doc[:1], "{[") {
				parse = document.FromJSON
			}
			root, err := parse([]byte(c.doc))
			if err != nil {
				t.Fatal(err)
			}
			if got := show(document.Lists(root, meaning.NewVocabulary())); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// A document beyond the bounds is refused, and its reading ends there.
func TestTooLarge(t *testing.T) {
	for name, doc := range map[string]string{
		"rows":    "<table>" + strings.Repeat("<tr><td>1", 30_000),
		"columns": "<table><tr>" + strings.Repeat("<td>1", 300),
		"spans":   "<table>" + strings.Repeat("<tr><td colspan=9999 rowspan=9999>1", 9_000),
		"tables":  strings.Repeat("<table>"+strings.Repeat("<tr><td colspan=200>1", 2_400)+"</table>", 30),
		"depth":   strings.Repeat("[", 1000),
		"values":  "[" + strings.Repeat("1,", 600_000) + "1]",
	} {
		t.Run(name, func(t *testing.T) {
			parse := document.FromHTML
			if doc[0] == '[' {
				parse = document.FromJSON
			}
			var err error
			if peak := memorytest.Peak(t, func() { _, err = parse([]byte(doc)) }); err == nil || peak > 400 {
				t.Errorf("%v after %d MB", err, peak)
			}
		})
	}
}

func fuzz(f *testing.F, parse func([]byte) (*document.Document, error)) {
	f.Fuzz(func(t *testing.T, doc []byte) {
		root, err := parse(doc)
		if err != nil {
			return
		}
		for _, l := range document.Lists(root, meaning.NewVocabulary()) {
			for _, r := range l.Rows {
				if !r.Broken && len(r.Cells) != len(l.Labels) {
					t.Fatal(fmt.Sprint(len(r.Cells), " cells under ", len(l.Labels), " labels"))
				}
			}
		}
	})
}

func FuzzFromHTML(f *testing.F) {
	f.Add([]byte(`<table><tr><td rowspan=0>9/9/2026<td colspan=2>50%<tr><td><table><tr><td>1`))
	f.Add([]byte(`<dl><dt>Date<dd>9/9/2026<dt>LTL<dd>50%</dl><div role=table><div role=row><i role=cell>x</i></div></div>`))
	f.Add([]byte("<h3>9/9/2026</h3><p>50%<h3>9/2/2026</h3><p>49%"))
	fuzz(f, document.FromHTML)
}

func FuzzFromJSON(f *testing.F) {
	f.Add([]byte(`{"columns":["d","p"],"rows":[["2026-09-09",50],["2026-09-02",49]],"x":"[{\"9/9/2026\":1}]"}`))
	f.Add([]byte(`{"a":["2026-09-09","2026-09-02"],"b":{"c":[50,49]},"h":"<p>9/9/2026: 50%</p><p>x"}`))
	fuzz(f, document.FromJSON)
}
