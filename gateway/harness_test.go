package gateway_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"assay.dev/contracts"
	"assay.dev/gateway"
	"assay.dev/gateway/keys"
	"assay.dev/platform/bus"
	"assay.dev/platform/bustest"
	"assay.dev/platform/cache"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/daemon"
	"assay.dev/platform/daemon/daemontest"
	"assay.dev/platform/kv"
)

func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	goleak.VerifyTestMain(m)
}

// system is a NATS server with its gateways, and a way to ask them.
type system struct {
	t      testing.TB
	nats   *server.Server
	js     jetstream.JetStream
	bus    bus.Deps
	keys   *keys.Store
	spec   spec
	client *http.Client
}

// hangs is how long an answer takes at least that never comes. Ten thousand lines of an audit are read for 20 s on a busy machine.
const hangs = clocktest.Patience

func newSystem(t testing.TB) *system {
	t.Helper()
	srv := bustest.Server(t)
	conn := bustest.Connect(t, srv)
	js := bustest.JetStream(t, conn)
	store, err := keys.OpenStore(t.Context(), js)
	if err != nil {
		t.Fatal(err)
	}
	s := &system{
		t: t, nats: srv, js: js, bus: bus.Deps{Conn: conn}, keys: store, spec: newSpec(t),
		client: &http.Client{Transport: &http.Transport{}, Timeout: hangs},
	}
	t.Cleanup(s.client.CloseIdleConnections)
	return s
}

// waitsForSeconds leaves a test out of the short ones: it waits for an interval that is promised, such as the seconds that a slow body may
// take.
func waitsForSeconds(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("waits for seconds")
	}
}

// gateway is a running gateway.
type runningGateway struct {
	*system
	url   string
	admin string
	stop  func() error
}

// gateway starts one and waits until it is ready. It ends with the test, if not before.
func (s *system) gateway(edit ...func(*gateway.Config)) *runningGateway {
	s.t.Helper()
	return s.gatewayWithLog(slog.New(slog.DiscardHandler), edit...)
}

func (s *system) gatewayWithLog(log *slog.Logger, edit ...func(*gateway.Config)) *runningGateway {
	s.t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		s.t.Fatal(err)
	}
	cfg := gateway.Config{
		Config: daemon.Config{NATSURL: s.nats.ClientURL(), AdminListen: "127.0.0.1:0", StopTimeout: 20 * time.Second,
			NATSPatience: time.Second},
		Listen: l.Addr().String(), Listener: l, CacheBytes: 1 << 20, RateLimit: 60, AnonymousLimit: 1000, AnonymousRate: 1000,
		AuditLinePrice: 3_000, MatchLinePrice: 5_000, UpcomingTools: true, StoreTime: clocktest.Patience,
	}
	for _, f := range edit {
		f(&cfg)
	}
	if err := cfg.Validate(); err != nil {
		s.t.Fatal(err)
	}
	host, err := daemon.NewHost(s.t.Context(), cfg.Config, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	host.Log, cfg.Host = log, host
	stop := daemontest.Start(s.t, host, contracts.Gateway, "", func(ctx context.Context) error { return gateway.Run(ctx, cfg) })
	return &runningGateway{system: s, url: "http://" + l.Addr().String(), admin: host.AdminURL(), stop: stop}
}

// key issues a key; the default is a test key for both products with room for many requests.
func (s *system) key(edit ...func(*keys.Record)) string {
	s.t.Helper()
	r := keys.Record{Tenant: "acme", Environment: contracts.Test, Products: contracts.Products, Limit: 1_000_000}
	for _, f := range edit {
		f(&r)
	}
	key, err := s.keys.Create(s.t.Context(), r)
	if err != nil {
		s.t.Fatal(err)
	}
	return key
}

func limit(n int) func(*keys.Record)     { return func(r *keys.Record) { r.Limit = n } }
func tenant(s string) func(*keys.Record) { return func(r *keys.Record) { r.Tenant = s } }
func live(r *keys.Record)                { r.Environment = contracts.Live }
func products(p ...contracts.Product) func(*keys.Record) {
	return func(r *keys.Record) { r.Products = p }
}

