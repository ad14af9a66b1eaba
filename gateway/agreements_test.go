package gateway_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/audit"
	"assay.dev/gateway/kept"
	"assay.dev/platform/bus"
)

const contractsPath = "/v1/ltl/contracts"

// sendBody sends a body by a method.
func (g *runningGateway) sendBody(method, key, target, mediaType, body string, headers ...string) *response {
	g.t.Helper()
	req, err := http.NewRequestWithContext(g.t.Context(), method, g.url+target, strings.NewReader(body))
	if err != nil {
		g.t.Fatal(err)
	}
	req.Header = http.Header{"Content-Type": {mediaType}, "X-Api-Key": {key}}
	if method == http.MethodDelete {
		req.Body, req.ContentLength = nil, 0
	}
	r, err := g.send(req, headers)
	if err != nil {
		g.t.Fatal(err)
	}
	g.spec.check(g.t, r.Response, r.body)
	return r
}

func (g *runningGateway) putContract(key, name, terms string) *response {
	g.t.Helper()
	return g.sendBody(http.MethodPut, key, contractsPath+"/"+name, "application/json", `{"terms":[`+terms+`]}`)
}

const ownBrackets = `{"carrier":"ODFL","from":"2020-01-01","basis":"brackets","brackets":[{"from_usd":"1","to_usd":"6.3","pct":"30"},{"from_usd":"6.3","pct":"31.5"}]}`

// A contract is put, read, listed, replaced and deleted, through any gateway, by its tenant alone and in its environment alone.
func TestContractsAreKept(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	one, other := s.gateway(), s.gateway()
	key, stranger, alive := s.key(tenant("acme")), s.key(tenant("other")), s.key(live, tenant("acme"))
	if r := one.get(key, contractsPath); r.StatusCode != 200 || string(r.body) != `{"contracts":[]}` {
		t.Fatalf("%d %s", r.StatusCode, r.body)
	}
	for i, terms := range []string{`{"carrier":"SAIA","from":"2026-01-01","basis":"published"}`, ownBrackets} {
		r := one.putContract(key, "main", terms)
		kept := decode[kept.KeptContract](t, r.body)
		if r.StatusCode != []int{201, 200}[i] || r.Header.Get("Location") != []string{contractsPath + "/main", ""}[i] || kept.Name != "main" || len(kept.Terms) != 1 || time.Since(kept.UpdatedAt) > time.Minute {
			t.Fatalf("%d %s", r.StatusCode, r.body)
		}
	}
	if r := other.get(key, contractsPath+"/main"); r.StatusCode != 200 || !strings.Contains(string(r.body), `"pct":"31.50"`) || strings.Contains(string(r.body), "SAIA") {
		t.Errorf("%d %s", r.StatusCode, r.body)
	}
	list := decode[api.Contracts](t, other.get(key, contractsPath).body)
	if len(list.Contracts) != 1 || list.Contracts[0].Name != "main" || list.Contracts[0].Terms != 1 {
		t.Errorf("%+v", list)
	}
	for who, k := range map[string]string{"another tenant": stranger, "the other environment": alive} {
		for _, r := range []*response{one.get(k, contractsPath+"/main"), one.sendBody(http.MethodDelete, k, contractsPath+"/main", "", "")} {
			if r.StatusCode != 404 || !strings.Contains(string(r.body), `"reason":"NAME"`) {
				t.Errorf("%s: %d %s", who, r.StatusCode, r.body)
			}
		}
		if r := one.get(k, contractsPath); string(r.body) != `{"contracts":[]}` {
			t.Errorf("%s: %s", who, r.body)
		}
	}
	if r := other.sendBody(http.MethodDelete, key, contractsPath+"/main", "", ""); r.StatusCode != 200 || string(r.body) != `{"deleted":"main"}` {
		t.Errorf("%d %s", r.StatusCode, r.body)
	}
	for _, r := range []*response{one.get(key, contractsPath+"/main"), one.sendBody(http.MethodDelete, key, contractsPath+"/main", "", "")} {
		if r.StatusCode != 404 {
			t.Errorf("%d %s", r.StatusCode, r.body)
		}
	}
	if r := one.get(key, contractsPath); string(r.body) != `{"contracts":[]}` {
		t.Errorf("%s", r.body)
	}
}

