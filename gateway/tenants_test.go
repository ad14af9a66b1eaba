package gateway_test

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway"
	"assay.dev/gateway/keys"
	"assay.dev/gateway/usage"
	"assay.dev/platform/clock/clocktest"
)

type keysRecord = keys.Record

// Two gateways on one NATS admit exactly the limit between them; the tenant's two keys share it, other tenants and the
// other environment do not.
func TestLimitOverGateways(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Test)
	gateways := []*runningGateway{s.gateway(), s.gateway()}
	keysOfOne := []string{s.key(limit(60)), s.key(limit(60))}
	admitted, began := 0, time.Now()
	var last *response
	for i := range 80 {
		last = gateways[i%3%2].get(keysOfOne[i%2], surchargePath+"?carriers=ODFL")
		if last.StatusCode == 200 {
			admitted++
		}
	}
	if admitted != 60 {
		t.Errorf("%d admitted, want 60", admitted)
	}
	if last.StatusCode != 429 || last.code() != contracts.RateLimited || last.Header.Get("X-Ratelimit-Remaining") != "0" {
		t.Errorf("%d %s %v", last.StatusCode, last.body, last.Header)
	}
	after, err := strconv.Atoi(last.Header.Get("Retry-After"))
	if err != nil || after < 59-int(time.Since(began).Seconds()) || after > 60 || last.Header.Get("X-Ratelimit-Reset") != strconv.Itoa(after) {
		t.Errorf("Retry-After %q, headers %v", last.Header.Get("Retry-After"), last.Header)
	}
	for name, key := range map[string]string{"another tenant": s.key(tenant("other"), limit(60)), "the other environment": s.key(live, limit(60))} {
		if r := gateways[0].get(key, "/v1/ltl/accessorials"); r.StatusCode == 429 {
			t.Errorf("%s is limited too", name)
		}
	}
	if r := gateways[0].get(keysOfOne[0], "/health"); r.StatusCode != 200 || r.left() != "0" {
		t.Errorf("health: %d %v", r.StatusCode, r.Header)
	}
	if r := gateways[1].get(keysOfOne[0], surchargePath+"?weeks=0"); r.StatusCode != 429 {
		t.Errorf("wrong parameters above the limit: %d, want 429 before 422", r.StatusCode)
	}
}

// A HEAD counts against the limit as a GET does.
func TestHEADIsLimited(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Test)
	g, key := s.gateway(), s.key(limit(3))
	for i, want := range []int{200, 200, 200, 429} {
		r := g.do(http.MethodHead, key, surchargePath+"?carriers=ODFL")
		if r.StatusCode != want || r.left() != strconv.Itoa(max(0, 2-i)) {
			t.Errorf("HEAD %d: %d, want %d; %v", i+1, r.StatusCode, want, r.Header)
		}
	}
}

