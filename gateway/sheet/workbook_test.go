package sheet_test

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/sheet"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/memorytest"
)

// The values are those that a person sees: shared, inline and rich texts, days, percents and money in their formats, results of formulas.
func TestAWorkbookIsReadAsItIsShown(t *testing.T) {
	t.Parallel()
	body := workbook(t, `<row r="2"><c r="A2" t="s"><v>0</v></c><c r="C2" t="inlineStr"><is><t>FSC</t><rPh><t>aloud</t></rPh></is></c></row>`+
		`<row><c s="1"><v>46276.75</v></c><c s="4"><v>46276</v></c><c s="2"><v>0.46320000000000001</v></c><c s="3"><v>-1243.1099999999999</v></c><c s="5"><v>155.005</v></c></row>`+
		`<row r="9"><c r="A9"><f>B9*[1]Rates!$A$1</f><v>1.1000000000000001</v></c><c r="B9" t="b"><v>1</v></c><c r="C9" t="e"><v>#N/A</v></c><c r="D9" t="str"><v>x</v></c><c r="E9"><f>1/0</f></c><c r="F9"><f>1/0</f><v/></c><c r="G9" t="str"><f>A1</f><v></v></c><c r="H9"><f t="shared" si="0"/><v>0</v></c><c r="XFD9" s="1"/></row>`,
		`<r><t>Ship </t></r><r><t xml:space="preserve">Date</t></r>`)
	rows, err := sheet.ReadWorkbook(body)
	want := []sheet.Row{
		{Line: 2, Cells: []string{"Ship Date", "", "FSC"}},
		{Line: 3, Cells: []string{"2026-09-11", "2026-09-11", "46.32%", "$-1243.11", "USD155.01"}},
		{Line: 9, Cells: []string{"1.1", "TRUE", "#N/A", "x", "#NOT COMPUTED", "#NOT COMPUTED", "", "0"}},
	}
	if err != nil || !reflect.DeepEqual(rows, want) {
		t.Errorf("%v, %v", rows, err)
	}
}

// A cell is what it holds, to the cent and to a hundredth of a percent, however few decimals it shows, and in the currency that it shows.
func TestFormatsChangeNoValue(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ code, value, want string }{
		"a percent button":      {"0%", "0.46820000000000001", "46.82%"},
		"a whole percent":       {"0%", "0.5", "50%"},
		"one decimal":           {"0.0%", "0.46800000000000003", "46.8%"},
		"whole dollars":         {"&quot;$&quot;#,##0", "1234.49", "$1234.49"},
		"round dollars":         {"&quot;$&quot;#,##0", "1200", "$1200"},
		"a computed amount":     {"#,##0.00", "468.2000001", "468.20"},
		"a computed whole one":  {"0", "468.2000001", "468.2"},
		"a number of a bill":    {"0", "1234567890", "1234567890"},
		"no zeros before signs": {"000", "-5", "-5"},
		"nor before decimals":   {"00000", "12.5", "12.5"},
		"zeros before it":       {"0000000000", "12345678", "0012345678"},
		"dollars of a land":     {"[$$-409]#,##0.00", "5", "$5.00"},
		"dollars, by name":      {"[$$-en-US]#,##0.00", "5", "$5.00"},
		"dollars of no land":    {"[$$]#,##0.00", "5", "$5.00"},
		"dollars of Canada":     {"[$$-1009]#,##0.00;-[$$-1009]#,##0.00", "5", "[$$-1009]5.00"},
		"of Canada, by name":    {"[$$-en-CA]#,##0.00", "5", "[$$-en-CA]5.00"},
		"a code that is quoted": {`_(&quot;CAD&quot;* #,##0.00_);_(* \(#,##0.00\)`, "5", "CAD5.00"},
		"the code of the US":    {`#,##0.00\ &quot;USD&quot;`, "5", "USD5.00"},
		"a word for nothing":    {`0.00;-0.00;&quot;NIL&quot;`, "5", "5.00"},
		"a land alone":          {"[$-409]#,##0.00", "5", "5.00"},
		"euros":                 {"[$€-407]#,##0.00", "5", "€5.00"},
		"euros behind":          {`#,##0.00\ &quot;€&quot;`, "5", "€5.00"},
		"a space for a sign":    {`_-* #,##0.00\ _€_-`, "5", "5.00"},
		"Canadian":              {"[$CAD] #,##0.00", "5", "CAD5.00"},
		"Canadian, quoted":      {"&quot;C$&quot;#,##0.00", "5", "C$5.00"},
	} {
		own := strings.Replace(styles, `formatCode="&quot;USD&quot;\ 0.00"`, `formatCode="`+c.code+`"`, 1)
		body := packed(t, "_rels/.rels", topRelations, "xl/workbook.xml", oneSheet, "xl/_rels/workbook.xml.rels", relations, "xl/styles.xml", own,
			"xl/sharedStrings.xml", "<sst/>", "xl/worksheets/sheet1.xml", `<worksheet><sheetData><row><c s="5"><v>`+c.value+`</v></c></row></sheetData></worksheet>`)
		if rows, err := sheet.ReadWorkbook(body); err != nil || len(rows) != 1 || rows[0].Cells[0] != c.want {
			t.Errorf("%s: %v, %v, want %s", name, rows, err, c.want)
		}
	}
}

