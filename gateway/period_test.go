package gateway_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
)

func TestBadAndMixedDates(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	w := s.worker(contracts.Test)
	g, key := s.gateway(), s.key()
	future := string(testsBegan.AddDays(2))
	for query, want := range map[string]string{
		"as_of=2026-9-1":                                    "query.as_of date_parsing",
		"as_of=":                                            "query.as_of date_parsing",
		"as_of=2026-02-30":                                  "query.as_of date_parsing",
		"as_of=2026-09-01&as_of=2026-09-02":                 "query.as_of too_many_values",
		"as_of=" + future:                                   "query.as_of date_future",
		"as_of=2026-09-11&weeks=4":                          "query.weeks forms_mixed",
		"as_of=2026-09-11&from=2026-09-01":                  "query.as_of forms_mixed",
		"as_of=2026-09-11&from=2026-09-01&to=2026-09-02":    "query.as_of forms_mixed",
		"from=2026-09-01":                                   "query.to missing",
		"to=2026-09-01":                                     "query.from missing",
		"from=2026-09-01&to=2026-09-02&weeks=1":             "query.weeks forms_mixed",
		"from=2026-09-02&to=2026-09-01":                     "query.from date_order",
		"from=2026-09-01&to=" + future:                      "query.to date_future",
		"from=2023-08-19&to=2026-09-12":                     "query.from less_than_equal",
		"known_at=2026-09-11":                               "query.known_at forms_mixed",
		"weeks=4&known_at=2026-09-11":                       "query.known_at forms_mixed",
		"announced=true":                                    "query.announced forms_mixed",
		"as_of=2026-09-11&announced=yes":                    "query.announced bool_parsing",
		"as_of=2026-09-11&known_at=yesterday":               "query.known_at datetime_parsing",
		"as_of=2026-09-11&known_at=2026-09-11T10:00:00":     "query.known_at datetime_parsing",
		"as_of=2026-09-11&known_at=" + future:               "query.known_at date_future",
		"as_of=2026-09-11&known_at=2099-01-01T00:00:00Z":    "query.known_at date_future",
		"as_of=2026-09-11&known_at=9999-12-31":              "query.known_at date_future",
		"carriers=SAIA&as_of=2027-01-01&announced=true":     "query.as_of date_future",
		"carriers=SAIA,ABF&as_of=2027-01-01&announced=true": "query.as_of date_future",
		"from=2026-12-01&to=2027-01-01&announced=true":      "query.to date_future",
		"as_of=2026-09-11&from=x&known_at=y&announced=z":    "query.announced bool_parsing, query.as_of forms_mixed, query.from date_parsing, query.known_at datetime_parsing",
	} {
		if r := g.get(key, surchargePath+"?"+query); r.StatusCode != http.StatusUnprocessableEntity || r.violations() != want {
			t.Errorf("%s: %d %s, want %s", query, r.StatusCode, r.body, want)
		}
	}
	g.get(key, surchargePath+"?carriers=ODFL&from=2023-08-20&to=2026-09-12") // 160 weeks to the day
	if q := w.lastPeriod.Load(); q == nil || q.To.DaysSince(q.From) != 7*160-1 {
		t.Errorf("asked %+v", q)
	}
}

// Some clients and agents send the defaults of all schemas, beside whatever else they ask.
func TestTheDefaultsOfTheDocumentAreTaken(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Test)
	g, key := s.gateway(), s.key()
	for _, e := range api.Endpoints {
		defaults := ""
		for _, p := range e.Parameters {
			if p.Schema.Default != nil {
				defaults += "&" + p.Name + "=" + string(p.Schema.Default)
			}
		}
		switch e.ID {
		case "getFuelSurcharge":
			for _, query := range []string{"?as_of=2026-09-11", "?from=2026-09-01&to=2026-09-11", "?weeks=1"} {
				if r := g.get(key, e.Path+query+"&carriers=ODFL"+defaults); r.StatusCode != http.StatusOK {
					t.Errorf("%s%s: %d %s", query, defaults, r.StatusCode, r.body)
				}
			}
		case "auditFuelSurcharges":
			line := `{"id":"1","carrier":"ODFL","ship_date":"2026-09-11","tolerance_points":"1","tolerance_amount":"1","dry_run":true}`
			if r := g.post(key, e.Path+"?"+defaults, "application/json", line); r.StatusCode != http.StatusOK {
				t.Errorf("%s: %d %s", defaults, r.StatusCode, r.body)
			}
		}
	}
}

