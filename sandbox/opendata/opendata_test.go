package opendata_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"go.uber.org/goleak"

	"assay.dev/sandbox/opendata"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func rows() []opendata.Row {
	return []opendata.Row{
		{"100001159.0", "O'BRELLAN'S 100% PUB", "AUSTIN", ""},
		{"100001160.0", "SHAKE HOUSE", "DALLAS", "75201"},
		{"100001161.0", "CAFÉ SHAKE_OUT", "", ""},
	}
}

var columns = []string{"id", "name", "city", "zip"}

func TestPredicates(t *testing.T) {
	tests := map[string]int{
		`id=100001159`:                                 1,
		`id='100001159'`:                               1,
		`upper(name) like '%SHAKE%'`:                   2,
		`upper(name) like '%O''BRELLAN%'`:              1,
		`name like '%\%%'`:                             1,
		`name like '%SHAKE\_%'`:                        1,
		`name like '%SHAKE_OUT'`:                       1,
		`name like 'SHAKE%'`:                           1,
		`name like '%HOUSE'`:                           1,
		`name like 'SHAKE%HOUSE'`:                      1,
		`name like 'S%A%H%E'`:                          1,
		`name like 'SHAKE HOUSE'`:                      1,
		`name like 'SHAKE'`:                            0,
		`name like 'SHAKE HOUSE%HOUSE'`:                0,
		`name like '%HOUSE%SHAKE%'`:                    0,
		`upper(name) like '%SHAKE%' AND city='DALLAS'`: 1,
		`(city='DALLAS' OR city='AUSTIN') and id>100`:  2,
		`id>100001159`:                                 2,
		`id<100`:                                       -1,
		`NOT city='DALLAS'`:                            -2,
		`name = `:                                      -1,
		`name like '%`:                                 -1,
		`name = 'x') or (1=1`:                          -1,
		`1=1`:                                          3,
		`nosuch = 'x'`:                                 -2,
	}
	for text, want := range tests {
		t.Run(text, func(t *testing.T) {
			matches, err := opendata.ParsePredicate(text, columns)
			var column opendata.NoSuchColumn
			switch {
			case want == -2 && errors.As(err, &column), want == -1 && errors.Is(err, opendata.ErrSyntax):
				return
			case err != nil || want < 0:
				t.Fatalf("error %v, want %d", err, want)
			}
			n := 0
			for _, r := range rows() {
				if matches(r) {
					n++
				}
			}
			if n != want {
				t.Errorf("%d rows match, want %d", n, want)
			}
		})
	}
}

func FuzzParsePredicate(f *testing.F) {
	f.Add(`upper(name) like '%O''BRELLAN%' AND (id=1 or city='x')`)
	f.Fuzz(func(_ *testing.T, text string) {
		matches, err := opendata.ParsePredicate(text, []string{"name"})
		if err == nil {
			matches(opendata.Row{"x"})
		}
	})
}

func ask(t *testing.T, base, path string, query url.Values, into any) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+path+"?"+query.Encode(), http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(into); err != nil {
		t.Fatal(err)
	}
	return res.StatusCode
}

func TestSoda(t *testing.T) {
	soda := opendata.NewSoda(time.Unix(1_790_000_000, 0), opendata.Dataset{ID: "abcd-1234", Columns: columns, Rows: rows})
	s := httptest.NewServer(soda)
	defer s.Close()
	defer http.DefaultClient.CloseIdleConnections()

	var found []map[string]string
	status := ask(t, s.URL, "/resource/abcd-1234.json", url.Values{"$where": {"upper(name) like '%SHAKE%'"}, "$order": {"name"}, "$limit": {"1"}}, &found)
	if status != 200 || len(found) != 1 || found[0]["id"] != "100001161.0" {
		t.Errorf("%d %v", status, found)
	}
	if _, present := found[0]["city"]; present {
		t.Error("null keys must be left out")
	}
	if ask(t, s.URL, "/resource/abcd-1234.json", url.Values{"$select": {"count(*)"}}, &found); found[0]["count"] != "3" {
		t.Errorf("count %v", found)
	}
	found = nil
	ask(t, s.URL, "/resource/abcd-1234.json", url.Values{"$select": {"city, count(*) as n"}, "$group": {"city"}}, &found)
	if len(found) != 3 || found[0]["n"] != "1" || found[0]["city"] != "" || found[1]["city"] != "AUSTIN" {
		t.Errorf("counts by city %v", found)
	}
	found = nil
	if ask(t, s.URL, "/resource/abcd-1234.json", url.Values{"city": {"DALLAS"}, "$select": {"name,zip"}}, &found); len(found) != 1 || len(found[0]) != 2 {
		t.Errorf("filter %v", found)
	}
	var failure struct {
		ErrorCode, Code, Message string
		Error                    bool
	}
	if status := ask(t, s.URL, "/resource/abcd-1234.json", url.Values{"$where": {"nosuch='1'"}}, &failure); status != 400 || failure.ErrorCode != "query.soql.no-such-column" {
		t.Errorf("%d %+v", status, failure)
	}
	if status := ask(t, s.URL, "/resource/none-none.json", nil, &failure); status != 404 || failure.Code != "dataset.missing" || !failure.Error {
		t.Errorf("%d %+v", status, failure)
	}
	var view struct{ RowsUpdatedAt int64 }
	if ask(t, s.URL, "/api/views/abcd-1234.json", nil, &view); view.RowsUpdatedAt != 1_790_000_000 {
		t.Errorf("view %+v", view)
	}
	soda.Throttle(1)
	if status := ask(t, s.URL, "/resource/abcd-1234.json", nil, &failure); status != 429 {
		t.Errorf("throttled: %d", status)
	}
	soda.Later(1)
	if status := ask(t, s.URL, "/resource/abcd-1234.json", nil, &failure); status != 202 {
		t.Errorf("later: %d", status)
	}
}

func TestLayer(t *testing.T) {
	s := httptest.NewServer(opendata.Layer{Fields: columns, Rows: rows, MaxRecords: 2})
	defer s.Close()
	defer http.DefaultClient.CloseIdleConnections()
	var answer struct {
		Features              []struct{ Attributes map[string]*string }
		ExceededTransferLimit bool
		Error                 struct{ Code int }
	}
	ask(t, s.URL, "/query", url.Values{"f": {"json"}, "where": {"1=1"}, "outFields": {"id,zip"}, "returnGeometry": {"false"}}, &answer)
	if len(answer.Features) != 2 || !answer.ExceededTransferLimit || answer.Features[0].Attributes["zip"] != nil {
		t.Errorf("%+v", answer)
	}
	answer.Features = nil
	ask(t, s.URL, "/query", url.Values{"f": {"json"}, "where": {"1=1"}, "orderByFields": {"name"}}, &answer)
	if len(answer.Features) != 2 || *answer.Features[0].Attributes["name"] != "CAFÉ SHAKE_OUT" {
		t.Errorf("in order: %+v", answer)
	}
	if ask(t, s.URL, "/query", url.Values{"f": {"json"}, "where": {"1=1"}, "orderByFields": {"nosuch"}}, &answer); answer.Error.Code != 400 {
		t.Errorf("%+v", answer)
	}
	answer.Error.Code = 0
	if status := ask(t, s.URL, "/query", url.Values{"f": {"json"}, "where": {"nosuch='1'"}}, &answer); status != 200 || answer.Error.Code != 400 {
		t.Errorf("%d %+v", status, answer)
	}
}
