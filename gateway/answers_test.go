package gateway_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
)

func TestOneCarrierIsAnsweredFlat(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Test)
	g := s.gateway()
	key := s.key()
	for name, c := range map[string]struct {
		query   string
		carrier contracts.Carrier
		weeks   int
	}{
		"default weeks":   {"?carriers=ODFL", contracts.ODFL, 4},
		"current week":    {"?carriers=odfl&weeks=1", contracts.ODFL, 1},
		"all weeks":       {"?carriers=Saia&weeks=26", contracts.SAIA, 26},
		"the same twice":  {"?carriers=ABF,abf&carriers=Abf", contracts.ABF, 4},
		"blanks about it": {"?carriers=%20XPO%20", contracts.XPO, 4},
	} {
		t.Run(name, func(t *testing.T) {
			r := g.get(key, surchargePath+c.query)
			if r.StatusCode != http.StatusOK {
				t.Fatalf("%d %s", r.StatusCode, r.body)
			}
			body := decode[contracts.Surcharge](t, r.body)
			if body.Carrier != c.carrier || len(body.Weeks) != c.weeks || body.Weeks[0].EffectiveDate != "2026-09-21" {
				t.Errorf("%s", r.body)
			}
			if v := body.Verifiability; v.ExtractionConfidence != 1 || v.DataFreshnessTTLSeconds != 604800 || v.RawDataEvidenceURL == "" {
				t.Errorf("%+v", v)
			}
			if c.carrier == contracts.ABF && !strings.Contains(string(r.body), `"doe_diesel_price_usd":null`) {
				t.Errorf("no null: %s", r.body)
			}
		})
	}
}

func TestSeveralCarriers(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	w := s.worker(contracts.Test)
	g := s.gateway()
	key := s.key()
	codes := func(r *response) (answered, failed []contracts.Carrier) {
		body := decode[contracts.Surcharges](t, r.body)
		for _, one := range body.Results {
			answered = append(answered, one.Carrier)
		}
		for _, one := range body.Errors {
			if one.Error != contracts.SourceUnavailable || one.Message == "" {
				t.Errorf("failure %+v", one)
			}
			failed = append(failed, one.Carrier)
		}
		return answered, failed
	}
	r := g.get(key, surchargePath)
	if answered, failed := codes(r); !reflect.DeepEqual(answered, contracts.Carriers) || failed != nil || r.StatusCode != 200 {
		t.Errorf("%d answered %v, failed %v", r.StatusCode, answered, failed)
	}
	r = g.get(key, surchargePath+"?carriers=XPO,ODFL&carriers=xpo,RLC")
	if answered, _ := codes(r); !reflect.DeepEqual(answered, []contracts.Carrier{contracts.XPO, contracts.ODFL, contracts.RLC}) {
		t.Errorf("answered %v in another order than asked", answered)
	}
	if r.Header.Get("Cache-Status") == "" || r.Header.Get("Etag") == "" {
		t.Errorf("headers %v", r.Header)
	}
	test := func(env contracts.Environment) string { return s.key(func(k *keysRecord) { k.Environment = env }) }
	lw := s.worker(contracts.Live)
	lw.broken.Store(&contracts.Carriers[4])
	r = g.get(test(contracts.Live), surchargePath+"?carriers=ODFL,RLC")
	answered, failed := codes(r)
	if r.StatusCode != 200 || len(answered) != 1 || !reflect.DeepEqual(failed, []contracts.Carrier{contracts.RLC}) {
		t.Errorf("%d answered %v, failed %v", r.StatusCode, answered, failed)
	}
	if r.Header.Get("Cache-Control") != "private, no-cache" {
		t.Errorf("a partial answer may be kept: %v", r.Header)
	}
	lw.fail.Store(contracts.Errorf(contracts.SourceUnavailable, "down").After(7 * time.Second))
	r = g.get(test(contracts.Live), surchargePath+"?carriers=XPO,RLC")
	if answered, failed = codes(r); r.StatusCode != 503 || answered != nil || len(failed) != 2 || r.code() != contracts.SourceUnavailable {
		t.Errorf("%d answered %v, failed %v", r.StatusCode, answered, failed)
	}
	if r.Header.Get("Retry-After") == "" {
		t.Errorf("headers %v", r.Header)
	}
	_ = w
}

// freshFor is for how many seconds more a cache keeps an answer (RFC 9111 §4.2).
func freshFor(t *testing.T, h http.Header) int {
	t.Helper()
	lifetime, err1 := strconv.Atoi(strings.TrimPrefix(h.Get("Cache-Control"), "private, max-age="))
	age, err2 := strconv.Atoi(h.Get("Age"))
	if err1 != nil || err2 != nil {
		t.Errorf("headers %v", h)
	}
	return lifetime - age
}

