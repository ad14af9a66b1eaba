package diesel_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/diesel"
	"assay.dev/platform/bustest"
	"assay.dev/platform/kv"
)

func TestReadSeries(t *testing.T) {
	t.Parallel()
	const head = "observation_date,GASDESW\n"
	for name, c := range map[string]struct{ doc, want string }{
		"as it is":                  {head + "2026-09-14,6.285\n2026-09-21,6.529\n", "[{2026-09-14 6.285} {2026-09-21 6.529}] 2/2"},
		"a price not published":     {head + "2026-09-14,.\n2026-09-21,6.529\n", "[{2026-09-21 6.529}] 1/1"},
		"a price that is none":      {head + "2026-09-14,high\n2026-09-21,6.529\n", "[{2026-09-21 6.529}] 1/2"},
		"a price in cents":          {head + "2026-09-14,628.5\n2026-09-21,6.529\n", "[{2026-09-21 6.529}] 1/2"},
		"a day that is no Monday":   {head + "2026-09-15,6.285\n2026-09-21,6.529\n", "[{2026-09-21 6.529}] 1/2"},
		"a day twice":               {head + "2026-09-21,6.529\n2026-09-21,6.530\n", "[{2026-09-21 6.529}] 1/2"},
		"another series":            {"observation_date,GASREGW\n2026-09-21,4.529\n", "other columns"},
		"no rows":                   {head, "no rows"},
		"nothing that can be read":  {head + "2026-09-21,high\n", "no price that can be read"},
		"a page in place of a file": {"<!DOCTYPE html><html>", "no CSV of two columns"},
		"three columns":             {"observation_date,GASDESW,x\n2026-09-21,6.529,1\n", "no CSV of two columns"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := diesel.ReadSeries([]byte(c.doc))
			text := fmt.Sprint(err)
			if err == nil {
				text = fmt.Sprintf("%v %d/%d", got.Weeks, got.Clean, got.Required)
			}
			if !strings.Contains(text, c.want) {
				t.Errorf("%s, want %s", text, c.want)
			}
		})
	}
}

func TestReadFeed(t *testing.T) {
	t.Parallel()
	const feed = `<description><![CDATA[Data For 09/21/26<br/>
Regular Gasoline Retail Price <br/>
4.896  .. U.S. <br/>
4.937  .. East Coast <br/>
<br/>
On-Highway Diesel Fuel Retail Price <br/>
($/gallon)<br/>
6.529  .. U.S. <br/>
6.570  .. East Coast <br/>
]]></description>`
	got, err := diesel.ReadFeed(feed)
	if err != nil || len(got.Weeks) != 1 || got.Weeks[0] != (diesel.Week{Monday: "2026-09-21", USD: 6.529}) {
		t.Errorf("%v %v", err, got)
	}
	for name, edit := range map[string][2]string{
		"no diesel":           {"On-Highway Diesel Fuel Retail Price", "Propane"},
		"no national price":   {"6.529  .. U.S.", "6.529  .. Canada"},
		"two national prices": {"6.570  .. East Coast", "6.570  .. U.S."},
		"no date":             {"Data For 09/21/26", "Data"},
		"a day that is none":  {"09/21/26", "13/41/26"},
		"not a Monday":        {"09/21/26", "09/22/26"},
	} {
		if got, err := diesel.ReadFeed(strings.Replace(feed, edit[0], edit[1], 1)); err == nil {
			t.Errorf("%s: %v", name, got.Weeks)
		}
	}
}

// A price keeps the moment at which it was first seen; another price of the same Monday is seen for the first time.
func TestArchive(t *testing.T) {
	t.Parallel()
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	bucket, err := kv.Open(t.Context(), js, contracts.TariffsBucket)
	if err != nil {
		t.Fatal(err)
	}
	a := diesel.NewArchive(contracts.Test, js, bucket)
	first := time.Date(2026, 1, 6, 15, 0, 0, 5, time.UTC)
	for i, seen := range [][]diesel.Week{
		{{"2025-12-29", 3.5}, {"2026-01-05", 3.6}},
		{{"2025-12-29", 3.5}, {"2026-01-05", 3.61}, {"2026-01-12", 3.7}},
		{{"2026-01-05", 3.61}},
	} {
		if err := a.Observe(t.Context(), seen, first.AddDate(0, 0, 7*i)); err != nil {
			t.Fatal(err)
		}
	}
	weeks, err := a.Weeks(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, w := range weeks {
		got += fmt.Sprintf("%s %.3f %s\n", w.Date, w.USD, w.FirstSeen.Format(time.RFC3339Nano))
	}
	want := "2026-01-12 3.700 2026-01-13T15:00:00Z\n2026-01-05 3.610 2026-01-13T15:00:00Z\n2025-12-29 3.500 2026-01-06T15:00:00Z\n"
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if other, err := diesel.NewArchive(contracts.Live, js, bucket).Weeks(t.Context()); err != nil || len(other) > 0 {
		t.Errorf("live has what test saw: %v %v", err, other)
	}
	if _, err := bucket.Put(t.Context(), "test.diesel.2024", []byte("{")); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Weeks(t.Context()); err == nil {
		t.Error("a damaged year is passed over")
	}
}

func FuzzReadSeries(f *testing.F) {
	f.Add([]byte("observation_date,GASDESW\n2026-09-14,6.285\n2026-09-21,.\n"))
	f.Fuzz(func(t *testing.T, doc []byte) {
		got, err := diesel.ReadSeries(doc)
		for i, w := range got.Weeks {
			if err != nil || w.USD < 0.5 || w.USD > 20 || i > 0 && w.Monday <= got.Weeks[i-1].Monday {
				t.Errorf("%v %v", err, got.Weeks)
			}
		}
	})
}

func FuzzReadFeed(f *testing.F) {
	f.Add("Data For 09/21/26<br/>On-Highway Diesel Fuel Retail Price <br/>\n6.529  .. U.S. <br/>\n")
	f.Fuzz(func(t *testing.T, feed string) {
		if got, err := diesel.ReadFeed(feed); err == nil && len(got.Weeks) != 1 {
			t.Errorf("%v", got.Weeks)
		}
	})
}