// response is an answer that was read and checked against the OpenAPI document.
type response struct {
	*http.Response
	body []byte
}

func (r *response) code() contracts.Code {
	var body struct {
		Detail json.RawMessage `json:"detail"`
	}
	var coded struct {
		Error contracts.Code `json:"error"`
	}
	_ = json.Unmarshal(r.body, &body)
	_ = json.Unmarshal(body.Detail, &coded)
	return coded.Error
}

// violations are loc and type of each, as "query.weeks int_parsing".
func (r *response) violations() string {
	var body struct {
		Detail []contracts.Violation `json:"detail"`
	}
	_ = json.Unmarshal(r.body, &body)
	var all []string
	for _, v := range body.Detail {
		all = append(all, strings.Join(v.Loc, ".")+" "+v.Type)
	}
	return strings.Join(all, ", ")
}

// byCaller is what every reply of an endpoint with a key varies by.
const byCaller = "X-API-Key, X-RapidAPI-Key, X-RapidAPI-User, Authorization, Cookie"

// vary is what a reply varies by.
func (r *response) vary() string { return strings.Join(r.Header.Values("Vary"), ", ") }

// left is how many requests of the limit are left, where the reply tells.
func (r *response) left() string {
	left, _, _ := strings.Cut(strings.TrimPrefix(r.Header.Get("Ratelimit"), `"default";r=`), ";t=")
	return left
}

// get asks with key and the further headers, given as name, value.
func (g *runningGateway) get(key, target string, headers ...string) *response {
	g.t.Helper()
	return g.do(http.MethodGet, key, target, headers...)
}

func (g *runningGateway) do(method, key, target string, headers ...string) *response {
	g.t.Helper()
	r, err := g.try(method, key, target, headers...)
	if err != nil {
		g.t.Fatal(err)
	}
	if method == http.MethodGet {
		g.spec.check(g.t, r.Response, r.body)
	}
	return r
}

func (g *runningGateway) try(method, key, target string, headers ...string) (*response, error) {
	req, err := http.NewRequestWithContext(g.t.Context(), method, g.url+target, nil)
	if err != nil {
		return nil, err
	}
	if key != "" {
		req.Header.Set("X-API-Key", key)
	}
	return g.send(req, headers)
}

// send sends a request with further headers and reads the answer.
func (g *runningGateway) send(req *http.Request, headers []string) (*response, error) {
	for i := 0; i < len(headers); i += 2 {
		req.Header.Add(headers[i], headers[i+1])
	}
	resp, err := g.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return &response{resp, body}, err
}

// post sends a body of a media type.
func (g *runningGateway) post(key, target, mediaType, body string, headers ...string) *response {
	g.t.Helper()
	r, err := g.tryPost(key, target, mediaType, strings.NewReader(body), headers...)
	if err != nil {
		g.t.Fatal(err)
	}
	if mediaType != "application/x-ndjson" || r.StatusCode != http.StatusOK { // the validator takes it for one JSON value
		g.spec.check(g.t, r.Response, r.body)
	}
	return r
}

// tryPost sends a body, chunked where its length cannot be told.
func (g *runningGateway) tryPost(key, target, mediaType string, body io.Reader, headers ...string) (*response, error) {
	req, err := http.NewRequestWithContext(g.t.Context(), http.MethodPost, g.url+target, body)
	if err != nil {
		return nil, err
	}
	req.Header = http.Header{"Content-Type": {mediaType}, "X-Api-Key": {key}}
	return g.send(req, headers)
}

// raw sends bytes as they are and reads one answer.
func (g *runningGateway) raw(request string) (*http.Response, error) {
	conn, err := net.Dial("tcp", strings.TrimPrefix(g.url, "http://"))
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(hangs))
	if _, err := io.WriteString(conn, request); err != nil && !strings.Contains(err.Error(), "reset") {
		return nil, err
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return nil, err
	}
	resp.Body.Close()
	return resp, nil
}

