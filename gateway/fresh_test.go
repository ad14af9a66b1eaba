package gateway_test

import (
	"context"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/nats-io/nats-server/v2/server"

	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
)

const odfl = surchargePath + "?carriers=ODFL"

// percentOf is the newest percent of a fuel answer.
func percentOf(t testing.TB, r *response) float64 {
	t.Helper()
	if r.StatusCode != 200 {
		t.Fatalf("%d %s", r.StatusCode, r.body)
	}
	return decode[contracts.Surcharge](t, r.body).Weeks[0].Percent
}

func TestAFreshReadingIsAskedFor(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		header, value string
		fresh         bool
	}{
		"no-cache":                {"Cache-Control", "no-cache", true},
		"max-age=0":               {"Cache-Control", "max-age=0", true},
		"in capitals, in a list":  {"Cache-Control", "no-transform, No-Cache", true},
		"Pragma":                  {"Pragma", "no-cache", true},
		"another directive":       {"Cache-Control", "max-age=60", false},
		"no-store":                {"Cache-Control", "no-store", false},
		"a text that has it":      {"Cache-Control", "x-no-cache", false},
		"a number that begins so": {"Cache-Control", "max-age=01", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSystem(t)
			w := s.worker(contracts.Test)
			first, second := s.gateway(), s.gateway()
			key := s.key()
			first.get(key, odfl)
			s.awaitStored(contracts.SurchargeKey(contracts.Test, contracts.ODFL))
			w.tenths.Store(471)
			r := first.get(key, odfl, c.header, c.value)
			want, status := 46.5, "assay;hit;ttl="
			if c.fresh {
				want, status = 47.1, "assay;fwd=request;stored;ttl="
			}
			if got := percentOf(t, r); got != want || !strings.HasPrefix(r.Header.Get("Cache-Status"), status) {
				t.Errorf("%v, Cache-Status %q", got, r.Header.Get("Cache-Status"))
			}
			for _, g := range []*runningGateway{first, second} { // what was read anew is everybody's
				if got := percentOf(t, g.get(key, odfl)); got != want {
					t.Errorf("asked again: %v", got)
				}
			}
		})
	}
}

func TestAYoungCopyIsFreshEnough(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	w := s.worker(contracts.Test)
	w.age.Store(0)
	first, second := s.gateway(), s.gateway()
	key := s.key()
	first.get(key, odfl)
	s.awaitStored(contracts.SurchargeKey(contracts.Test, contracts.ODFL))
	for tier, g := range map[string]*runningGateway{"local": first, "shared": second} {
		r := g.get(key, odfl, "Cache-Control", "no-cache")
		if !strings.HasSuffix(r.Header.Get("Cache-Status"), ";detail="+tier) {
			t.Errorf("%q, want %s", r.Header.Get("Cache-Status"), tier)
		}
	}
	if n := w.asked.Load(); n != 1 {
		t.Errorf("%d requests to the worker", n)
	}
}

// A fresh reading that fails leaves the good copy, whoever failed.
func TestAFailedRefreshServesTheGoodCopy(t *testing.T) {
	waitsForSeconds(t)
	t.Parallel()
	var down *server.Options
	for name, fail := range map[string]func(*system, *worker){
		"the source": func(_ *system, w *worker) { w.fail.Store(contracts.Errorf(contracts.SourceUnavailable, "down")) },
		"the worker": func(s *system, w *worker) {
			ctx, cancel := context.WithTimeout(s.t.Context(), clocktest.Patience)
			defer cancel()
			if err := w.Stop(ctx); err != nil {
				s.t.Error(err)
			}
		},
		"NATS": func(s *system, _ *worker) { down = bustest.Stop(s.nats) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSystem(t)
			w := s.worker(contracts.Test)
			g, key := s.gateway(), s.key()
			etag := g.get(key, odfl).Header.Get("Etag")
			g.get(key, surchargePath+"?carriers=SAIA")
			for _, c := range []contracts.Carrier{contracts.ODFL, contracts.SAIA} {
				s.awaitStored(contracts.SurchargeKey(contracts.Test, c))
			}
			fail(s, w)
			for _, target := range []string{odfl, surchargePath + "?carriers=ODFL,SAIA"} {
				r := g.get(key, target, "Cache-Control", "no-cache")
				age, _ := strconv.Atoi(r.Header.Get("Age"))
				if r.StatusCode != 200 || r.Header.Get("Cache-Status") != "assay;hit;detail=refresh-failed" || age < 3599 {
					t.Errorf("%s: %d %v", target, r.StatusCode, r.Header)
				}
				if target == odfl && r.Header.Get("Etag") != etag {
					t.Errorf("another body: %s", r.body)
				}
			}
			metrics := g.metrics()
			if !strings.Contains(metrics, `gateway_refresh_failures_total{by="request",`) ||
				strings.Contains(metrics, `gateway_refresh_failures_total{by="request",environment="",service="gateway"} 0`) {
				t.Error("the failures are not counted")
			}
			if name == "NATS" { // back again, it takes what was counted meanwhile
				bustest.Start(t, down)
				if err := g.stop(); err != nil {
					t.Error(err)
				}
				return
			}
			if r := g.get(key, odfl); !strings.HasPrefix(r.Header.Get("Cache-Status"), "assay;hit;ttl=") {
				t.Errorf("the failure is kept: %v", r.Header)
			}
			if r := g.get(key, surchargePath+"?carriers=XPO", "Cache-Control", "no-cache"); r.StatusCode != 503 {
				t.Errorf("without a copy: %d %s", r.StatusCode, r.body)
			}
		})
	}
}