func TestContractsRefuse(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.priceWorker(contracts.Test)
	g := s.gateway()
	key := s.key(limit(1000))
	for name, c := range map[string]struct {
		name, mediaType, body string
		status                int
		want                  string
	}{
		"a name":            {"A%20b", "application/json", `{"terms":[` + ownBrackets + `]}`, 422, "path.name string_pattern_mismatch"},
		"no JSON":           {"a", "application/json", `{`, 422, "body.terms unreadable_body"},
		"an unknown member": {"a", "application/json", `{"terms":[{"carrier":"ODFL","from":"2026-01-01","basis":"published","discount":1}]}`, 422, "unknown field"},
		"more":              {"a", "application/json", `{"terms":[` + ownBrackets + `]}{}`, 422, "more follows"},
		"no terms":          {"a", "application/json", `{"terms":[]}`, 422, "want 1 to 200 terms"},
		"an overlap":        {"a", "application/json", `{"terms":[` + ownBrackets + "," + ownBrackets + `]}`, 422, "term 1 and term 2 of ODFL are both for 2020-01-01"},
		"a wrong number":    {"a", "application/json", `{"terms":[{"carrier":"ODFL","from":"2026-01-01","basis":"published","cap_pct":"x"}]}`, 422, "want a decimal number"},
		"no table":          {"a", "application/json", `{"terms":[{"carrier":"RLC","from":"2026-01-01","basis":"table_as_of","as_of":"2026-01-05"}]}`, 422, "RLC publishes no table"},
		"a fraction":        {"a", "application/json", `{"terms":[{"carrier":"ODFL","from":"2026-01-01","basis":"published","cap_pct":"0.4"}]}`, 422, "body.terms.0.cap_pct"},
		"another form":      {"a", "text/csv", "x", 415, "UNSUPPORTED_MEDIA_TYPE"},
		"too large":         {"a", "application/json", strings.Repeat(" ", api.MaxContract+1), 413, "REQUEST_TOO_LARGE"},
	} {
		if r := g.sendBody(http.MethodPut, key, contractsPath+"/"+c.name, c.mediaType, c.body); r.StatusCode != c.status || !strings.Contains(string(r.body)+r.violations(), c.want) {
			t.Errorf("%s: %d %s, want %d %s", name, r.StatusCode, r.body, c.status, c.want)
		}
	}
	for n := range kept.MaxContracts + 1 {
		r := g.putContract(key, fmt.Sprintf("c%d", n), ownBrackets)
		if want := map[bool]int{true: 201, false: 422}[n < kept.MaxContracts]; r.StatusCode != want {
			t.Fatalf("%d: %d %s", n, r.StatusCode, r.body)
		}
	}
	for header, want := range map[string]string{
		"If-Match": "takes no conditions", "If-None-Match": "takes no conditions", "If-Unmodified-Since": "takes no conditions",
		"Idempotency-Key": "means something at POST /v1/ltl/audit, POST /v1/abc/match, POST /v1/abc/delivery",
	} {
		for _, method := range []string{http.MethodPut, http.MethodDelete} {
			r := g.sendBody(method, key, contractsPath+"/c1", "application/json", `{"terms":[]}`, header, "*")
			if r.violations() != "header."+header+" not_supported" || !strings.Contains(string(r.body), want) {
				t.Errorf("%s with %s: %d %s", method, header, r.StatusCode, r.body)
			}
		}
	}
	if r := g.do(http.MethodPost, key, contractsPath+"/c1"); r.StatusCode != 405 || !strings.Contains(string(r.body), "use GET or HEAD or PUT or DELETE") {
		t.Errorf("%d %s", r.StatusCode, r.body)
	}
}

