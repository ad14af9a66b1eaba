package sheet_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// Parts of a workbook as spreadsheets write them.
const (
	topRelations = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`
	bookHead     = `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">`
	oneSheet     = bookHead + `<sheets><sheet name="March" sheetId="1" r:id="rId1"/></sheets></workbook>`
	relations    = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/>` +
		`<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/>` +
		`<Relationship Id="rId3" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings" Target="/xl/sharedStrings.xml"/></Relationships>`
	// The styles: 0 as it is, 1 a day, 2 a percent of two decimals, 3 dollars, 4 an own format of days, 5 one of two decimals.
	styles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[$-409]d\-mmm\-yy;@"/><numFmt numFmtId="165" formatCode="&quot;USD&quot;\ 0.00"/></numFmts>` +
		`<cellStyleXfs><xf numFmtId="9"/></cellStyleXfs>` +
		`<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="10"/><xf numFmtId="7"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`
)

// packed is a zip of parts, in the order of names.
func packed(t testing.TB, parts ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		f, err := w.Create(parts[i])
		if err == nil {
			_, err = f.Write([]byte(parts[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// workbook is one whose sheet has these rows in XML, and whose cells share these texts.
func workbook(t testing.TB, rows string, shared ...string) []byte {
	t.Helper()
	var texts strings.Builder
	for _, s := range shared {
		fmt.Fprintf(&texts, "<si>%s</si>", s)
	}
	return packed(t, "_rels/.rels", topRelations, "xl/workbook.xml", oneSheet, "xl/_rels/workbook.xml.rels", relations, "xl/styles.xml", styles,
		"xl/sharedStrings.xml", "<sst>"+texts.String()+"</sst>", "xl/worksheets/sheet1.xml", "<worksheet><sheetData>"+rows+"</sheetData></worksheet>")
}

// styled is one with these formats and the styles of cells, and with a cell that cannot be read.
func styled(t testing.TB, formats, cells string) []byte {
	t.Helper()
	return packed(t, "_rels/.rels", topRelations, "xl/workbook.xml", oneSheet, "xl/_rels/workbook.xml.rels", relations, "xl/styles.xml",
		"<styleSheet><numFmts>"+formats+"</numFmts><cellXfs>"+cells+"</cellXfs></styleSheet>", "xl/sharedStrings.xml", "<sst/>",
		"xl/worksheets/sheet1.xml", `<worksheet><sheetData><row><c t="s"><v>7</v></c></row></sheetData></worksheet>`)
}

// numbered are n elements, each with its number in it, in one around them.
func numbered(n int, element string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, element, i)
	}
	return "<x>" + b.String() + "</x>"
}