func TestDataHeaders(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Test)
	first, second := s.gateway(), s.gateway()
	key := s.key(limit(60))
	for i, c := range []struct {
		g            *runningGateway
		status, tier string
	}{{first, "assay;fwd=miss;stored;ttl=", ""}, {first, "assay;hit;ttl=", ";detail=local"}, {second, "assay;hit;ttl=", ";detail=shared"}, {second, "assay;hit;ttl=", ";detail=local"}} {
		r := c.g.get(key, surchargePath+"?carriers=ODFL", "Accept-Encoding", "identity")
		h := r.Header
		if got := h.Get("Cache-Status"); !strings.HasPrefix(got, c.status) || !strings.HasSuffix(got, c.tier) {
			t.Errorf("answer %d: Cache-Status %q, want %s…%s", i, got, c.status, c.tier)
		}
		s.awaitStored(contracts.SurchargeKey(contracts.Test, contracts.ODFL)) // else the second gateway finds nothing
		if h.Get("Assay-Environment") != "test" || h.Get("Content-Type") != "application/json" || h.Get("Content-Length") != strconv.Itoa(len(r.body)) {
			t.Errorf("headers %v", h)
		}
		if age, err := strconv.Atoi(h.Get("Age")); err != nil || age < 3599 || age > 3700 {
			t.Errorf("Age %q", h.Get("Age"))
		}
		if left := freshFor(t, h); left > 3600 || left < 3500 || !strings.Contains(h.Get("Cache-Status"), fmt.Sprintf(";ttl=%d", left)) {
			t.Errorf("a cache keeps it for %d s: %v", left, h)
		}
		if h.Get("Ratelimit-Policy") != `"default";q=60;w=60` || r.left() != strconv.Itoa(59-i) || h.Get("X-Ratelimit-Limit") != "" || h.Get("Traceresponse") != "" {
			t.Errorf("answer %d: limits %v", i, h)
		}
	}
}

// Every answer to a valid key says where its limit stands, and the document says so of each. One that is refused for its product does
// not count.
func TestFailuresTellTheLimit(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	g := s.gateway()
	var document struct {
		Components struct {
			Responses map[string]struct{ Headers map[string]any }
		}
	}
	if err := json.Unmarshal(g.get("", "/openapi.json").body, &document); err != nil {
		t.Fatal(err)
	}
	key := s.key(limit(4), products(contracts.LTL))
	for _, c := range []struct {
		name, key, target string
		status            int
		left              string
		response          string
	}{
		{"another product", key, "/v1/abc/states", 403, "4", "ProductNotEnabled"},
		{"no such carrier", key, surchargePath + "?carriers=ACME", 404, "3", "NotFound"},
		{"too many weeks", key, surchargePath + "?weeks=99", 422, "2", "Invalid"},
		{"no worker", key, surchargePath + "?carriers=ODFL", 503, "1", "Unavailable"},
		{"another one", key, surchargePath + "?carriers=ODFL", 503, "0", "Unavailable"},
		{"the limit", key, surchargePath + "?carriers=ODFL", 429, "0", "RateLimited"},
		{"no key", "", surchargePath, 401, "", "Unauthorized"},
	} {
		r := g.get(c.key, c.target)
		if r.StatusCode != c.status || r.left() != c.left {
			t.Errorf("%s: %d, %q left, %s", c.name, r.StatusCode, r.left(), r.body)
		}
		headers := document.Components.Responses[c.response].Headers
		for name, want := range map[string]bool{
			"RateLimit-Policy": c.left != "", "RateLimit": c.left != "",
			"X-RateLimit-Limit": c.status == 429, "X-RateLimit-Remaining": c.status == 429, "X-RateLimit-Reset": c.status == 429,
		} {
			if (headers[name] != nil) != want || (r.Header.Get(name) != "") != want {
				t.Errorf("%s: the document has %s: %t; %v", c.response, name, headers[name] != nil, r.Header)
			}
		}
	}
}