func TestRevocationReachesAllGateways(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	gateways := []*runningGateway{s.gateway(), s.gateway()}
	key := s.key()
	for _, g := range gateways {
		if r := g.get(key, "/health"); r.StatusCode != 200 {
			t.Fatalf("%d %s", r.StatusCode, r.body)
		}
	}
	if err := s.keys.Revoke(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	revoked := time.Now()
	for _, g := range gateways {
		clocktest.Await(t, "the keys as they are now", func() bool { return g.knowsKeysOf(revoked) })
		if r := g.get(key, "/health"); r.StatusCode != 401 {
			t.Errorf("%d %s", r.StatusCode, r.body)
		}
	}
}

// knowsKeysOf tells whether the gateway's copy of the keys was proven complete since then. How soon after a change that is, the row
// "a key is revoked" of docs/faults.md measures.
func (g *runningGateway) knowsKeysOf(then time.Time) bool {
	age, err := g.metric(`key_feed_age_seconds{environment="",service="gateway"}`)
	return err == nil && age < time.Since(then).Seconds()
}

// A new key works at once, at gateways that run for long.
func TestNewKeysWorkAtOnce(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	g := s.gateway()
	for range 20 {
		if r := g.get(s.key(), "/health"); r.StatusCode != 200 {
			t.Fatalf("%d %s", r.StatusCode, r.body)
		}
	}
}

func TestMarketplace(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Live)
	g := s.gateway(func(c *gateway.Config) {
		c.RapidAPILTL, c.RapidAPIABC, c.RateLimit = "secret-of-ltl", "secret-of-abc", 3
	})
	ask := func(key, target string, headers ...string) *response { return g.get(key, target, headers...) }
	const ltlTarget, abcTarget = surchargePath + "?carriers=ODFL", "/v1/abc/license/632923?state=CA"
	for name, c := range map[string]struct {
		key, target string
		headers     []string
		status      int
	}{
		"fuel surcharge listing":             {"", ltlTarget, []string{"X-RapidAPI-Proxy-Secret", "secret-of-ltl", "X-RapidAPI-User", "mona"}, 200},
		"license listing":                    {"", abcTarget, []string{"X-RapidAPI-Proxy-Secret", "secret-of-abc", "X-RapidAPI-User", "mona2"}, 200},
		"one listing's secret for the other": {"", abcTarget, []string{"X-RapidAPI-Proxy-Secret", "secret-of-ltl", "X-RapidAPI-User", "mona3"}, 403},
		"wrong secret":                       {"", ltlTarget, []string{"X-RapidAPI-Proxy-Secret", "secret-of-lt", "X-RapidAPI-User", "mona"}, 401},
		"no secret":                          {"", ltlTarget, []string{"X-RapidAPI-User", "mona"}, 401},
		"empty secret":                       {"", ltlTarget, []string{"X-RapidAPI-Proxy-Secret", "", "X-RapidAPI-User", "mona"}, 401},
		"two secrets":                        {"", ltlTarget, []string{"X-RapidAPI-Proxy-Secret", "secret-of-ltl", "X-RapidAPI-Proxy-Secret", "x", "X-RapidAPI-User", "mona"}, 401},
		"no user":                            {"", ltlTarget, []string{"X-RapidAPI-Proxy-Secret", "secret-of-ltl"}, 401},
		"hostile user":                       {"", ltlTarget, []string{"X-RapidAPI-Proxy-Secret", "secret-of-ltl", "X-RapidAPI-User", "a b"}, 401},
		"wrong secret with a key":            {s.key(live), ltlTarget, []string{"X-RapidAPI-Proxy-Secret", "x", "X-RapidAPI-User", "mona"}, 200},
	} {
		t.Run(name, func(t *testing.T) {
			if r := ask(c.key, c.target, c.headers...); r.StatusCode != c.status {
				t.Errorf("%d, want %d: %s", r.StatusCode, c.status, r.body)
			}
		})
	}
	for secret, want := range map[string]string{"secret-of-lt": "proxy secret does not match", "": "proxy secret does not match"} {
		r := ask("", ltlTarget, "X-RapidAPI-Proxy-Secret", secret, "X-RapidAPI-User", "mona")
		if !strings.Contains(string(r.body), want) || !strings.Contains(string(r.body), "listing's settings") {
			t.Errorf("secret %q: %s", secret, r.body)
		}
	}
	user := []string{"X-RapidAPI-Proxy-Secret", "secret-of-ltl", "X-RapidAPI-User", "nora"}
	for i := range 4 {
		r := ask("", ltlTarget, user...)
		if want := map[bool]int{true: 200, false: 429}[i < 3]; r.StatusCode != want || r.Header.Get("Assay-Environment") != "live" {
			t.Errorf("request %d: %d, want %d", i+1, r.StatusCode, want)
		}
	}
	const imported = "0a1b2c3d4emsh5f6a7b8c9d0e1f2p1a2b3cjsn4d5e6f7a8b9c"
	if err := s.keys.Import(t.Context(), imported, "rapidapi:olga", contracts.LTL); err != nil {
		t.Fatal(err)
	}
	if r := ask(imported, ltlTarget); r.StatusCode != 200 {
		t.Errorf("imported key: %d %s", r.StatusCode, r.body)
	}
	if r := ask(imported, abcTarget); r.StatusCode != 403 {
		t.Errorf("imported key for the other listing: %d", r.StatusCode)
	}
}