// metrics is the text of the admin port's /metrics.
func (g *runningGateway) metrics() string {
	g.t.Helper()
	req, err := http.NewRequestWithContext(g.t.Context(), http.MethodGet, g.admin+"/metrics", nil)
	if err != nil {
		g.t.Fatal(err)
	}
	r, err := g.send(req, []string{"Accept-Encoding", "identity"}) // compressed they cost three times as much
	if err != nil {
		g.t.Fatal(err)
	}
	return string(r.body)
}

// metric is the value of a series, as /metrics names it; an error where it is not there.
func (g *runningGateway) metric(series string) (value float64, err error) {
	g.t.Helper()
	_, rest, _ := strings.Cut(g.metrics(), series+" ")
	_, err = fmt.Sscan(rest, &value)
	return value, err
}

// worker stands for the ltl- and abc-workers: it answers over the real bus and stores over the real cache.
type worker struct {
	*bus.Server
	asked  atomic.Int64
	fail   atomic.Pointer[contracts.Error] // every read fails with it
	broken atomic.Pointer[contracts.Carrier]
	slow   atomic.Int64 // nanoseconds before an answer
	// reading is held where readings are to wait.
	reading sync.RWMutex
	weeks   atomic.Int64 // how many are known
	tenths  atomic.Int64 // of the percent that the carriers show
	age     atomic.Int64 // nanoseconds since an answer was read
	extra   atomic.Int64 // seconds for which an answer is servable beyond an hour
	// revoked: all licenses are.
	revoked atomic.Bool
	// evidence are the documents that answers were read from; nil for none.
	evidence atomic.Pointer[[]contracts.Evidence]
	// lastPeriod is the last request for past weeks.
	lastPeriod atomic.Pointer[contracts.HistoryRequest]
	// matches are what a search finds; nil for one. whole is how many of them one answer holds at most; 0 for all.
	matches atomic.Pointer[[]contracts.LicenseRecord]
	whole   atomic.Int64
}

// workerName is the queue group of an environment's workers.
func workerName(env contracts.Environment) string { return "worker-" + string(env) }

func (s *system) worker(env contracts.Environment) *worker {
	s.t.Helper()
	store, err := cache.Open(s.t.Context(), s.js, cache.Deps{})
	if err != nil {
		s.t.Fatal(err)
	}
	w := &worker{}
	w.weeks.Store(26)
	w.tenths.Store(465)
	w.age.Store(int64(time.Hour))
	var endpoints []bus.Endpoint
	for _, c := range contracts.Carriers {
		endpoints = append(endpoints, bus.Handle("surcharge-"+string(c), contracts.SurchargeSubject(env, c),
			func(ctx context.Context, r contracts.SurchargeRequest) (contracts.SurchargeAnswer, error) {
				w.asked.Add(1)
				return answer(ctx, store, contracts.SurchargeKey(env, r.Carrier), r.Fresh, func() (contracts.SurchargeAnswer, error) {
					return w.surcharge(r.Carrier)
				})
			}))
	}
	for _, c := range contracts.Carriers {
		endpoints = append(endpoints, bus.Handle("history-"+string(c), contracts.HistorySubject(env, c), w.history))
	}
	for _, state := range contracts.States {
		endpoints = append(endpoints,
			bus.Handle("license-"+string(state), contracts.LicenseSubject(env, state),
				func(ctx context.Context, r contracts.LicenseRequest) (contracts.LicenseAnswer, error) {
					w.asked.Add(1)
					if !r.Fresh {
						return w.license(r) // only fresh requests are about what is stored
					}
					return answer(ctx, store, contracts.LicenseKey(env, r), r.Fresh, func() (contracts.LicenseAnswer, error) { return w.license(r) })
				}),
			bus.Handle("search-"+string(state), contracts.SearchSubject(env, state),
				func(ctx context.Context, r contracts.SearchRequest) (contracts.SearchAnswer, error) {
					w.asked.Add(1)
					return answer(ctx, store, contracts.SearchKey(env, r), r.Fresh, func() (contracts.SearchAnswer, error) { return w.search(r) })
				}))
	}
	s.atEnd(store.Close)
	w.Server = s.serve(workerName(env), endpoints...)
	return w
}

