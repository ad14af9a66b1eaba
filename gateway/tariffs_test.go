package gateway_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
)

// tariffWorker answers for one table and two prices.
func (s *system) tariffWorker(env contracts.Environment) {
	s.t.Helper()
	now := time.Now().UTC().Truncate(time.Second)
	provenance := contracts.Provenance{
		Schema: contracts.AnswerSchema, ReadAt: now.Add(-time.Minute), ExpiresAt: now.Add(time.Hour),
		Method: contracts.StructuredParse, EvidenceURL: "https://carrier.test/table", Complete: true,
	}
	double := 50.5
	rows := []contracts.Bracket{{AtLeastUSD: 3, LessThanUSD: 3.05, Percent: 25.25, TruckloadPercent: &double}, {AtLeastUSD: 3.05, LessThanUSD: 3.1, Percent: 25.75}}
	endpoints := []bus.Endpoint{
		bus.Handle("table-ESTES", contracts.FuelTableSubject(env, contracts.ESTES), func(_ context.Context, q contracts.FuelTableRequest) (contracts.FuelTableAnswer, error) {
			if q.AsOf > "2100-01-01" {
				return contracts.FuelTableAnswer{}, contracts.Invalid("query", "as_of", "less_than_equal", "as_of may be today at most")
			}
			return contracts.FuelTableAnswer{
				Provenance: provenance, Tally: contracts.TallyOf(true), Carrier: q.Carrier, Edition: contracts.Edition{FirstSeen: &now, LastSeen: &now}, Rows: rows,
			}, nil
		}),
		bus.Handle("table-SAIA", contracts.FuelTableSubject(env, contracts.SAIA), func(context.Context, contracts.FuelTableRequest) (contracts.FuelTableAnswer, error) {
			return contracts.FuelTableAnswer{}, contracts.Errorf(contracts.NotFound, "SAIA is not known to publish a table of brackets")
		}),
		bus.Handle("diesel", contracts.DieselSubject(env), func(_ context.Context, q contracts.DieselRequest) (contracts.DieselAnswer, error) {
			return contracts.DieselAnswer{
				Provenance: provenance, Tally: contracts.TallyOf(true), Due: "2026-09-21",
				Weeks: []contracts.DieselWeek{{Date: "2026-09-21", USD: 6.529, FirstSeen: &now}, {Date: "2026-09-14", USD: 6.285}},
			}.Between(q), nil
		}),
	}
	s.serve("tariffs-"+string(env), endpoints...)
}

// The rows, the prices and their CSV, as a client gets them.
func TestTablesAndPrices(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.tariffWorker(contracts.Test)
	g := s.gateway()
	key := g.key()

	table := decode[contracts.FuelTable](t, g.get(key, "/v1/ltl/fuel-tables?carrier=estes").body)
	if len(table.Rows) != 2 || table.Rows[0].Percent != 25.25 || table.Extension != nil || table.Edition.LastSeen == nil || table.Verifiability.ExtractionConfidence != 1 {
		t.Errorf("%+v", table)
	}
	rows := g.get(key, "/v1/ltl/fuel-tables?carrier=ESTES&as_of=2026-03-17&format=csv").rows(t)
	if len(rows) != 2 {
		t.Fatalf("%v", rows)
	}
	checkRow(t, rows[0], map[string]string{
		"carrier": "ESTES", "at_least_usd": "3", "less_than_usd": "3.05", "ltl_pct": "25.25", "truckload_pct": "50.5", "extension_above_step_pct": "", "edition_tariff": "",
	})
	prices := decode[contracts.Diesel](t, g.get(key, "/v1/ltl/diesel?from=2026-09-20&to=2026-09-22").body)
	if len(prices.Weeks) != 1 || prices.Weeks[0].USD != 6.529 || prices.Weeks[0].FirstSeen == nil || !prices.Verifiability.Complete {
		t.Errorf("%+v", prices)
	}
	lines := g.get(key, "/v1/ltl/diesel?from=2026-09-01&to=2026-09-22&format=csv").rows(t)
	if len(lines) != 2 {
		t.Fatalf("%v", lines)
	}
	checkRow(t, lines[1], map[string]string{"date": "2026-09-14", "usd_per_gallon": "6.285", "first_seen": "", "_verifiability_complete": "false"})
}

func TestTablesAndPricesRefuse(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.tariffWorker(contracts.Test)
	g := s.gateway()
	key := g.key()
	for target, want := range map[string]string{
		"fuel-tables":                                       "query.carrier missing",
		"fuel-tables?carrier=ESTES,ABF":                     "NOT_FOUND",
		"fuel-tables?carrier=NOBODY":                        "NOT_FOUND",
		"fuel-tables?carrier=SAIA":                          "NOT_FOUND",
		"fuel-tables?carrier=ESTES&as_of=17.3.2026":         "query.as_of date_parsing",
		"fuel-tables?carrier=ESTES&as_of=2026-02-30":        "query.as_of date_parsing",
		"fuel-tables?carrier=ESTES&as_of=2101-01-01":        "query.as_of less_than_equal",
		"fuel-tables?carrier=ESTES&carriers=ABF":            "query.carriers extra_forbidden",
		"diesel":                                            "query.from missing, query.to missing",
		"diesel?from=2026-01-01":                            "query.to missing",
		"diesel?from=2026-03-01&to=2026-01-01":              "query.from date_order",
		"diesel?from=2020-01-01&to=2026-01-01":              "query.from less_than_equal",
		"diesel?from=2026-01-01&to=2026-02-01&as_of=2026-0": "query.as_of extra_forbidden",
	} {
		r := g.get(key, "/v1/ltl/"+target)
		if got := string(r.code()) + r.violations(); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %d %s, want %s", target, r.StatusCode, r.body, want)
		}
	}
}

// Each answer to a live key is billed as one, and those to a test key are counted together.
func TestTablesAndPricesAreBilled(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.tariffWorker(contracts.Live)
	s.tariffWorker(contracts.Test)
	g := s.gateway()
	live, test := g.key(live), g.key()
	for _, target := range []string{"/v1/ltl/fuel-tables?carrier=ESTES", "/v1/ltl/diesel?from=2026-09-20&to=2026-09-22&format=csv", "/v1/ltl/fuel-tables?carrier=SAIA"} {
		g.get(live, target)
		g.get(test, target)
	}
	if err := g.stop(); err != nil { // what is billed is reported by then
		t.Fatal(err)
	}
	stream, err := s.js.Stream(t.Context(), contracts.UsageStream.Name)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := stream.Info(t.Context()); err != nil || info.State.Msgs != 3 {
		t.Errorf("%v, %+v; want two answers, and a count of those to the test key", err, info.State)
	}
}