// The first sheet is the first that a person sees, days may count from 1904, and the parts may have any names.
func TestAWorkbookOfAnotherProgram(t *testing.T) {
	t.Parallel()
	rels := strings.ReplaceAll(strings.ReplaceAll(relations, "rId1", "a"), "worksheets/sheet1.xml", "other.xml")
	rels = strings.Replace(rels, "</Relationships>", `<Relationship Id="h" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/worksheet" Target="hidden.xml"/></Relationships>`, 1)
	body := packed(t, "_rels/.rels", strings.Replace(topRelations, "xl/workbook.xml", "/xl/book9.xml", 1), "xl/book9.xml",
		strings.Replace(bookHead, "xmlns:r", "xmlns:ns1", 1)+`<workbookPr date1904="1"/><sheets><sheet name="x" state="hidden" ns1:id="h"/><sheet name="y" ns1:id="a"/></sheets></workbook>`,
		"xl/_rels/book9.xml.rels", rels, "xl/styles.xml", styles, "xl/other.xml", `<x:worksheet xmlns:x="y"><x:sheetData><x:row><x:c s="1"><x:v>44814</x:v></x:c></x:row></x:sheetData></x:worksheet>`)
	rows, err := sheet.ReadWorkbook(body)
	if err != nil || len(rows) != 1 || rows[0].Cells[0] != "2026-09-11" {
		t.Errorf("%v, %v", rows, err)
	}
}

