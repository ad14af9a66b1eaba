package table_test

import (
	"errors"
	"strings"
	"testing"

	"assay.dev/platform/scrape/table"
)

// show writes grids one row a line, cells set off by '|', spanned ones marked by '~', headings by '!'.
func show(grids []table.Grid) string {
	var b strings.Builder
	for i, g := range grids {
		if i > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString("[" + g.Caption + "]")
		if g.Hidden {
			b.WriteString(" hidden")
		}
		if g.Cut {
			b.WriteString(" cut")
		}
		for _, r := range g.Rows {
			b.WriteByte('\n')
			for j, c := range r.Cells {
				if j > 0 {
					b.WriteString(" | ")
				}
				if c.Heading {
					b.WriteByte('!')
				}
				if c.Spanned {
					b.WriteByte('~')
				}
				b.WriteString(g.Text(c))
			}
		}
	}
	return b.String()
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ name, doc, want string }{
		{"its caption", `<h1>Fuel</h1><table summary="by week"><caption>LTL</caption><tr><td>a<td>b</table>`, "[by week | LTL]\na | b"},
		{"no table", `<p>Welcome</p>`, ``},
		{"white space and invisible characters", "<table><tr><td>&nbsp;46.32\u00a0%\u200b </td><td>\n Sep&shy;tember\t 2,<br>2026</td></table>", "[]\n46.32 % | September 2, 2026"},
		{"inline tags join, blocks part", `<table><tr><td>4<b>6</b>.32<span>%</span><td><p>From</p><p>To</p></table>`, "[]\n46.32% | From To"},
		{"colspan and rowspan", `<table><tr><th rowspan=2>Date<th colspan=2>LTL<tr><th>Pct<th>Min<tr><td>1<td>2<td>3</table>`,
			"[]\n!Date | !LTL | !~LTL\n!~Date | !Pct | !Min\n1 | 2 | 3"},
		{"rowspan over later columns", `<table><tr><td>a<td>b<td rowspan=2>c<tr><td>d</table>`, "[]\na | b | c\nd | ~ | ~c"},
		{"rowspan 0 reaches to the end of its group", `<table><tbody><tr><td rowspan=0>a<td>b<tr><td>c<tbody><tr><td>d</table>`, "[]\na | b\n~a | c\nd"},
		{"a short row stays short", `<table><tr><td>a<td>b<tr><td>c</table>`, "[]\na | b\nc"},
		{"hidden cells take no place", `<table><tr><th>a<th hidden>x<th>b<tr><td>1<td style="color:red; DISPLAY : none !important">x<td>2<tr style="display:none"><td>3<td>4</table>`,
			"[]\n!a | !b\n1 | 2"},
		{"invisible cells take place", `<table><tr><td>a<td style="visibility:hidden">x<td>b</table>`, "[]\na |  | b"},
		{"hidden sort keys", `<table><tr><td><span style="display:none">20260902</span>09/02/2026</table>`, "[]\n09/02/2026"},
		{"a hidden table is marked", `<div style="display:none"><h2>Old</h2><table><tr><td>a</table></div>`, "[] hidden\na"},
		{"struck out text is gone", `<table><tr><td><s>50.1%</s> 49.9%</table>`, "[]\n49.9%"},
		{"digits that may be footnotes", `<table><tr><td>48.0<a href="#n1">12</a><td><b>48.0</b><span>1</span>` +
			`<td><i>4</i><i>8</i>.<i>0</i><i>1</i><td><a href="#">48.0</a><td>48<b>1</b></table>`,
			"[]\n48.0^12 | 48.0^1 | 48.01 | 48.0 | 481"},
		{"tenths of a cent are smaller", `<table><tr><td>$5.59<small>9</small><td><b>$5.59</b><span class="mil">9</span>` +
			`<td>5.59<small>9</small><td>$48.0<small>1</small><td>$5.59<a href="#n1">9</a><td>$5.599<small>1</small>` +
			`<td>$5 5.59<small>1</small></table>`,
			"[]\n$5.599 | $5.599 | 5.59^9 | $48.0^1 | $5.59^9 | $5.599^1 | $5 5.59^1"},
		{"raised ordinals and footnotes", `<table><tr><td>Sep 2<sup>nd</sup><td>46.32%<sup>1</sup><td>3.59<sup>9</sup></table>`, "[]\nSep 2nd | 46.32% | 3.59^9"},
		{"nested tables are tables of their own", `<table><tr><td>Canada<td><table><tr><td>a<td>b</table>note</table>`, "[]\nCanada | note\n\n[]\na | b"},
		{"scripts, templates and comments are not text", `<table><tr><td><script>1</script><template>2</template><!-- 3 -->4</table><template><table><tr><td>x</table></template>`, "[]\n4"},
		{"roles", `<div role=table aria-label=Fuel><div role=rowgroup><div role=row><span role=columnheader>Date</span><span role=columnheader>LTL</span></div></div><div role=row><span role=cell>1</span><span role=cell>2</span></div></div>`,
			"[Fuel]\n!Date | !LTL\n1 | 2"},
		{"cut in a text", `<table><tr><td>1<td>50.1%<tr><td>2<td>46.3`, "[] cut\n1 | 50.1%\n2 | 46.3"},
		{"cut after a cell", `<table><tr><td>1</td>`, "[] cut\n1"},
		{"not cut by text after it", `<table><tr><td>1</td></tr></table> bye`, "[]\n1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			grids, err := table.Parse([]byte(c.doc))
			if err != nil {
				t.Fatal(err)
			}
			if got := show(grids); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestParseRefusesWhatIsTooLarge(t *testing.T) {
	for name, doc := range map[string]string{
		"deep":     strings.Repeat("<div>", 2000),
		"rows":     "<table>" + strings.Repeat("<tr><td>1", 30_000),
		"columns":  "<table><tr>" + strings.Repeat("<td>1", 300),
		"spans":    "<table>" + strings.Repeat("<tr><td colspan=9999 rowspan=9999>1", 9_000),
		"tables":   strings.Repeat("<table><tr><td>1</table>", 3_000),
		"one span": "<table><tr><td colspan=100000>1</table>",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := table.Parse([]byte(doc))
			if tooLarge := errors.Is(err, table.ErrTooLarge); tooLarge != (name != "one span") {
				t.Errorf("error %v", err)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`<table><tr><td rowspan=0>a<td colspan=2>b<tr><td><table><tr><td>c`))
	f.Add([]byte(`<dl><dt>a:<dd>1</dl><div role=table><div role=row><i role=cell>x</i></div></div><div><p>a: 1<br>b: 2</div>`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		grids, err := table.Parse(doc)
		if err != nil && grids != nil {
			t.Error("grids beside an error")
		}
		for _, g := range grids {
			if len(g.Rows) == 0 {
				t.Error("a grid without rows")
			}
		}
	})
}