func TestRequestIDAndTrace(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	g := s.gateway()
	const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
	for name, c := range map[string]struct {
		id   string
		kept bool
	}{"well-formed": {"order-17/a.b:c", true}, "too long": {strings.Repeat("a", 129), false}, "with a blank": {"a b", false}, "not ASCII": {"é", false}} {
		t.Run(name, func(t *testing.T) {
			r := g.get("", "/openapi.json", "X-Request-ID", c.id, "traceparent", "00-"+trace+"-00f067aa0ba902b7-01")
			if got := r.Header.Get("X-Request-Id"); (got == c.id) != c.kept || got == "" {
				t.Errorf("X-Request-ID %q", got)
			}
			if got := r.Header.Get("Traceresponse"); strings.Contains(got, trace) || !strings.HasPrefix(got, "00-") || len(got) != 55 {
				t.Errorf("traceresponse %q", got)
			}
		})
	}
	a, b := g.get("", "/openapi.json"), g.get("", "/openapi.json")
	if a.Header.Get("X-Request-Id") == b.Header.Get("X-Request-Id") {
		t.Error("two requests of one id")
	}
}

// The id that the client sees goes to the worker with the request, its own as well as one that the gateway made.
func TestTheRequestIDReachesTheWorker(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Test)
	tap, err := s.bus.Conn.SubscribeSync("assay.v1.test.>")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.bus.Conn.Flush(); err != nil {
		t.Fatal(err)
	}
	g, key := s.gateway(), s.key()
	for target, id := range map[string]string{
		surchargePath + "?carriers=ODFL":       "order-17",
		surchargePath + "?carriers=XPO":        "",
		surchargePath + "?carriers=SAIA":       "not valid",
		"/v1/abc/license/632923?state=CA":      "order-18",
		"/v1/abc/search?state=CA&dba_name=bar": "order-19",
	} {
		seen := g.get(key, target, "X-Request-ID", id).Header.Get("X-Request-Id")
		msg, err := tap.NextMsg(5 * time.Second)
		if err != nil {
			t.Fatal(err)
		}
		if got := msg.Header.Get(contracts.HeaderRequestID); got != seen || got == "" || strings.HasPrefix(id, "order") && got != id {
			t.Errorf("%s: the worker got %q, the client %q", target, got, seen)
		}
	}
}

func TestConditionalRequests(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Test)
	g := s.gateway()
	key := s.key()
	target := surchargePath + "?carriers=ODFL"
	etag := g.get(key, target).Header.Get("Etag")
	for name, c := range map[string]struct {
		header string
		status int
	}{
		"the tag": {etag, 304}, "weak": {"W/" + etag, 304}, "in a list": {`"x", ` + etag, 304}, "any": {"*", 304},
		"another": {`"x"`, 200}, "without quotes": {strings.Trim(etag, `"`), 200},
	} {
		t.Run(name, func(t *testing.T) {
			r := g.get(key, target, "If-None-Match", c.header)
			if r.StatusCode != c.status || r.Header.Get("Etag") != etag || r.Header.Get("Cache-Control") == "" {
				t.Errorf("%d %v", r.StatusCode, r.Header)
			}
		})
	}
	if r := g.get(key, target+"&weeks=5", "If-None-Match", etag); r.StatusCode != 200 {
		t.Errorf("another answer has the same tag")
	}
}

func TestHEADIsGETWithoutBody(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Test)
	g := s.gateway()
	key := s.key()
	for _, target := range []string{surchargePath + "?carriers=ODFL", "/health", "/openapi.json", surchargePath + "?weeks=0", "/nowhere"} {
		get, head := g.get(key, target), g.do(http.MethodHead, key, target)
		if len(head.body) != 0 || head.StatusCode != get.StatusCode || head.ContentLength != int64(len(get.body)) {
			t.Errorf("%s: HEAD %d of %d bytes, GET %d of %d", target, head.StatusCode, head.ContentLength, get.StatusCode, len(get.body))
		}
	}
}

func TestLicenseAndSearch(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	w := s.worker(contracts.Test)
	g := s.gateway()
	key := s.key()
	for _, number := range []string{"632923", "00632923", "%36%332923", "CA%2D632923"} {
		r := g.get(key, "/v1/abc/license/"+number+"?state=ca")
		if r.StatusCode != 200 {
			t.Fatalf("%s: %d %s", number, r.StatusCode, r.body)
		}
		body := decode[contracts.License](t, r.body)
		if body.State != contracts.CA || body.LicenseNumber != "632923" || body.Record.Status != contracts.Active || body.Verifiability.ExtractionConfidence != 0.9 {
			t.Errorf("%s: %s", number, r.body)
		}
	}
	if n := w.asked.Load(); n != 1 {
		t.Errorf("%d requests to the worker for one license", n)
	}
	r := g.get(key, "/v1/abc/search?state=CA&dba_name=%20a%20%26%20b%20&address=main")
	body := decode[contracts.Search](t, r.body)
	if body.TotalResults != 1 || body.Query != (contracts.Query{DBAName: "a & b", Address: "main"}) || !strings.Contains(string(r.body), "THE A & B <BAR>") {
		t.Errorf("%s", r.body)
	}
}