func TestPeriods(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	w := s.worker(contracts.Test)
	g, key := s.gateway(), s.key()
	one := g.get(key, surchargePath+"?carriers=ODFL&as_of=2026-09-11")
	body := decode[contracts.Surcharge](t, one.body)
	if one.StatusCode != http.StatusOK || len(body.Weeks) != 1 || body.Weeks[0].EffectiveDate != "2026-09-09" || body.Weeks[0].EndDate != "2026-09-15" {
		t.Errorf("%d %s", one.StatusCode, one.body)
	}
	if v := body.Verifiability; v.Current != nil || !v.Complete || v.ExtractionConfidence != 1 {
		t.Errorf("%+v", v)
	}
	if asked := w.asked.Load(); g.get(key, surchargePath+"?carriers=ODFL&as_of=2026-09-11").Header.Get("ETag") != one.Header.Get("ETag") || w.asked.Load() != asked {
		t.Error("the gateway asks again for what it was just told")
	}
	for _, truth := range []string{"true", "True", "1"} { // as other parameters that are true or false
		if g.get(key, surchargePath+"?carriers=SAIA&as_of=2026-09-11&announced="+truth); !w.lastPeriod.Load().Announced {
			t.Errorf("announced=%s is none", truth)
		}
	}
	g.get(key, surchargePath+"?carriers=ODFL&as_of=2026-09-11&known_at=2026-09-10")
	if at := w.lastPeriod.Load().KnownAt; at == nil || !at.Equal(time.Date(2026, 9, 11, 3, 59, 59, 0, time.UTC)) {
		t.Errorf("the end of 2026-09-10 in New York is taken for %v", at)
	}
	g.get(key, surchargePath+"?carriers=ODFL&as_of=2026-09-11&known_at=2026-09-10T12:00:00%2B02:00")
	if at := w.lastPeriod.Load().KnownAt; at == nil || !at.Equal(time.Date(2026, 9, 10, 10, 0, 0, 0, time.UTC)) {
		t.Errorf("asked for %v", at)
	}
	gap := decode[contracts.Surcharge](t, g.get(key, surchargePath+"?carriers=ODFL&from=2026-08-30&to=2026-09-12").body)
	if len(gap.Weeks) != 2 || gap.Verifiability.Complete {
		t.Errorf("a range with a gap: %+v", gap)
	}
}

func TestWeeksThatAreNotArchived(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	w := s.worker(contracts.Test)
	g, key := s.gateway(), s.key()
	r := g.get(key, surchargePath+"?carriers=TFORCE&as_of=2026-09-11")
	if r.StatusCode != http.StatusNotFound || r.code() != contracts.WeekNotArchived {
		t.Errorf("%d %s", r.StatusCode, r.body)
	}
	some := g.get(key, surchargePath+"?carriers=TFORCE,ODFL&as_of=2026-09-11")
	body := decode[contracts.Surcharges](t, some.body)
	if some.StatusCode != http.StatusOK || len(body.Results) != 1 || len(body.Errors) != 1 || body.Errors[0].Error != contracts.WeekNotArchived {
		t.Errorf("%d %s", some.StatusCode, some.body)
	}
	none := g.get(key, surchargePath+"?carriers=TFORCE,ODFL&as_of=2020-01-01")
	body = decode[contracts.Surcharges](t, none.body)
	if none.StatusCode != http.StatusNotFound || none.code() != contracts.WeekNotArchived || len(body.Errors) != 2 {
		t.Errorf("%d %s", none.StatusCode, none.body)
	}
	w.fail.Store(contracts.Errorf(contracts.SourceUnavailable, "down").After(time.Minute))
	down := g.get(key, surchargePath+"?carriers=TFORCE,ODFL&as_of=2020-01-02")
	if down.StatusCode != http.StatusServiceUnavailable || down.Header.Get("Retry-After") != "60" {
		t.Errorf("%d %v %s", down.StatusCode, down.Header, down.body)
	}
}

// An agent has the parameters of REST, and is told not to take another week's rate.
func TestToolTakesDates(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Test)
	g, key := s.gateway(), s.key()
	for arguments, want := range map[string]string{
		`{"carrier":"ODFL","as_of":"2026-09-11"}`:                                                            `\"end_date\":\"2026-09-15\"`,
		`{"carrier":"ODFL","from":"2026-09-02","to":"2026-09-11","known_at":"2026-10-01","announced":false}`: `\"effective_date\":\"2026-09-02\"`,
		`{"carrier":"TFORCE","as_of":"2026-09-11"}`:                                                          "Never take their rate for it",
		`{"carrier":"ODFL","as_of":"2026-09-11","weeks":2}`:                                                  "weeks asks for the newest weeks",
	} {
		r := g.message(stateless, "/mcp/ltl", key, toolsCall(stateless, "get_fuel_surcharge", arguments))
		if r.StatusCode != http.StatusOK || !strings.Contains(string(r.body), want) {
			t.Errorf("%s: %d %s", arguments, r.StatusCode, r.body)
		}
	}
}
