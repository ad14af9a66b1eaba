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
		"largest field":       {"File Number,DBA Name,Prem City\n1,A," + text(8<<10) + "\n2,B,Y\n", "1/A/" + text(8<<10) + " 2/B/Y"},
		"field too large":     {"File Number,DBA Name,Prem City\n1,A," + text(8<<10+1) + "\n", ""},
		"most columns":        {"File Number,DBA Name,Prem City\n1,A,X" + commas(197) + "\n2,B,Y\n", "1/A/X 2/B/Y"},
		"too many columns":    {"File Number,DBA Name,Prem City\n1,A,X" + commas(198) + "\n2,B,Y\n", ""},
		"a header too wide":   {"File Number,DBA Name,Prem City" + commas(198) + "\n1,A,X\n", ""},
		"largest row":         {"File Number,DBA Name,Prem City\n" + lines(1<<16-6) + "1,A,X\n2,B,Y\n", "1/A/X 2/B/Y"},
		"largest, at the end": {"File Number,DBA Name,Prem City\n" + lines(1<<16-5) + "1,A,X", "1/A/X"},
		"row too large":       {"File Number,DBA Name,Prem City\n" + lines(1<<16-5) + "1,A,X\n2,B,Y\n", ""},
		"open quote":          {"File Number,DBA Name,Prem City\n1,A,X\n2,\"B,Y\n" + strings.Repeat("3,C,Z\n", 1<<14), ""},
	} {
		t.Run(name, func(t *testing.T) {
			var rows []string
			n, err := table.Read(strings.NewReader(tt.file), func(r mirror.Row, _ func(mirror.Entry) error) error {
				rows = append(rows, r.Text("File Number")+"/"+r.Text("DBA Name")+"/"+r.Text("Prem City"))
				return nil
			}, ignore)
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

func ignore(mirror.Entry) error { return nil }

func text(size int) string     { return strings.Repeat("x", size) }
func commas(number int) string { return strings.Repeat(",", number) }
func lines(number int) string  { return strings.Repeat("\n", number) }

// A row of 200 KB that is far from the beginning fails as soon as its bytes do not end: the rest is not asked for.
func TestRowIsBoundedWhileItIsRead(t *testing.T) {
	head := "File Number,DBA Name,Prem City\n" + strings.Repeat("1,A,X\n", 20_000)
	file := strings.NewReader(head + text(200<<10) + "\n1,A,X\n")
	rows, err := table.Read(file, func(mirror.Row, func(mirror.Entry) error) error { return nil }, ignore)
	if rows != 20_000 || scrape.KindOf(err) != scrape.Changed {
		t.Errorf("%d rows, %v", rows, err)
	}
	if read := int(file.Size()) - file.Len(); read > len(head)+64<<10+1 {
		t.Errorf("%d bytes were read of the row", read-len(head))
	}
}

// What use says is wrong with the whole file ends it; what it says of a row does not.
func TestFailureOfUseEndsTheFile(t *testing.T) {
	seen := 0
	_, err := table.Read(strings.NewReader("File Number,DBA Name,Prem City\n"+strings.Repeat("1,A,X\n", 1000)), func(mirror.Row, func(mirror.Entry) error) error {
		if seen++; seen == 10 {
			return scrape.Failf(scrape.Changed, "too much")
		}
		return nil
	}, ignore)
	if seen != 10 || scrape.KindOf(err) != scrape.Changed {
		t.Errorf("%d rows, %v", seen, err)
	}
}

func FuzzTable(f *testing.F) {
	f.Add([]byte("\ufeffbanner\nFile Number,DBA Name,Prem City\r\n1,\"A\"\"\n,\",X\n"))
	f.Add([]byte("File Number,DBA Name,Prem City\n1,\"A" + text(1<<16) + "\n1,A,X\n"))
	f.Add([]byte("File Number,DBA Name,Prem City\n1,A\x00\x85,\xa0X" + commas(300) + "\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		seen := 0
		n, err := table.Read(bytes.NewReader(file), func(r mirror.Row, _ func(mirror.Entry) error) error {
			seen++
			if text := r.Text("DBA Name"); strings.ContainsAny(text, "\n\r\x00") || text != strings.TrimSpace(text) {
				t.Errorf("%q is not on one line", text)
			}
			if len(r.Raw("Prem City")) > 3*8<<10 { // a byte that is not UTF-8 becomes three at most
				t.Errorf("a field has %d bytes", len(r.Raw("Prem City")))
			}
			return nil
		}, ignore)
		if err == nil && (seen > n || n == 0) {
			t.Errorf("%d rows given, %d counted", seen, n)
		}
	})
}
