package mirror_test

import (
	"bytes"
	"strings"
	"testing"

	"assay.dev/abc-worker/mirror"
	"assay.dev/platform/scrape"
)

var table = mirror.Table{Required: []string{"File Number", "DBA Name", "Prem City"}}

func TestTable(t *testing.T) {
	for name, tt := range map[string]struct {
		file string
		want string // number/name/city per row; "" for a file that is refused
	}{
		"plain":               {"File Number,DBA Name,Prem City\n1,A,X\n2,B,Y\n", "1/A/X 2/B/Y"},
		"banner, BOM, CRLF":   {"\ufeffUpdated Tuesday 29th of September 2026, early\r\nFile Number,DBA Name, Prem City\r\n1,A,X\r\n", "1/A/X"},
		"another order":       {"Prem City,extra,DBA Name,File Number\nX,?,A,1\n", "1/A/X"},
		"case and underscore": {"file_number,dba_name,PREM  CITY\n1,A,X\n", "1/A/X"},
		"all quoted":          {"\"File Number\",\"DBA Name\",\"Prem City\"\n\"1\",\"A, B\",\"X\"\n", "1/A, B/X"},
		"doubled quotes":      {"File Number,DBA Name,Prem City\n1,\"THE \"\"A\"\"\",X\n", "1/THE \"A\"/X"},
		"stray quotes":        {"File Number,DBA Name,Prem City\n1,THE \"A\" BAR,X\n", "1/THE \"A\" BAR/X"},
		"line break in field": {"File Number,DBA Name,Prem City\n1,\"A\nB\",X\n", "1/A B/X"},
		"blanks":              {"File Number,DBA Name,Prem City\n 1 , , X  Y \n", "1//X Y"},
		"latin-1":             {"File Number,DBA Name,Prem City\n1,CAF\xc9,X\n", "1/CAFÉ/X"},
		"comma at the end":    {"File Number,DBA Name,Prem City\n1,A,X,\n", "1/A/X"},
		"blank lines":         {"\nFile Number,DBA Name,Prem City\n\n1,A,X\n,,\n", "1/A/X"},
		"no line end":         {"File Number,DBA Name,Prem City\n1,A,X", "1/A/X"},
		"cut in a row":        {"File Number,DBA Name,Prem City\n1,A,X\n2,B", ""},
		"column renamed":      {"File Number,Trade Name,Prem City\n1,A,X\n", ""},
		"no rows":             {"File Number,DBA Name,Prem City\n", ""},
		"empty":               {"", ""},
		"a page":              {"<!DOCTYPE html><html><body>Just a moment</body></html>", ""},
		"too many bad rows":   {"File Number,DBA Name,Prem City\n1,A,X\nbad\n2,B,Y\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			var rows []string
			n, err := table.Read(strings.NewReader(tt.file), func(r mirror.Row) error {
				rows = append(rows, r.Text("File Number")+"/"+r.Text("DBA Name")+"/"+r.Text("Prem City"))
				return nil
			})
			if tt.want == "" {
				if scrape.KindOf(err) != scrape.Changed {
					t.Errorf("read %q, %v", rows, err)
				}
				return
			}
			if got := strings.Join(rows, " "); err != nil || got != tt.want || n != len(rows) {
				t.Errorf("%q, %v; want %q", got, err, tt.want)
			}
		})
	}
}

func FuzzTable(f *testing.F) {
	f.Add([]byte("\ufeffbanner\nFile Number,DBA Name,Prem City\r\n1,\"A\"\"\n,\",X\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		seen := 0
		n, err := table.Read(bytes.NewReader(file), func(r mirror.Row) error {
			seen++
			if text := r.Text("DBA Name"); strings.ContainsAny(text, "\n\r\x00") || text != strings.TrimSpace(text) {
				t.Errorf("%q is not on one line", text)
			}
			return nil
		})
		if err == nil && (seen > n || n == 0) {
			t.Errorf("%d rows given, %d counted", seen, n)
		}
	})
}