// An address that is refused too often gets 429, but its good keys go on working.
func TestRefusalsAreLimitedByAddress(t *testing.T) {
	waitsForSeconds(t)
	t.Parallel()
	s := newSystem(t)
	good, abc := s.key(), s.key(products(contracts.ABC))             // known to the gateway from its start
	g := s.gateway(func(c *gateway.Config) { c.AnonymousLimit = 3 }) // one more each 20 s
	if r := g.get(good, "/health"); r.StatusCode != 200 {
		t.Fatal(r.StatusCode)
	}
	var statuses []int
	for i := range 6 {
		key := ""
		if i%2 == 1 {
			key = abc
		}
		r := g.get(key, surchargePath)
		statuses = append(statuses, r.StatusCode)
		if r.StatusCode == 429 && (r.Header.Get("Retry-After") == "" || r.code() != contracts.RateLimited) {
			t.Errorf("%v %s", r.Header, r.body)
		}
	}
	if want := []int{401, 403, 401, 429, 429, 429}; !slices.Equal(statuses, want) {
		t.Errorf("statuses %v, want %v", statuses, want)
	}
	if r := g.get("0a1b2c3d4emsh5f6a7b8c9d0e1f2p", "/health"); r.StatusCode != 429 {
		t.Errorf("a key that would need a look-up: %d", r.StatusCode)
	}
	if r := g.get(good, "/health"); r.StatusCode != 200 {
		t.Errorf("a good key of that address: %d", r.StatusCode)
	}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Live)
	s.worker(contracts.Test)
	g := s.gateway()
	key, test := s.key(live), s.key()
	etag := g.get(key, surchargePath+"?carriers=ODFL", "X-Request-ID", "the-same").Header.Get("Etag")
	g.get(key, surchargePath+"?carriers=ODFL", "X-Request-ID", "the-same")
	g.get(key, surchargePath+"?carriers=ODFL", "If-None-Match", etag)
	g.get(key, surchargePath)
	g.get(key, "/v1/abc/license/632923?state=CA")
	for _, free := range []string{"/health", "/v1/ltl/accessorials", "/v1/ltl/carriers", surchargePath + "?weeks=0", "/v1/abc/license/999999?state=CA"} {
		g.get(key, free)
	}
	g.do(http.MethodHead, key, surchargePath+"?carriers=ODFL")
	g.do(http.MethodHead, key, surchargePath+"?carriers=ODFL", "If-None-Match", etag)
	g.do(http.MethodHead, key, "/v1/abc/license/400051?state=CA") // read for the HEAD
	for _, free := range []string{"/health", "/v1/ltl/carriers", surchargePath + "?weeks=0", "/v1/abc/license/999999?state=CA"} {
		g.do(http.MethodHead, key, free)
	}
	g.do(http.MethodHead, test, surchargePath+"?carriers=ODFL")
	g.get(test, surchargePath+"?carriers=ODFL")
	if err := g.stop(); err != nil { // flushes
		t.Fatal(err)
	}
	sums, err := usage.Sums(t.Context(), s.js, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	month := usage.Month(time.Now())
	want := []usage.Sum{
		{Tenant: "acme", Product: contracts.ABC, Month: month, Count: 2, Cents: 10, Price: 10 * contracts.Cent},
		{Tenant: "acme", Product: contracts.LTL, Month: month, Count: 6, Cents: 18, Price: 18 * contracts.Cent, Tested: 2},
	}
	if !slices.Equal(sums, want) {
		t.Errorf("sums %v, want %v", sums, want)
	}
}