// A copy is served at once while a fresh reading is under way, and all who want that one wait for the same. Who comes when it
// has ended, as some of twenty do on a busy machine, begins the next: each request to the worker is one request's own.
func TestFreshRequestsShareAReadingOnlyWithEachOther(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	w := s.worker(contracts.Test)
	g, key := s.gateway(), s.key()
	g.get(key, odfl)
	s.awaitStored(contracts.SurchargeKey(contracts.Test, contracts.ODFL))
	w.tenths.Store(471)
	w.reading.Lock()
	const all = 20
	var asking sync.WaitGroup
	var began atomic.Int64
	for range all {
		asking.Go(func() {
			r, err := g.try("GET", key, odfl, "Cache-Control", "no-cache")
			if err != nil || percentOf(t, r) != 47.1 {
				t.Errorf("%v %v", r, err)
			} else if !strings.Contains(r.Header.Get("Cache-Status"), ";collapsed;") {
				began.Add(1)
			}
		})
	}
	clocktest.Await(t, "the reading is under way", func() bool { return w.asked.Load() > 1 })
	if got := percentOf(t, g.get(key, odfl)); got != 46.5 {
		t.Errorf("%v", got)
	}
	w.reading.Unlock()
	asking.Wait()
	if n := w.asked.Load(); n != 1+began.Load() || began.Load() == all {
		t.Errorf("%d requests to the worker, %d of %d began one", n, began.Load(), all)
	}
}

// A license and a search are read anew on request as fuel is: a license that was revoked a moment ago must show as such.
func TestFreshReadingsOfLicenses(t *testing.T) {
	t.Parallel()
	for _, target := range []string{"/v1/abc/license/632923?state=CA", "/v1/abc/search?state=CA&dba_name=bar&limit=10"} {
		t.Run(target, func(t *testing.T) {
			t.Parallel()
			s := newSystem(t)
			w := s.worker(contracts.Test)
			g, key := s.gateway(), s.key()
			ask := func(want contracts.Status, cacheStatus string, headers ...string) {
				t.Helper()
				r := g.get(key, target, headers...)
				if r.StatusCode != 200 || !strings.Contains(string(r.body), `"status":"`+string(want)+`"`) ||
					!strings.HasPrefix(r.Header.Get("Cache-Status"), cacheStatus) {
					t.Errorf("%d, %q: %s", r.StatusCode, r.Header.Get("Cache-Status"), r.body)
				}
			}
			ask(contracts.Active, "assay;fwd=miss;stored")
			w.revoked.Store(true)
			ask(contracts.Active, "assay;hit;ttl=")
			clocktest.Await(t, "the first reading is over: who asks while it is stored gets it too", func() bool {
				r := g.get(key, target, "Cache-Control", "no-cache")
				return strings.Contains(string(r.body), `"status":"REVOKED"`) &&
					strings.HasPrefix(r.Header.Get("Cache-Status"), "assay;fwd=request;stored")
			})
			ask(contracts.Revoked, "assay;hit;ttl=")
			w.fail.Store(contracts.Errorf(contracts.SourceUnavailable, "down"))
			clocktest.Await(t, "the reading from before is over: who asks while it is stored gets it too", func() bool {
				r := g.get(key, target, "Cache-Control", "no-cache")
				return r.Header.Get("Cache-Status") == "assay;hit;detail=refresh-failed"
			})
			for _, header := range [][]string{{"Cache-Control", "max-age=0"}, {"Pragma", "no-cache"}} {
				ask(contracts.Revoked, "assay;hit;detail=refresh-failed", header...)
			}
			ask(contracts.Revoked, "assay;hit;ttl=")
		})
	}
}

