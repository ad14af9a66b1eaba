package opendata_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"assay.dev/abc-worker/opendata"
	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/register/registertest"
	"assay.dev/abc-worker/soda"
	"assay.dev/contracts"
	service "assay.dev/sandbox/opendata"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	host     = "data.example"
	resource = "https://" + host + "/resource/abcd-1234.json"
)

// table is a data set of n licenses that dba names. One whose name is empty is not understood.
func table(t *testing.T, n int, dba func(int) string) opendata.Dataset {
	t.Helper()
	rows := make([]service.Row, n)
	for i := range rows {
		name, status := "CAFE OF NOBODY", "ODD"
		if n := dba(i); n != "" {
			name, status = n, "OK"
		}
		rows[i] = service.Row{fmt.Sprint(100_000 + i), name, status} // number, dba and status
	}
	deps := registertest.Deps(t, map[string]http.Handler{host: service.NewSoda(time.Now(), service.Dataset{
		ID: "abcd-1234", Columns: []string{"number", "dba", "status"}, Rows: func() []service.Row { return rows },
	})})
	client := soda.Client{Fetcher: deps.Fetcher}
	return opendata.SODA(client, resource, opendata.Dataset{
		Number: "number", DBA: "dba",
		Record: func(r soda.Row) (register.Record, bool) {
			l := contracts.LicenseRecord{LicenseNumber: r["number"], DBAName: r["dba"], Status: contracts.Active}
			return register.Record{LicenseRecord: l}, r["status"] == "OK"
		},
		After: func(number string) string { return "number>" + soda.Quote(number) },
		Count: opendata.CountByStatus(client, resource, "status", func(word string) bool { return word == "OK" }),
	})
}

var cafes = register.Question{Query: contracts.Query{DBAName: "cafe"}}

// walk searches to the end and counts the records.
func walk(t *testing.T, q register.Question, tables ...opendata.Dataset) (found int, readings []register.Reading) {
	t.Helper()
	for {
		r, err := opendata.Search(t.Context(), q, tables...)
		if err != nil {
			t.Fatal(err)
		}
		readings = append(readings, r)
		found += len(r.Records)
		if !r.More || len(r.Records) == 0 {
			return found, readings
		}
		q.After = r.Records[len(r.Records)-1].Position()
	}
}

// Names that differ from the query by accents only are counted by reading them.
func TestManyAccents(t *testing.T) {
	mixed := func(i int) string { return []string{"CAFE", "CAFÉ"}[i%2] + " ROMA" }
	found, readings := walk(t, cafes, table(t, 4600, mixed))
	if found != 4600 {
		t.Errorf("%d matches", found)
	}
	for _, r := range readings {
		if r.Total != 4600 || r.AccentsMissed {
			t.Errorf("%d of %d, accents missed %v", len(r.Records), r.Total, r.AccentsMissed)
		}
	}
	all := func(int) string { return "CAFÉ" }
	if r, err := opendata.Search(t.Context(), cafes, table(t, 5500, all)); err != nil || !r.AccentsMissed || !r.More {
		t.Errorf("more than are read: %d of %d, missed %v, %v", len(r.Records), r.Total, r.AccentsMissed, err)
	}
}

// A row that is not understood ends no search, and is told of on every page.
func TestRowsThatAreNotUnderstood(t *testing.T) {
	oddLast := func(i int) string {
		if i%1000 == 999 {
			return ""
		}
		return "CAFE"
	}
	found, readings := walk(t, cafes, table(t, 2500, oddLast))
	if found != 2498 {
		t.Errorf("%d matches", found)
	}
	for _, r := range readings {
		if r.Total != 2498 || r.Unclear != 2 {
			t.Errorf("%d of %d, %d unclear", len(r.Records), r.Total, r.Unclear)
		}
	}
}

// A service that does not keep the order cannot be asked for what follows, and the reading says so.
func TestRowsOutOfOrder(t *testing.T) {
	disordered := table(t, 2500, func(int) string { return "CAFE" })
	ask := disordered.Ask
	disordered.Ask = func(ctx context.Context, where string, limit int) (opendata.Answer, error) {
		a, err := ask(ctx, where, limit)
		slices.Reverse(a.Rows)
		return a, err
	}
	r, err := opendata.Search(t.Context(), cafes, disordered)
	if err != nil || r.Total != 2500 || len(r.Records) != soda.MaxRows || r.More || !strings.Contains(r.Cut, "first 1000") {
		t.Errorf("%d of %d, more %v, cut %q, %v", len(r.Records), r.Total, r.More, r.Cut, err)
	}
}