// serve answers on endpoints until the test ends.
func (s *system) serve(name string, endpoints ...bus.Endpoint) *bus.Server {
	s.t.Helper()
	server, err := bus.Serve(s.bus, bus.Service{Name: name, Version: "1.0.0", Capacity: 100, MaxTime: 10 * time.Second, Endpoints: endpoints})
	if err != nil {
		s.t.Fatal(err)
	}
	s.atEnd(server.Stop)
	return server
}

// atEnd stops something when the test ends, what was started last first.
func (s *system) atEnd(stop func(context.Context) error) {
	s.t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), clocktest.Patience)
		defer cancel()
		_ = stop(ctx)
	})
}

// awaitStored waits for an answer to be stored: clients are told it before.
func (s *system) awaitStored(key contracts.CacheKey) { s.awaitStoredWith(key, "") }

// awaitStoredWith waits for the stored answer to hold a text.
func (s *system) awaitStoredWith(key contracts.CacheKey, text string) {
	answers, err := s.js.KeyValue(s.t.Context(), contracts.AnswersBucket.Name)
	if err != nil {
		s.t.Fatal(err)
	}
	clocktest.Await(s.t, "the answer is stored", func() bool {
		entry, err := answers.Get(s.t.Context(), string(key))
		if err != nil {
			return false
		}
		doc, err := kv.Expand(entry.Value())
		return err == nil && bytes.Contains(doc, []byte(text))
	})
}

// answer answers from the cache, or reads. A fresh reading is made as by the workers, whatever the age of the copy.
func answer[A any, P interface {
	*A
	Origin() *contracts.Provenance
}](ctx context.Context, store *cache.Store, key contracts.CacheKey, fresh bool, read func() (A, error)) (A, error) {
	fetch := func(context.Context) (A, error) { return read() }
	stored, err := store.Get(ctx, key)
	if !fresh || err != nil {
		return cache.Fill(ctx, store, key, fetch)
	}
	a, done, err := cache.Refresh(ctx, store, cache.Renewal{Key: key, Replaces: stored.Revision}, fetch)
	if done {
		return a, nil
	}
	a, copyErr := cache.Fill(ctx, store, key, fetch)
	P(&a).Origin().RefreshFailed = err != nil
	return a, copyErr
}

func (w *worker) provenance() contracts.Provenance {
	now := time.Now().UTC()
	var evidence []contracts.Evidence
	if kept := w.evidence.Load(); kept != nil {
		evidence = *kept
	}
	return contracts.Provenance{
		Schema: contracts.AnswerSchema, Evidence: evidence,
		ReadAt: now.Add(-time.Hour), ExpiresAt: now.Add(time.Hour + time.Duration(w.extra.Load())*time.Second), Method: contracts.StructuredParse, EvidenceURL: "https://carrier.test/fuel",
	}
}

func (w *worker) surcharge(c contracts.Carrier) (contracts.SurchargeAnswer, error) {
	time.Sleep(time.Duration(w.slow.Load()))
	w.reading.RLock()
	defer w.reading.RUnlock()
	if err := w.fail.Load(); err != nil {
		return contracts.SurchargeAnswer{}, err
	}
	if broken := w.broken.Load(); broken != nil && *broken == c {
		return contracts.SurchargeAnswer{}, contracts.Errorf(contracts.SourceUnavailable, "%s's page cannot be read at the moment", c).After(time.Minute)
	}
	a := contracts.SurchargeAnswer{Provenance: w.provenance(), Carrier: c}
	a.ReadAt = time.Now().UTC().Add(-time.Duration(w.age.Load()))
	for i := range w.weeks.Load() {
		diesel := 3.75
		week := contracts.SurchargeWeek{EffectiveDate: contracts.Date("2026-09-21").AddDays(-7 * int(i)), Percent: float64(w.tenths.Load()) / 10, DieselUSD: &diesel}
		if i > 0 {
			week.EndDate = week.EffectiveDate.AddDays(6)
		}
		if c == contracts.ABF {
			week.DieselUSD = nil
		}
		a.Weeks = append(a.Weeks, contracts.ObservedWeek{SurchargeWeek: week, Tally: contracts.Tally{Clean: 3, Required: 3}})
	}
	return a, nil
}

