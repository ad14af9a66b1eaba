package soda

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"assay.dev/platform/scrape"
	"assay.dev/platform/scrape/scrapetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// client asks a service that gives the answers in turn; the last one again and again.
func client(t *testing.T, seen *[]*http.Request, answers ...func(http.ResponseWriter)) Client {
	t.Helper()
	n := 0
	in := scrapetest.Start(t, map[string]http.Handler{"data.example": http.HandlerFunc(func(w http.ResponseWriter,
		r *http.Request) {
		*seen = append(*seen, r)
		answers[min(n, len(answers)-1)](w)
		n++
	})})
	f, err := scrape.NewFetcher(in.Config(), scrape.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return Client{Fetcher: f, Token: "the-token"}
}

func says(status int, body string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) { w.WriteHeader(status); _, _ = io.WriteString(w, body) }
}

const resource = "https://data.example/resource/7hf9-qc9f.json"

func TestAsk(t *testing.T) {
	var seen []*http.Request
	c := client(t, &seen, says(http.StatusOK, `[{"a":"x","n":12.5,"null":null,"place":{"type":"Point"},"yes":true}]`))
	a, err := c.Ask(t.Context(), resource, Query{Where: Equal("owner", "O'X & Y"), Order: "license_id", Limit: 20})
	if err != nil || len(a.Rows) != 1 || len(a.Rows[0]) != 2 || a.Rows[0]["n"] != "12.5" || a.Full(Query{Limit: 20}) ||
		!a.Full(Query{Limit: 1}) {
		t.Fatalf("%+v, %v", a, err)
	}
	if got := seen[0].URL.RawQuery; got != "$where=upper%28owner%29%3D%27O%27%27X%20%26%20Y%27&$order=license_id&$limit=20" {
		t.Errorf("asked with %s", got)
	}
	if seen[0].Header.Get("X-App-Token") != "the-token" || strings.Contains(a.URL, "token") {
		t.Errorf("token %q, evidence %s", seen[0].Header.Get("X-App-Token"), a.URL)
	}
}

func TestPatience(t *testing.T) {
	var seen []*http.Request
	c := client(t, &seen, says(http.StatusAccepted, ""),
		says(http.StatusTooManyRequests, `{"code":"throttled","error":true,"message":"Too many"}`), says(http.StatusOK, "[]"))
	if a, err := c.Ask(t.Context(), resource, Query{}); err != nil || len(a.Rows) != 0 || len(seen) != 3 {
		t.Errorf("%+v, %v after %d requests", a, err, len(seen))
	}
	c = client(t, &seen, says(http.StatusTooManyRequests, "{}"))
	// in the second pause, which begins after one second and is of two
	ctx, cancel := context.WithTimeout(t.Context(), 2500*time.Millisecond)
	defer cancel()
	if _, err := c.Ask(ctx, resource, Query{}); scrape.KindOf(err) != scrape.Throttled {
		t.Errorf("no end of it: %v", err)
	}
}

func TestRefusals(t *testing.T) {
	for name, tt := range map[string]struct {
		status int
		body   string
		code   string
		kind   scrape.Kind
	}{
		"schema drift": {400, `{"message":"No such column: x","errorCode":"query.soql.no-such-column","data":{"column":"x"}}`, "query.soql.no-such-column", scrape.Changed},
		"no such data": {404, `{"code":"dataset.missing","error":true,"message":"Not found","data":{}}`,
			"dataset.missing", scrape.Changed},
		"error as page":   {200, `{"code":"internal","error":true,"message":"x"}`, "internal", scrape.Changed},
		"no rows at all":  {200, `null`, "", scrape.Changed},
		"not JSON":        {200, `<html>`, "", scrape.Changed},
		"rows of numbers": {200, `[1,2]`, "", scrape.Changed},
		"an open list":    {200, `[{"a":"x"}`, "", scrape.Changed},
		"a list and more": {200, `[{"a":"x"}]]`, "", scrape.Changed},
		"too many rows":   {200, `[` + strings.Repeat(`{},`, 10_000) + `{}]`, "", scrape.Changed},
		"a row too long":  {200, `[{"a":"` + strings.Repeat("x", 64<<10) + `"}]`, "", scrape.Changed},
		"a row too wide":  {200, `[{` + columns(501) + `}]`, "", scrape.Changed},
		"their failure":   {502, `oops`, "", scrape.Unreachable},
	} {
		t.Run(name, func(t *testing.T) {
			var seen []*http.Request
			c := client(t, &seen, says(tt.status, tt.body))
			_, err := c.Ask(t.Context(), resource, Query{})
			var refusal *Refusal
			if errors.As(err, &refusal) != (tt.code != "") || refusal != nil && refusal.Code != tt.code ||
				scrape.KindOf(err) != tt.kind || len(seen) != 1 {
				t.Errorf("%v after %d requests", err, len(seen))
			}
		})
	}
}

// columns are so many members of an object, of 1 each.
func columns(number int) string {
	var out strings.Builder
	for i := range number {
		fmt.Fprintf(&out, `,"c%d":"1"`, i)
	}
	return out.String()[1:]
}

func TestLargestAnswer(t *testing.T) {
	rows, err := decode([]byte(`[{` + columns(500) + `}` + strings.Repeat(`,{}`, 9_999) + `]`))
	if err != nil || len(rows) != 10_000 || len(rows[0]) != 500 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}

func TestCount(t *testing.T) {
	var seen []*http.Request
	c := client(t, &seen, says(http.StatusOK, `[{"matches":"126161"}]`), says(http.StatusOK, `[{"other":"1"}]`))
	if n, err := c.Count(t.Context(), resource, "a='b'"); n != 126161 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if _, err := c.Count(t.Context(), resource, "a='b'"); scrape.KindOf(err) != scrape.Changed {
		t.Errorf("%v", err)
	}
}

func TestCountBy(t *testing.T) {
	var seen []*http.Request
	c := client(t, &seen, says(http.StatusOK, `[{"matches":"1"},{"status":"Active","matches":"7"},{"status":"Under Review","matches":2}]`),
		says(http.StatusOK, `[{"status":"Active"}]`), says(http.StatusOK, `[{"status":"Active","matches":"-1"}]`),
		says(http.StatusOK, `[`+strings.Repeat(`{"matches":"1"},`, 999)+`{"matches":"1"}]`))
	counts, err := c.CountBy(t.Context(), resource, "a='b'", "status")
	if err != nil || len(counts) != 3 || counts["Active"] != 7 || counts["Under Review"] != 2 || counts[""] != 1 {
		t.Errorf("%v, %v", counts, err)
	}
	if got := seen[0].URL.Query(); got.Get("$select") != "status,count(*) as matches" || got.Get("$group") != "status" || got.Get("$where") != "a='b'" {
		t.Errorf("asked with %v", got)
	}
	for _, odd := range []string{"no number", "a negative one", "too many texts"} {
		if counts, err := c.CountBy(t.Context(), resource, "a='b'", "status"); scrape.KindOf(err) != scrape.Changed {
			t.Errorf("%s: %v, %v", odd, counts, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`[{"a":"x","b":1,"c":null,"d":{},"e":[1]}]`))
	f.Add([]byte(`{"message":"x","errorCode":"y","data":{}}`))
	f.Add([]byte(`{"code":"x","error":true}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		if rows, err := decode(body); err != nil && scrape.KindOf(err) != scrape.Changed || err == nil && rows == nil {
			t.Errorf("%v, %v", rows, err)
		}
	})
}
