package mirror

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"assay.dev/contracts"
)

// A row that cannot be used may be of any license whose number stands in it: that one is neither absent nor what another
// row says. The licenses of other rows are as they are.
func TestBadRows(t *testing.T) {
	table := Table{Required: []string{"number", "name", "city"}}
	read := func(r Row, add func(Entry) error) error {
		if r.Text("city") == "?" {
			return errors.New("no city")
		}
		return add(Entry{Record: contracts.LicenseRecord{LicenseNumber: r.Text("number"), DBAName: r.Text("name")}})
	}
	file := func(rows ...string) string {
		var all strings.Builder
		_, _ = all.WriteString("number,name,city\n" + strings.Join(rows, "\n") + "\n")
		for i := range 500 {
			_, _ = fmt.Fprintf(&all, "1A-%d,JOE,X\n", 2000+i)
		}
		return all.String()
	}
	for name, tt := range map[string]struct {
		rows   []string
		hidden []string
		found  int // by the name "mikey"
	}{
		"quotes in a name":        {[]string{`1A-1300,"MIKE "MIKEY", INC",PEORIA`}, []string{"1A-1300"}, 1},
		"too few fields":          {[]string{`1A-1300,MIKEY`}, []string{"1A-1300"}, 1},
		"a row that read refuses": {[]string{`1A-1300,MIKEY,?`}, []string{"1A-1300"}, 1},
		"a quote that is not closed": {[]string{`1A-1300,"MIKEY,PEORIA`, `1A-1301,JOE,PEKIN`, `1A-1302,"JOE",PEKIN`},
			[]string{"1A-1300", "1A-1301", "1A-1302"}, 1},
		"one up to the end of a field":         {[]string{`1A-1300,"MIKEY,PEORIA`, `1A-1301,JOE","PEKIN"`}, []string{"1A-1300", "1A-1301"}, 1},
		"a quote that ends a field and a line": {[]string{`1A-1300,"MIKEY "FENN", JR`, `OLE 7 LLC",PEORIA`}, nil, 1},
		"a line without a number":              {[]string{`end of part one`}, nil, 0},
		"a name of two lines":                  {[]string{"1A-1300,\"MIKEY,\nINC\",PEORIA"}, nil, 1},
	} {
		t.Run(name, func(t *testing.T) {
			first, second := newBuilder(0), newBuilder(1)
			if _, err := table.Read(strings.NewReader(file(tt.rows...)), read, first.addEntry); err != nil {
				t.Fatal(err)
			}
			if _, err := table.Read(strings.NewReader("number,name,city\n1A-1300,JOE,X\n1A-9,JOE,X\n"), read, second.addEntry); err != nil {
				t.Fatal(err)
			}
			c, alone := &Copy{index: second.merge(first, nil).index()}, &Copy{}
			alone.index = newBuilder(0).merge(first, nil).index()
			for _, number := range tt.hidden {
				if entries := c.Lookup(number); len(alone.Lookup(number)) > 0 || !alone.MayHide(number) || len(entries) > 0 && !entries[0].Unclear {
					t.Errorf("%s: hidden %t, %+v", number, alone.MayHide(number), entries)
				}
			}
			if got := c.Lookup("1A-1300"); len(got) != 1 || got[0].Unclear != (tt.hidden != nil) {
				t.Errorf("the other row: %+v", got)
			}
			if got := c.Lookup("1A-2007"); len(got) != 1 || got[0].Unclear || alone.MayHide("1A-7777") {
				t.Errorf("another license: %+v", got)
			}
			if hits := alone.Find(contracts.Query{DBAName: "mikey"}); hits.Count() != tt.found {
				t.Errorf("%d are found", hits.Count())
			}
		})
	}
}
