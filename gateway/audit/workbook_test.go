package audit_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"testing"

	"assay.dev/gateway/audit"
	"assay.dev/gateway/lines"
)

// A number of days means the same with and without a format of dates, by the calendar that the workbook counts by.
func TestDaysOfAWorkbook(t *testing.T) {
	t.Parallel()
	const relation = `<Relationships><Relationship Id="1" Type="x/%s" Target="%s"/>%s</Relationships>`
	for name, c := range map[string]struct{ property, day string }{
		"from 1900": {"", "46290"}, "from 1904": {`<workbookPr date1904="1"/>`, "44828"},
	} {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		for part, text := range map[string]string{
			"_rels/.rels":            fmt.Sprintf(relation, "officeDocument", "xl/book.xml", ""),
			"xl/book.xml":            `<workbook xmlns:r="r">` + c.property + `<sheets><sheet name="May" r:id="1"/></sheets></workbook>`,
			"xl/_rels/book.xml.rels": fmt.Sprintf(relation, "worksheet", "1.xml", `<Relationship Id="2" Type="x/styles" Target="styles.xml"/>`),
			"xl/styles.xml":          `<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
			"xl/1.xml": `<worksheet><sheetData><row><c t="str"><v>SCAC</v></c><c t="str"><v>Ship Date</v></c></row>` +
				fmt.Sprintf(`<row><c t="str"><v>SAIA</v></c><c s="0"><v>%s</v></c></row><row><c t="str"><v>SAIA</v></c><c s="1"><v>%[1]s</v></c></row>`, c.day) +
				`</sheetData></worksheet>`,
		} {
			f, err := w.Create(part)
			if err == nil {
				_, err = f.Write([]byte(text))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		file, err := audit.Read(t.Context(), lines.Workbook, b.Bytes(), lines.Reading{AsIs: true})
		if err != nil || len(file.Lines) != 2 {
			t.Fatalf("%s: %d lines, %v", name, len(file.Lines), err)
		}
		for _, l := range file.Lines {
			if l.ShipDate != "2026-09-25" {
				t.Errorf("%s: line %d is of %s, %v", name, l.Number, l.ShipDate, l.Errors)
			}
		}
	}
}
