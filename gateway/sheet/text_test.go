package sheet_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"assay.dev/contracts"
	"assay.dev/gateway/sheet"
	"assay.dev/platform/memorytest"
)

func sprint(v any) string { return fmt.Sprint(v) }

// wide is a text in UTF-16.
func wide(order binary.AppendByteOrder, text string) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, u)
	}
	return string(b)
}

// headingsOf count how many cells are a heading of two words.
func twoHeadings(cells []string) (n int) {
	for _, c := range cells {
		if c == "Café" || c == "Ship Date" {
			n++
		}
	}
	return n
}

// A text is read alike in whichever charset, with whichever delimiter and line ends.
func TestTextsOfManyPrograms(t *testing.T) {
	t.Parallel()
	plain := "Report of \"March\"\n\nCafé,Ship Date,\n\"a, \"\"b\"\"\",2026-09-11,\n,,\n"
	for name, body := range map[string]string{
		"UTF-8": plain, "a mark": "\ufeff" + plain, "CRLF": strings.ReplaceAll(plain, "\n", "\r\n"), "CR": strings.ReplaceAll(plain, "\n", "\r"),
		"Windows-1252": strings.ReplaceAll(plain, "é", "\xe9"),
		"UTF-16":       wide(binary.LittleEndian, "\ufeff"+plain), "UTF-16, high first": wide(binary.BigEndian, "\ufeff"+plain),
		"UTF-16 without a mark": wide(binary.LittleEndian, plain), "UTF-16, high first, without a mark": wide(binary.BigEndian, plain),
		"semicolons": strings.ReplaceAll(plain, ",", ";"), "tabs": strings.ReplaceAll(plain, ",", "\t"), "bars": strings.ReplaceAll(plain, ",", "|"),
		"sep": "sep=;\n" + strings.ReplaceAll(plain, ",", ";"),
	} {
		t.Run(name, func(t *testing.T) {
			rows, err := sheet.ReadText([]byte(body), twoHeadings)
			if err != nil || len(rows) < 3 {
				t.Fatalf("%v, %v", rows, err)
			}
			head, last := rows[len(rows)-2], rows[len(rows)-1]
			if strings.Join(head.Cells, " ") != "Café Ship Date" || last.Cells[1] != "2026-09-11" || len(last.Cells) != 2 || last.Line < 4 {
				t.Errorf("%v", rows)
			}
		})
	}
}

func TestHostileTexts(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"no line end":       {strings.Repeat("a", 10<<20), "more than 64 KB"},
		"a quote":           {"a,b\n\"" + strings.Repeat("a,b\n", 1<<20), "a quote is not closed"},
		"commas":            {strings.Repeat(",", 60_000) + "x", "more than 256 columns"},
		"16,000 columns":    {strings.Repeat("a,", 16_000), "more than 256 columns"},
		"too many rows":     {strings.Repeat("a,b\n", 20_000), "at most 10000 lines"},
		"half a character":  {wide(binary.LittleEndian, "\ufeffa,b\n") + "\x00\xd8a\x00", "half a character stands at byte 8"},
		"the other half":    {wide(binary.LittleEndian, "\ufeff") + "\x00\xdca\x00", "half a character"},
		"a half at the end": {wide(binary.BigEndian, "\ufeffa") + "\xd8\x00", "half a character"},
		"an odd byte":       {"\xff\xfea\x00b", "within a character"},
		"UTF-8 that lies":   {"\ufeffa\xff", "not valid UTF-8"},
		"UTF-32":            {"a\x00\x00\x00,\x00\x00\x00b\x00\x00\x00", "UTF-32"},
		"UTF-32, high":      {"\x00\x00\x00a\x00\x00\x00,", "UTF-32"},
		"NUL":               {"a\xff,b\x00c", "NUL"},
		"a workbook":        {"PK\x03\x04", "packed file"},
	} {
		t.Run(name, func(t *testing.T) {
			var err error
			peak := memorytest.Peak(t, func() { _, err = sheet.ReadText([]byte(c.body), twoHeadings) })
			if err == nil || contracts.CodeOf(err) == contracts.Internal || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
			if peak > 128 {
				t.Errorf("%d MB", peak)
			}
		})
	}
}

func TestObjectsAreRows(t *testing.T) {
	t.Parallel()
	read := func(texts ...string) ([]sheet.Row, error) {
		var objects []json.RawMessage
		for _, text := range texts {
			objects = append(objects, json.RawMessage(text))
		}
		return sheet.ReadObjects(objects, func(i int) int { return 2 * (i + 1) })
	}
	rows, err := read(`{"SCAC":"ODFL","Fuel %":46.320}`, `{"x":null,"SCAC":true}`)
	if got := fmt.Sprint(rows, err); got != "[{0 [SCAC Fuel % x]  0} {2 [ODFL 46.320]  0} {4 [true]  0}] <nil>" {
		t.Error(got)
	}
	for text, want := range map[string]string{`[]`: "want a JSON object", `{"a":{}}`: "a: want a text or a number", `{"lines":[{}]}`: "lines: want a text or a number; where this list has the lines, send it alone", `{"a":`: "not JSON"} {
		if _, err := read(`{}`, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add([]byte("Café;Ship Date\n\"a\";b\n"))
	f.Add([]byte("\xff\xfea\x00"))
	f.Fuzz(func(t *testing.T, body []byte) {
		if _, err := sheet.ReadText(body, twoHeadings); err != nil && contracts.CodeOf(err) == contracts.Internal {
			t.Error(err)
		}
	})
}