// A further page of a search is read anew by itself, and goes on after the page before.
func TestAFreshFurtherPage(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	w := s.worker(contracts.Test)
	w.matches.Store(licenses(100, 25))
	g, key := s.gateway(), s.key()
	first := g.page(key, searchPath+"&limit=10", "")
	s.awaitStored(searchKey)
	w.matches.Store(licenses(100, 26))
	target := searchPath + "&limit=20&cursor=" + url.QueryEscape(*first.NextCursor)
	if p := decode[contracts.Search](t, g.get(key, target).body); p.TotalResults != 25 || len(p.Results) != 15 {
		t.Errorf("not fresh: %d of %d", len(p.Results), p.TotalResults)
	}
	p := decode[contracts.Search](t, g.get(key, target, "Cache-Control", "no-cache").body)
	if p.TotalResults != 26 || len(p.Results) != 16 || p.Results[0].LicenseNumber != "110" {
		t.Errorf("fresh: %d of %d, from %+v", len(p.Results), p.TotalResults, p.Results)
	}
}

func TestToolsReadFresh(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	w := s.worker(contracts.Test)
	g, key := s.gateway(), s.key()
	session := g.agent(stateless, "/mcp/ltl", key)
	ask := func(fresh any) (text string, failed bool) {
		r := call(t, session, "get_fuel_surcharge", map[string]any{"carrier": "ODFL", "fresh": fresh})
		return textOf(t, r), r.Meta["assay.dev/refresh-failed"] == true
	}
	ask(false)
	s.awaitStored(contracts.SurchargeKey(contracts.Test, contracts.ODFL))
	w.tenths.Store(471)
	if text, _ := ask(nil); !strings.Contains(text, "46.5") {
		t.Errorf("not asked for: %s", text)
	}
	if text, failed := ask(true); !strings.Contains(text, "47.1") || failed {
		t.Errorf("asked for: %s", text)
	}
	w.fail.Store(contracts.Errorf(contracts.SourceUnavailable, "down"))
	if text, failed := ask("true"); !strings.Contains(text, "47.1") || !failed {
		t.Errorf("failed %t: %s", failed, text)
	}
	if text, _ := ask("now"); !strings.Contains(text, "fresh: this must be true or false") {
		t.Errorf("%s", text)
	}
}

func TestToolsReadLicensesFresh(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	w := s.worker(contracts.Test)
	g, key := s.gateway(), s.key()
	session := g.agent(stateless, "/mcp/abc", key)
	stored := map[string]contracts.CacheKey{
		"get_license":     contracts.LicenseKey(contracts.Test, contracts.LicenseRequest{State: contracts.CA, Number: "632923"}),
		"search_licenses": searchKey,
	}
	for tool, arguments := range map[string]map[string]any{
		"get_license":     {"state": "CA", "license_number": "632923"},
		"search_licenses": {"state": "CA", "dba_name": "bar"},
	} {
		w.revoked.Store(false)
		w.fail.Store(nil)
		ask := func(fresh bool) (text string, failed bool) {
			arguments["fresh"] = fresh
			r := call(t, session, tool, arguments)
			return textOf(t, r), r.Meta["assay.dev/refresh-failed"] == true
		}
		ask(false)
		if tool == "search_licenses" { // else the fresh reading finds nothing that it would replace
			s.awaitStored(stored[tool])
		}
		w.revoked.Store(true)
		if text, _ := ask(false); !strings.Contains(text, "ACTIVE") {
			t.Errorf("%s, not asked for: %s", tool, text)
		}
		if text, failed := ask(true); !strings.Contains(text, "REVOKED") || failed {
			t.Errorf("%s, asked for: %s", tool, text)
		}
		s.awaitStoredWith(stored[tool], "REVOKED") // a failed request falls back to what is stored
		clocktest.Await(t, "the gateway has heard of the stored answer", func() bool {
			text, _ := ask(false)
			return strings.Contains(text, "REVOKED")
		})
		w.fail.Store(contracts.Errorf(contracts.SourceUnavailable, "down"))
		if text, failed := ask(true); !strings.Contains(text, "REVOKED") || !failed {
			t.Errorf("%s, failed %t: %s", tool, failed, text)
		}
	}
}