func TestListings(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	g := s.gateway()
	key := s.key()
	sources, err := s.js.KeyValue(t.Context(), contracts.SourcesBucket.Name)
	if err != nil {
		t.Fatal(err)
	}
	put := func(name string, listing any) {
		value, _ := json.Marshal(listing)
		if _, err := sources.Put(t.Context(), name, value); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []contracts.Carrier{contracts.SAIA, contracts.ODFL} {
		put("test.ltl."+string(c), contracts.CarrierListing{Code: c, SCAC: "X", ExtractionMethod: contracts.APIMirror, FallbackMethods: []contracts.Method{contracts.StructuredParse}})
	}
	put("test.abc.CA", contracts.StateListing{State: contracts.CA, SearchFields: []string{"dba_name"}, ExtractionMethod: contracts.StructuredParse, FallbackMethods: []contracts.Method{}, Limitations: []string{}, LicenseTypes: []contracts.LicenseType{{Code: "20", Name: "Off-Sale Beer & Wine"}}})
	r := g.get(key, "/v1/ltl/carriers")
	if all := decode[contracts.CarrierListings](t, r.body).Carriers; len(all) != 2 || all[0].Code != contracts.ODFL {
		t.Errorf("%s", r.body)
	}
	if r.Header.Get("Etag") == "" || r.left() == "" {
		t.Errorf("headers %v", r.Header)
	}
	r = g.get(key, "/v1/abc/states")
	if all := decode[contracts.StateListings](t, r.body).States; len(all) != 1 || all[0].State != contracts.CA {
		t.Errorf("%s", r.body)
	}
	if r := g.get(s.key(live), "/v1/abc/states"); r.StatusCode != 503 {
		t.Errorf("live has the listing of test: %d %s", r.StatusCode, r.body)
	}
	bustest.Stop(s.nats)
	if r := g.get(key, "/v1/ltl/carriers"); r.StatusCode != 200 {
		t.Errorf("without NATS: %d %s", r.StatusCode, r.body)
	}
}

func TestEnvironmentsDoNotMix(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Test)
	lw := s.worker(contracts.Live)
	lw.weeks.Store(2)
	g := s.gateway()
	for env, want := range map[contracts.Environment]int{contracts.Test: 4, contracts.Live: 2} {
		r := g.get(s.key(func(k *keysRecord) { k.Environment = env }), surchargePath+"?carriers=ODFL")
		body := decode[contracts.Surcharge](t, r.body)
		if len(body.Weeks) != want || r.Header.Get("Assay-Environment") != string(env) {
			t.Errorf("%s: %d weeks, environment %q", env, len(body.Weeks), r.Header.Get("Assay-Environment"))
		}
	}
}

// A browser keeps replies by the address and by what Vary names: none is given to another caller.
func TestEveryReplyVariesByItsCaller(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Test)
	s.worker(contracts.Live).weeks.Store(2)
	g := s.gateway()
	test, liveKey, target := s.key(), s.key(live), surchargePath+"?carriers=ODFL"
	tag := g.get(test, target).Header.Get("Etag")
	for name, c := range map[string]struct {
		method, key, target string
		headers             []string
		status              int
	}{
		"data":                   {"GET", test, target, nil, 200},
		"HEAD":                   {"HEAD", test, target, nil, 200},
		"CSV":                    {"GET", test, target + "&format=csv", []string{"Accept", "text/csv"}, 200},
		"not modified":           {"GET", test, target, []string{"If-None-Match", tag}, 304},
		"another's tag":          {"GET", liveKey, target, []string{"If-None-Match", tag}, 200},
		"no key":                 {"GET", "", target, []string{"If-None-Match", tag}, 401},
		"a wrong value":          {"GET", test, target + "&weeks=0", nil, 422},
		"health":                 {"GET", test, "/health", nil, 200},
		"what is kept":           {"GET", liveKey, "/v1/ltl/audits", nil, 200},
		"a document that is not": {"GET", test, "/v1/evidence/" + strings.Repeat("0", 64) + "?at=1", nil, 404},
		"an audit":               {"POST", liveKey, auditPath, nil, 200},
	} {
		t.Run(name, func(t *testing.T) {
			var r *response
			if c.method == http.MethodPost {
				r = g.post(c.key, c.target, "application/json", `[{"carrier":"ODFL"}]`)
			} else {
				r = g.do(c.method, c.key, c.target, c.headers...)
			}
			if vary := r.Header["Vary"]; r.StatusCode != c.status || len(vary) == 0 || vary[0] != byCaller {
				t.Errorf("%d, Vary %q", r.StatusCode, vary)
			}
		})
	}
	if r := g.get("", "/openapi.json", "Accept-Encoding", "identity"); r.StatusCode != 200 || r.Header.Get("Vary") != "Accept-Encoding" {
		t.Errorf("the same for all: %d, Vary %q", r.StatusCode, r.Header["Vary"])
	}
}