// Hostile workbooks end with words, in bounded memory, and no part outside of them is looked at.
func TestHostileWorkbooks(t *testing.T) {
	cell := func(at string) string { return `<row r="1"><c r="` + at + `"><v>1</v></c></row>` }
	zeros := strings.Repeat("0", 24<<20)
	whole := workbook(t, cell("A1"))
	for name, c := range map[string]struct {
		body []byte
		want string
	}{
		"no zip":               {[]byte("PK\x03\x04 no"), "cannot be unpacked"},
		"cut off":              {whole[:len(whole)/2], "cannot be unpacked"},
		"a password":           {append([]byte{0xd0, 0xcf, 0x11, 0xe0}, make([]byte, 512)...), "password"},
		"another zip":          {packed(t, "a.txt", "x"), "a part of it is missing"},
		"a bomb in the sheet":  {workbook(t, "<row><c><v>"+zeros+"</v></c></row>"), "more than 256 KB"},
		"a bomb of cells":      {workbook(t, strings.Repeat("<row><c><v> </v></c></row>", 1<<20)), "more than 20 MB"},
		"a bomb of texts":      {workbook(t, "", strings.Repeat("<t>a</t></si><si>", 3<<19)), "more than 1,048,576 texts"},
		"a bomb of looks":      {styled(t, "", strings.Repeat("<xf/>", 1<<20)), "more than 131,072 formats"},
		"a bomb of formats":    {styled(t, numbered(1<<18, `<numFmt numFmtId="%d"/>`), ""), "more than 131,072 formats"},
		"a bomb of sheets":     {packed(t, "_rels/.rels", topRelations, "xl/workbook.xml", "<x>"+strings.Repeat(`<sheet r:id=""/>`, 1<<20)+"</x>"), "more than 100 sheets"},
		"a bomb of one text":   {workbook(t, strings.Repeat(`<row><c t="s"><v>0</v></c></row>`, 1000), "<t>"+strings.Repeat("a", 32<<10)+"</t>"), "more than 20 MB"},
		"an attribute":         {workbook(t, `<row a="`+zeros+`"/>`), "more than 256 KB"},
		"too deep":             {workbook(t, strings.Repeat("<a>", 1<<20)), "too deep"},
		"16,000 columns":       {workbook(t, cell("WPA1")), "more than 256 columns"},
		"a row of 16,000":      {workbook(t, "<row>"+strings.Repeat("<c><v>1</v></c>", 16_000)+"</row>"), "more than 256 columns"},
		"too many rows":        {workbook(t, strings.Repeat("<row><c><v>1</v></c></row>", 20_000)), "at most 10000 lines"},
		"an end that is wrong": {workbook(t, "<row></c>"), "do not end well"},
		"a text that is away":  {workbook(t, `<row><c t="s"><v>7</v></c></row>`), "a text of row 1 is missing"},
		"a text before all":    {workbook(t, `<row><c t="s"><v>-1</v></c></row>`), "a text of row 1 is missing"},
		"cells out of order":   {workbook(t, `<row r="1"><c r="B1"><v>1</v></c><c r="A1"><v>2</v></c></row>`), "not in order"},
		"a cell of no column":  {workbook(t, cell("ÄÄ1")), "has no place"},
		"an entity":            {workbook(t, `<row><c><v>&x;</v></c></row>`), "damaged"},
		"a sheet elsewhere": {packed(t, "_rels/.rels", topRelations, "xl/workbook.xml", oneSheet, "xl/_rels/workbook.xml.rels",
			strings.Replace(relations, `Target="worksheets/sheet1.xml"`, `TargetMode="External" Target="http://127.0.0.1:1/x"`, 1)), "no sheet"},
		"out of the zip": {packed(t, "_rels/.rels", topRelations, "xl/workbook.xml", oneSheet, "xl/_rels/workbook.xml.rels",
			strings.Replace(relations, "worksheets/sheet1.xml", "../../../../etc/passwd", 1)), "a part of it is missing"},
		"a format of 250 KB":    {styled(t, `<numFmt numFmtId="164" formatCode="`+strings.Repeat("[a]", 80<<10)+`"/>`, strings.Repeat(`<xf numFmtId="164"/>`, 2000)), "a text of row 1 is missing"},
		"a name of 101 letters": {workbook(t, "<"+strings.Repeat("a", 101)+"/>"), "a name of more than 100"},
		"too large":             {make([]byte, sheet.MaxWorkbook+1), "larger than"},
	} {
		t.Run(name, func(t *testing.T) {
			var err error
			began := time.Now()
			peak := memorytest.Peak(t, func() { _, err = sheet.ReadWorkbook(c.body) })
			if contracts.CodeOf(err) == contracts.Internal || err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
			if took := time.Since(began); peak > 128 || took > clocktest.Patience {
				t.Errorf("%d MB, %s", peak, took)
			}
		})
	}
}

// A number has no more decimals than a spreadsheet shows, whatever its format says.
func TestAFormatOfManyDecimals(t *testing.T) {
	t.Parallel()
	many := strings.Replace(styles, "0.00", "0."+strings.Repeat("0", 100_000), 1)
	body := packed(t, "_rels/.rels", topRelations, "xl/workbook.xml", oneSheet, "xl/_rels/workbook.xml.rels", relations, "xl/styles.xml", many,
		"xl/sharedStrings.xml", "<sst/>", "xl/worksheets/sheet1.xml", `<worksheet><sheetData><row><c s="5"><v>1</v></c></row></sheetData></worksheet>`)
	rows, err := sheet.ReadWorkbook(body)
	if err != nil || len(rows) != 1 || len(rows[0].Cells[0]) > 40 {
		t.Errorf("%d rows, %d bytes, %v", len(rows), len(rows[0].Cells[0]), err)
	}
}

func FuzzWorkbook(f *testing.F) {
	f.Add([]byte(`<row r="2"><c r="A2" s="2"><v>0.4632</v></c></row>`), []byte("<t>a</t>"))
	f.Fuzz(func(t *testing.T, rows, text []byte) {
		got, err := sheet.ReadWorkbook(workbook(t, string(rows), string(text)))
		if err != nil && contracts.CodeOf(err) == contracts.Internal {
			t.Error(err)
		}
		if len(got) > sheet.MaxRows {
			t.Error(len(got))
		}
	})
}

// BenchmarkWorkbook reads 10,000 lines of ten cells.
func BenchmarkWorkbook(b *testing.B) {
	var rows bytes.Buffer
	for i := range 10_000 {
		fmt.Fprintf(&rows, `<row r="%d">%s</row>`, i+1, strings.Repeat(`<c s="2"><v>0.4632</v></c>`, 10))
	}
	body := workbook(b, rows.String())
	b.ReportAllocs()
	for b.Loop() {
		if got, err := sheet.ReadWorkbook(body); err != nil || len(got) != 10_000 {
			b.Fatal(len(got), err)
		}
	}
}
