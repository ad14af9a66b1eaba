package gateway_test

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
)

// replyBefore is a reply in the form of the version before: it names no schema, says nothing of what it could not see, and
// counts its items in ways of its own.
type replyBefore = map[string]any

func before(more replyBefore) replyBefore {
	now := time.Now().UTC()
	all := replyBefore{
		"read_at": now.Add(-time.Hour), "expires_at": now.Add(time.Hour), "method": "api_mirror", "evidence_url": "https://carrier.test/fuel",
		"clean": 8, "required": 8,
	}
	for name, v := range more {
		all[name] = v
	}
	return all
}

func licenseBefore(number, status string) replyBefore {
	return replyBefore{
		"license_number": number, "license_type_code": "1A", "dba_name": "BAR", "owner_name": "OWNER LLC", "expiration_date": "2027-06-30",
		"status": status, "address": replyBefore{"raw": "1 MAIN ST", "city": "TOWN"}, "suspensions": []any{},
	}
}

// workerBefore stands for workers of the version before. Workers of both versions share one queue group, which is their name.
func (s *system) workerBefore() *bus.Server {
	s.t.Helper()
	answer := func(more replyBefore) func(context.Context, replyBefore) (replyBefore, error) {
		return func(context.Context, replyBefore) (replyBefore, error) { return before(more), nil }
	}
	week := func(date string) replyBefore {
		return replyBefore{"effective_date": date, "fuel_surcharge_pct": 40.5, "doe_diesel_price_usd": 3.5, "clean": 3, "required": 3}
	}
	env := contracts.Test
	return s.serve(workerName(env),
		bus.Handle("surcharge", contracts.SurchargeSubject(env, contracts.ODFL),
			answer(replyBefore{"carrier": "ODFL", "weeks": []any{week("2026-09-21"), week("2026-09-14")}})),
		bus.Handle("license-IL", contracts.LicenseSubject(env, contracts.IL),
			answer(replyBefore{"state": "IL", "number": "1A-1100003", "record": licenseBefore("1A-1100003", "ACTIVE")})),
		bus.Handle("license-CA", contracts.LicenseSubject(env, contracts.CA), answer(replyBefore{"state": "CA", "number": "400000", "record": nil})),
		bus.Handle("search-IL", contracts.SearchSubject(env, contracts.IL), answer(replyBefore{"state": "IL", "query": replyBefore{"dba_name": "bar"}, "total": 2,
			"results": []any{licenseBefore("1A-1100003", "ACTIVE"), licenseBefore("1A-900003", "EXPIRED")}})),
		bus.Handle("search-CA", contracts.SearchSubject(env, contracts.CA), answer(replyBefore{"state": "CA", "total": 0, "results": []any{}})),
	)
}

// What a worker of the version before answers is never acted on: it is below 0.90, says so and is not kept.
func TestRepliesOfTheVersionBeforeAreDoubted(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.workerBefore()
	g := s.gateway()
	key := s.key()
	for name, c := range map[string]struct {
		target string
		holds  []string
	}{
		"surcharge":     {surchargePath + "?carriers=ODFL&weeks=1", []string{`"current":null`, `40.5`}},
		"among several": {surchargePath + "?carriers=ODFL,SAIA&weeks=2", []string{`"current":null`, `"carrier":"SAIA","error":"SOURCE_UNAVAILABLE"`}},
		"license":       {"/v1/abc/license/1A-1100003?state=IL", []string{`"not_reported":["suspensions"],"inferred":["status"]`}},
		"search":        {"/v1/abc/search?state=IL&dba_name=bar", []string{`"total_results":2`, `"inferred":["status"]`, `1A-900003`}},
	} {
		t.Run(name, func(t *testing.T) {
			r := g.get(key, c.target)
			for _, want := range append(c.holds, `"complete":false`, `"extraction_confidence":0.88`, `"code":"INCOMPLETE"`, "another version") {
				if r.StatusCode != http.StatusOK || !strings.Contains(string(r.body), want) {
					t.Errorf("%d, no %s in %s", r.StatusCode, want, r.body)
				}
			}
			if name != "among several" && freshFor(t, r.Header) > 60 {
				t.Errorf("kept: %v", r.Header)
			}
		})
	}
	for name, target := range map[string]string{
		"no such license": "/v1/abc/license/400000?state=CA", "nothing found": "/v1/abc/search?state=CA&dba_name=bar",
	} {
		if r := g.get(key, target); r.code() != contracts.SourceUnavailable || r.Header.Get("Retry-After") != "15" {
			t.Errorf("%s: %d %s", name, r.StatusCode, r.body)
		}
	}
}

// With workers of both versions, one of this version is nearly always met.
func TestWorkersOfThisVersionArePreferred(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.workerBefore()
	s.worker(contracts.Test)
	key := s.key()
	doubted, both := 0, s.gateway()
	for i := range 200 {
		r := both.get(key, "/v1/abc/license/1A-"+strconv.Itoa(1100003+i)+"?state=IL")
		if r.StatusCode != http.StatusOK {
			t.Fatalf("%d %s", r.StatusCode, r.body)
		}
		if strings.Contains(string(r.body), "another version") {
			doubted++
		}
	}
	t.Logf("%d of 200 answers are of the version before", doubted) // 1 in 16 where NATS picks evenly
	if doubted > 40 {
		t.Errorf("%d of 200 answers are of the version before", doubted)
	}
}