// Each page of a search is one charge, and an error in place of a page is none.
func TestEachPageIsOneCharge(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Live).matches.Store(licenses(100, 25))
	g, key := s.gateway(), s.key(live)
	pages := 0
	g.numbersOf(key, searchPath+"&limit=10", func(contracts.Search) { pages++ }) // from one answer of the worker
	g.page(key, searchPath+"&limit=10", "")                                      // the first one again
	for _, free := range []string{"&limit=0", "&cursor=damaged"} {
		if r := g.get(key, searchPath+free); r.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d", free, r.StatusCode)
		}
	}
	if err := g.stop(); err != nil { // flushes
		t.Fatal(err)
	}
	sums, err := usage.Sums(t.Context(), s.js, time.Now())
	if err != nil || pages != 3 || len(sums) != 1 || sums[0].Product != contracts.ABC || sums[0].Count != 4 {
		t.Errorf("%d pages and one again: %+v, %v", pages, sums, err)
	}
}

// A stop under load answers every request that reached the gateway.
func TestStopLosesNoRequest(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	w := s.worker(contracts.Test)
	w.slow.Store(int64(100 * time.Millisecond))
	g := s.gateway()
	key := s.key()
	g.get(key, "/health") // looks the key up: until it is known, few requests of an address are let in at once
	ctx, cancel := context.WithCancel(t.Context())
	var answered, lost atomic.Int64
	done := make(chan struct{})
	go func() {
		defer close(done)
		slots := make(chan struct{}, 16)
		for i := 0; ctx.Err() == nil; i++ {
			slots <- struct{}{}
			go func() {
				defer func() { <-slots }()
				r, err := g.try(http.MethodGet, key, surchargePath+"?carriers="+string(contracts.Carriers[i%10])+"&weeks="+strconv.Itoa(1+i/10%26))
				switch {
				case err == nil && r.StatusCode == 200:
					answered.Add(1)
				case err == nil || !refused(err):
					lost.Add(1)
					t.Errorf("%v %v", r, err)
				}
			}()
		}
		for range cap(slots) {
			slots <- struct{}{}
		}
	}()
	clocktest.Await(t, "there is load", func() bool { return answered.Load() > 50 })
	if err := g.stop(); err != nil {
		t.Error(err)
	}
	cancel()
	<-done
}

// refused: the request never reached the gateway.
func refused(err error) bool {
	return strings.Contains(err.Error(), "connection refused") || strings.Contains(err.Error(), "EOF") || strings.Contains(err.Error(), "connection reset") ||
		strings.Contains(err.Error(), "server closed idle connection")
}

func TestMetrics(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Test)
	g := s.gateway()
	key := s.key()
	g.get(key, surchargePath+"?carriers=ODFL")
	g.get(key, surchargePath+"?carriers=ODFL")
	g.get("", surchargePath)
	text := g.metrics()
	for _, want := range []string{
		`gateway_cache_requests_total{environment="",result="hit",service="gateway",tier="local"} 1`,
		`gateway_cache_requests_total{environment="",result="miss",service="gateway",tier="worker"} 1`,
		`gateway_hit_duration_seconds_count{environment="",outcome="ok",service="gateway"} 1`,
		`gateway_hit_duration_seconds_count{environment="",outcome="failed",service="gateway"} 0`,
		`gateway_ratelimit_decisions_total{budget="shared",decision="allowed",environment="",service="gateway"} 2`,
		`gateway_auth_total{environment="",outcome="missing",service="gateway"} 1`,
		`http_server_request_duration_seconds_count{environment="",method="GET",route="/v1/ltl/fuel-surcharge",service="gateway",status="2xx"} 2`,
		`http_server_request_duration_seconds_count{environment="",method="GET",route="/v1/ltl/fuel-surcharge",service="gateway",status="4xx"} 1`,
		`key_feed_age_seconds{environment="",service="gateway"}`, `gateway_usage_events_total{environment="",outcome="lost",service="gateway"} 0`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(text, "acme") {
		t.Error("a tenant is in the metrics")
	}
}