// priceWorker answers with prices of diesel for the Mondays of some weeks, and with one table of ODFL's.
func (s *system) priceWorker(env contracts.Environment) {
	s.t.Helper()
	provenance := contracts.Provenance{Schema: contracts.AnswerSchema, ReadAt: time.Now(), ExpiresAt: time.Now().Add(time.Hour), Method: contracts.APIMirror, Complete: true}
	s.serve("prices-"+string(env),
		bus.Handle("diesel", contracts.DieselSubject(env), func(_ context.Context, q contracts.DieselRequest) (contracts.DieselAnswer, error) {
			a := contracts.DieselAnswer{Provenance: provenance, Tally: contracts.TallyOf(true), Due: q.To}
			for day := q.From; day <= q.To; day = day.AddDays(1) {
				if day.Time().Weekday() == time.Monday {
					a.Weeks = append(a.Weeks, contracts.DieselWeek{Date: day, USD: 6.285})
				}
			}
			return a, q.Validate()
		}),
		bus.Handle("no-table", contracts.FuelTableSubject(env, contracts.RLC), func(context.Context, contracts.FuelTableRequest) (contracts.FuelTableAnswer, error) {
			return contracts.FuelTableAnswer{}, contracts.Missing(contracts.TableUnknown, "no table of RLC")
		}),
		bus.Handle("table", contracts.FuelTableSubject(env, contracts.ODFL), func(_ context.Context, q contracts.FuelTableRequest) (contracts.FuelTableAnswer, error) {
			if q.AsOf != "2026-01-05" {
				return contracts.FuelTableAnswer{}, contracts.Errorf(contracts.WeekNotArchived, "no table of that day")
			}
			return contracts.FuelTableAnswer{
				Provenance: provenance, Tally: contracts.TallyOf(true), Carrier: q.Carrier, Rows: []contracts.Bracket{{AtLeastUSD: 6, LessThanUSD: 7, Percent: 40}},
			}, nil
		}))
}

// An audit under a contract goes by its terms: the carrier's week, the price of diesel, a table as it stood. What cannot be known is
// UNRESOLVED and free.
func TestAuditUnderAContract(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.archiveWorker(contracts.Live)
	s.priceWorker(contracts.Live)
	g := s.gateway()
	key := s.key(live)
	day := archivedFirst.AddDays(7*300 + 2)
	published := audit.PublishedPoints(archivedPercent(contracts.SAIA, 300))
	five := audit.Points(50_000)
	for name, terms := range map[string]string{
		"mixed": `{"carrier":"SAIA","from":"2010-01-01","basis":"published","discount_points":"5"},` + strings.Replace(ownBrackets, "2020-01-01", "2010-01-01", 1),
		"table": `{"carrier":"ODFL","from":"2010-01-01","basis":"table_as_of","as_of":"2026-01-05","multiplier":"0.9"}`,
		"gone":  `{"carrier":"ODFL","from":"2010-01-01","basis":"table_as_of","as_of":"2026-01-06"}`,
	} {
		if r := g.putContract(key, name, terms); r.StatusCode/100 != 2 {
			t.Fatalf("%d %s", r.StatusCode, r.body)
		}
	}
	line := func(carrier, percent string) string {
		return fmt.Sprintf(`{"id":"1","carrier":%q,"ship_date":%q,"base_amount":"1000","billed_pct":%q}`, carrier, day, percent)
	}
	for name, c := range map[string]struct{ target, body, want string }{
		"published": {"?contract=mixed", line("SAIA", (published - five).String()), `"verdict":"MATCH"`},
		"brackets":  {"?contract=mixed", line("ODFL", "30"), `"formula":"term 2 of mixed, diesel 6.285 of `},
		"too much":  {"?contract=mixed", line("ODFL", "31"), `"verdict":"OVERBILLED"`},
		"no term":   {"?contract=mixed", line("XPO", "31"), "the contract mixed has no term of XPO for " + string(day)},
		"a table":   {"?contract=table", line("ODFL", "36"), `: 40.00 x 0.90 = 36.00; 1000.00 x 36.00 / 100 = 360.00"`},
		"no table":  {"?contract=gone", line("ODFL", "36"), "the bracket table of ODFL as it stood on 2026-01-06 is not known"},
		"none":      {"?contract=nothing", line("ODFL", "36"), `"reason":"NAME"`},
		"a name":    {"?contract=A", line("ODFL", "36"), "string_pattern_mismatch"},
		"unnamed":   {"?contract=", line("ODFL", "36"), "string_pattern_mismatch"},
		"own terms": {"?contract=mixed", `{"id":"1","carrier":"ODFL","ship_date":"2026-09-11","billed_pct":"1","cap_pct":"2"}`, "line 1 has cap_pct of its own, and term 2 of the contract is for it"},
	} {
		if r := g.post(key, auditPath+c.target, "application/json", c.body); !strings.Contains(string(r.body), c.want) {
			t.Errorf("%s: %d %s, want %s", name, r.StatusCode, r.body, c.want)
		}
	}
	s.billed(4)
}
