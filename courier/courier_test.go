package courier

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/daemon"
	"assay.dev/platform/daemon/daemontest"
	"assay.dev/platform/feed"
	"assay.dev/platform/webhook"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const key = "a key that has thirty-two characters"

// stand is a NATS server on which couriers run.
type stand struct {
	*testing.T
	nats   *server.Server
	js     jetstream.JetStream
	bucket jetstream.KeyValue
	sealer *webhook.Sealer
	turns  turns
}

// turns counts, in a log, how often a courier got the right to work. One that takes over repeats what was not noted; without another turn
// nothing comes twice.
type turns struct{ atomic.Int64 }

func (t *turns) Write(line []byte) (int, error) {
	if bytes.Contains(line, []byte("this process has the right to work")) {
		t.Add(1)
	}
	return len(line), nil
}

func newStand(t *testing.T) *stand {
	t.Helper()
	s := &stand{T: t, nats: bustest.Server(t)}
	s.js = bustest.JetStream(t, bustest.Connect(t, s.nats))
	var err error
	if s.bucket, err = s.js.KeyValue(t.Context(), contracts.EndpointsBucket.Name); err == nil {
		s.sealer, err = webhook.NewSealer(key)
	}
	s.must(err)
	return s
}

func (s *stand) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// courier runs one until the test ends, or until it is stopped.
func (s *stand) courier(edit ...func(*Config)) (stop func() error) {
	s.Helper()
	cfg := Config{
		Config:   daemon.Config{NATSURL: s.nats.ClientURL(), AdminListen: "off", StopTimeout: 20 * time.Second, NATSPatience: time.Second},
		Webhooks: Webhooks{WebhookKey: key, WebhookLoopback: true}, Schedule: []time.Duration{30 * time.Millisecond, 30 * time.Millisecond, time.Hour},
	}
	for _, f := range edit {
		f(&cfg)
	}
	host, err := daemon.NewHost(s.Context(), cfg.Config, nil)
	s.must(err)
	host.Log, cfg.Host = slog.New(slog.NewTextHandler(&s.turns, nil)), host
	return daemontest.Start(s.T, host, contracts.Courier, "", func(ctx context.Context) error { return Run(ctx, cfg) })
}

// place is the newest one of the stream of changes.
func (s *stand) place() feed.Cursor {
	s.Helper()
	stream, err := s.js.Stream(s.Context(), contracts.ChangesStream.Name)
	s.must(err)
	info := stream.CachedInfo()
	return feed.Cursor{Epoch: info.Config.Metadata[contracts.EpochKey], Sequence: info.State.LastSeq}
}

// keep makes an endpoint of the test environment, and returns its key and its secret.
func (s *stand) keep(url string, edit ...func(*webhook.Endpoint)) (key, secret string) {
	s.Helper()
	id := fmt.Sprintf("e%d", time.Now().UnixNano())
	key = "test.owner." + id
	secret, sealed := s.sealer.New(key)
	e := webhook.Endpoint{ID: id, URL: url, Products: contracts.Products, Secrets: []webhook.Sealed{sealed}, Cursor: s.place()}
	for _, f := range edit {
		f(&e)
	}
	s.create(key, e)
	return key, secret
}

func (s *stand) create(key string, e webhook.Endpoint) {
	s.Helper()
	doc, err := json.Marshal(e)
	s.must(err)
	_, err = s.bucket.Create(s.Context(), key, doc)
	s.must(err)
}

func (s *stand) kept(key string) (e webhook.Endpoint) {
	s.Helper()
	entry, err := s.bucket.Get(s.Context(), key)
	s.must(err)
	s.must(json.Unmarshal(entry.Value(), &e))
	return e
}

// change publishes that the status of a license of CA changed.
func (s *stand) change(env contracts.Environment, number string) (id string, doc []byte) {
	s.Helper()
	c := contracts.Change{ID: "CA.e." + number, Type: contracts.StatusChanged, Product: contracts.ABC, Source: "CA", Data: contracts.ChangeData{
		LicenseNumber: number, Before: &contracts.ChangeValues{Status: contracts.Active}, After: &contracts.ChangeValues{Status: contracts.Suspended},
	}}
	doc, err := json.Marshal(c)
	s.must(err)
	_, err = s.js.Publish(s.Context(), contracts.ChangeSubject(env, contracts.ABC, "CA", contracts.StatusChanged).Name, doc)
	s.must(err)
	return c.ID, doc
}

// deliveries are those that were noted of an endpoint, the oldest first.
func (s *stand) deliveries(key string) (all []webhook.Noted) {
	s.Helper()
	stream, err := s.js.Stream(s.Context(), contracts.DeliveriesStream.Name)
	s.must(err)
	info, err := stream.Info(s.Context())
	s.must(err)
	for seq := info.State.FirstSeq; seq > 0 && seq <= info.State.LastSeq; seq++ {
		msg, err := stream.GetMsg(s.Context(), seq)
		if err != nil || msg.Subject != contracts.DeliverySubject(key).Name {
			continue
		}
		var d webhook.Noted
		s.must(json.Unmarshal(msg.Data, &d))
		all = append(all, d)
	}
	return all
}

// received is a request that came to a receiver.
type received struct {
	http.Header
	body []byte
	at   time.Time
}

func (r *received) id() string { return r.Get("Webhook-Id") }

// receiver takes deliveries, and answers as it is told.
type receiver struct {
	*httptest.Server
	mu  sync.Mutex
	all []received
}

func (s *stand) receiver(answer func(w http.ResponseWriter, r *http.Request, n int)) *receiver {
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		r.mu.Lock()
		r.all = append(r.all, received{req.Header, body, time.Now()})
		n := len(r.all)
		r.mu.Unlock()
		if answer != nil {
			answer(w, req, n)
		}
	}))
	s.Cleanup(r.Close)
	return r
}

func (r *receiver) got() []received {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.all)
}

func (r *receiver) ids() (all []string) {
	for _, g := range r.got() {
		all = append(all, g.id())
	}
	return all
}

func (s *stand) await(what string, condition func() bool) {
	s.Helper()
	clocktest.Await(s.T, what, condition)
}

// status answers with one.
func status(code int) func(http.ResponseWriter, *http.Request, int) {
	return func(w http.ResponseWriter, _ *http.Request, _ int) { w.WriteHeader(code) }
}

func join(all []string) string { return strings.Join(all, " ") }