// However many ask at once, over two gateways, the source is read once, and callers who leave do not end it.
func TestOneReadForAll(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	w := s.worker(contracts.Test)
	w.slow.Store(int64(300 * time.Millisecond))
	gateways := []*runningGateway{s.gateway(), s.gateway()}
	key := s.key()
	hasty := &http.Client{Transport: s.client.Transport, Timeout: 20 * time.Millisecond}
	req, _ := http.NewRequest(http.MethodGet, gateways[0].url+surchargePath+"?carriers=ODFL", nil)
	req.Header.Set("X-API-Key", key)
	if resp, err := hasty.Do(req); err == nil {
		resp.Body.Close()
		t.Fatal("the hasty caller was answered")
	}
	var asking sync.WaitGroup
	for i := range 200 {
		asking.Go(func() {
			r, err := gateways[i%2].try(http.MethodGet, key, surchargePath+"?carriers=ODFL&weeks="+strconv.Itoa(1+i%2))
			if err != nil || r.StatusCode != 200 {
				t.Errorf("%v %v", r, err)
			}
		})
	}
	asking.Wait()
	if n := w.asked.Load(); n > 4 { // one for each gateway and number of weeks; the worker's cache makes one read of them
		t.Errorf("%d requests to the worker", n)
	}
}

// An entry that is corrupt or of another version is a miss.
func TestBadEntriesAreMisses(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Test)
	g := s.gateway()
	key := s.key()
	answers, err := s.js.KeyValue(t.Context(), contracts.AnswersBucket.Name)
	if err != nil {
		t.Fatal(err)
	}
	for i, value := range []string{"", "{", `{"carrier":7}`, `[]`, `{"read_at":"2026-01-01T00:00:00Z","expires_at":"2099-01-01T00:00:00Z","weeks":"none"}`} {
		c := contracts.Carriers[i]
		if _, err := answers.PutString(t.Context(), string(contracts.SurchargeKey(contracts.Test, c)), value); err != nil {
			t.Fatal(err)
		}
		if r := g.get(key, surchargePath+"?carriers="+string(c)); r.StatusCode != 200 {
			t.Errorf("%s: %d %s", value, r.StatusCode, r.body)
		}
	}
}

func TestWithoutNATS(t *testing.T) {
	waitsForSeconds(t)
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Test)
	g := s.gateway()
	key := s.key(limit(60))
	stranger := s.key()
	if r := g.get(key, surchargePath+"?carriers=ODFL"); r.StatusCode != 200 {
		t.Fatalf("%d %s", r.StatusCode, r.body)
	}
	issued := time.Now()
	clocktest.Await(t, "the gateway knows the key", func() bool { return g.knowsKeysOf(issued) })
	opts := bustest.Stop(s.nats)
	for range 3 {
		if r := g.get(key, surchargePath+"?carriers=ODFL"); r.StatusCode != 200 {
			t.Errorf("cached: %d %s", r.StatusCode, r.body)
		}
		// Who waits until the time is over is told to retry later than who learns that the bus is away.
		if r := g.get(key, surchargePath+"?carriers=SAIA"); r.StatusCode != 503 || r.Header.Get("Retry-After") != "2" {
			t.Errorf("not cached: %d %s", r.StatusCode, r.body)
		}
	}
	if r := g.get("0a1b2c3d4emsh5f6a7b8c9d0e1f2p", surchargePath); r.StatusCode != 503 {
		t.Errorf("unknown key: %d %s", r.StatusCode, r.body)
	}
	if r := g.get(stranger, surchargePath+"?carriers=ODFL"); r.StatusCode != 200 {
		t.Errorf("a key that was never used but is known: %d %s", r.StatusCode, r.body)
	}
	bustest.Start(t, opts)
	clocktest.Await(t, "misses are answered again", func() bool {
		r, err := g.try(http.MethodGet, key, surchargePath+"?carriers=SAIA")
		return err == nil && r.StatusCode == 200
	})
}

func TestNoWorkerIsToldAtOnce(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	g := s.gateway()
	key := s.key()
	if r := g.get(key, surchargePath+"?carriers=ODFL"); r.StatusCode != 503 || r.Header.Get("Retry-After") != "5" { // as above
		t.Errorf("%d %v %s", r.StatusCode, r.Header, r.body)
	}
}