// history knows two weeks of each carrier but TFORCE: those that begin 2026-09-02 and 2026-09-09. SAIA has announced nothing.
func (w *worker) history(_ context.Context, r contracts.HistoryRequest) (contracts.HistoryAnswer, error) {
	w.asked.Add(1)
	w.lastPeriod.Store(&r)
	if err := w.fail.Load(); err != nil {
		return contracts.HistoryAnswer{}, err
	}
	if r.Announced && r.To > "2026-12-31" {
		return contracts.HistoryAnswer{}, contracts.Invalid("query", "to", "date_future", "%s has not announced any day after 2026-12-31", r.Carrier)
	}
	a := contracts.HistoryAnswer{SurchargeAnswer: contracts.SurchargeAnswer{Provenance: w.provenance(), Carrier: r.Carrier}, From: r.From, To: r.To}
	a.Complete = true
	for _, first := range []contracts.Date{"2026-09-09", "2026-09-02"} {
		last := first.AddDays(6)
		if r.Carrier != contracts.TFORCE && first <= r.To && last >= r.From {
			week := contracts.SurchargeWeek{EffectiveDate: first, EndDate: last, Percent: 46.32}
			a.Weeks = append(a.Weeks, contracts.ObservedWeek{SurchargeWeek: week, Tally: contracts.Tally{Clean: 2, Required: 2}, Until: last})
		}
	}
	a.Before = "2026-08-26"
	return a, nil
}

func record(number string) contracts.LicenseRecord {
	return contracts.LicenseRecord{
		LicenseNumber: number, LicenseTypeCode: "47", DBAName: "THE A & B <BAR>", OwnerName: "EXAMPLE OWNER LLC", ExpirationDate: "2027-06-30",
		Status: contracts.Active, Address: contracts.Address{Raw: "1 MAIN ST, TOWN, CA 90001", City: "TOWN", State: "CA"}, Suspensions: []contracts.Suspension{},
	}
}

// record is a license as it stands now: revoked, once that is set.
func (w *worker) record(number string) contracts.LicenseRecord {
	r := record(number)
	if w.revoked.Load() {
		r.Status = contracts.Revoked
	}
	return r
}

func (w *worker) license(r contracts.LicenseRequest) (contracts.LicenseAnswer, error) {
	if err := w.fail.Load(); err != nil {
		return contracts.LicenseAnswer{}, err
	}
	a := contracts.LicenseAnswer{Provenance: w.provenance(), Tally: contracts.Tally{Clean: 9, Required: 10}, State: r.State, Number: r.Number}
	switch {
	case r.State == contracts.TX:
		return a, contracts.Errorf(contracts.CaptchaSolverNotConfigured, "set ASSAY_SOLVER_KEY")
	case !strings.Contains(r.Number, "999999"): // those are absent
		rec := w.record(r.Number)
		a.Record = &rec
	}
	return a, nil
}

func (w *worker) search(r contracts.SearchRequest) (contracts.SearchAnswer, error) {
	if err := w.fail.Load(); err != nil {
		return contracts.SearchAnswer{}, err
	}
	all := []contracts.LicenseRecord{w.record("632923")}
	if matches := w.matches.Load(); matches != nil {
		all = *matches
	}
	a := contracts.SearchAnswer{
		Provenance: w.provenance(), Tally: contracts.Tally{Clean: 1, Required: 1}, State: r.State, Query: r.Query,
		Total: len(all), Results: []contracts.LicenseRecord{}, Whole: true,
	}
	for _, match := range all {
		if match.Position().Compare(r.After) > 0 {
			a.Results = append(a.Results, match)
		}
	}
	if most := int(w.whole.Load()); most > 0 && len(a.Results) > most {
		a.Results, a.Whole = a.Results[:most], false
	}
	return a, nil
}

func TestConfigIsComplete(t *testing.T) {
	if _, err := daemon.Load[gateway.Config](daemon.OSEnviron()); err != nil && os.Getenv("ASSAY_LISTEN") == "" {
		t.Error(err)
	}
}
