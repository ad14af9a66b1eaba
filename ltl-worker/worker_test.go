package ltlworker_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"assay.dev/contracts"
	ltlworker "assay.dev/ltl-worker"
	"assay.dev/ltl-worker/wording"
	"assay.dev/platform/bus"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/daemon"
	"assay.dev/platform/daemon/daemontest"
	"assay.dev/platform/kv"
	platform "assay.dev/platform/worker"
	"assay.dev/sandbox"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// system is a NATS server and a sandbox, for workers to run on.
type system struct {
	*testing.T
	nats    *server.Server
	sandbox *sandbox.Sandbox
	conn    *nats.Conn
	js      jetstream.JetStream
	client  *bus.Client
	clock   func() time.Time
}

func start(t *testing.T, clock func() time.Time) *system {
	t.Helper()
	s := &system{T: t, nats: bustest.Server(t), clock: clock}
	var err error
	s.sandbox, err = sandbox.Start(sandbox.Options{Clock: clock})
	s.must(err)
	t.Cleanup(func() { _ = s.sandbox.Close() })
	s.conn = bustest.Connect(t, s.nats)
	s.js = bustest.JetStream(t, s.conn)
	s.must(wording.AcceptSandbox(t.Context(), s.js))
	s.client = bus.NewClient(bus.Deps{Conn: s.conn})
	return s
}

func (s *system) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// worker is a worker of the test environment that runs until stop or the end of the test.
type worker struct {
	host *daemon.Host
	stop func() error
}

func (s *system) worker(adjust ...func(*ltlworker.Config)) *worker {
	s.Helper()
	settings := daemon.Config{AdminListen: "off", LogLevel: slog.LevelError + 4}
	host, err := daemon.NewHost(context.Background(), settings, s.nats)
	s.must(err)
	settings.Host = host
	cfg := ltlworker.Config{Config: platform.Config{Config: settings, Environment: contracts.Test, EvidenceWait: clocktest.Patience}, Clock: s.clock, Capacity: 20_000}
	cfg.HTTPSProxy, cfg.CAFile = s.sandbox.ProxyURL(), s.sandbox.CAFile()
	cfg.Bin = "/nonexistent/chromium" // withChromium is for those that need one
	for _, a := range adjust {
		a(&cfg)
	}
	return &worker{host, daemontest.Start(s, host, contracts.LTL.Worker(), contracts.Test, func(ctx context.Context) error {
		return ltlworker.Run(ctx, cfg)
	})}
}

func withChromium(c *ltlworker.Config) { c.Bin = "" }

func (s *system) ask(c contracts.Carrier) (contracts.SurchargeAnswer, error) {
	ctx, cancel := context.WithTimeout(s.Context(), clocktest.Patience)
	defer cancel()
	return bus.Call[contracts.SurchargeAnswer](ctx, s.client, contracts.SurchargeSubject(contracts.Test, c),
		contracts.SurchargeRequest{Carrier: c})
}

// right fails the test unless the answer holds the weeks that the sandbox shows, without diesel prices if told so.
func (s *system) right(a contracts.SurchargeAnswer, diesel bool) {
	s.Helper()
	want := s.sandbox.Surcharge(a.Carrier)
	want = want[:min(len(want), contracts.MaxWeeks)]
	var got []contracts.SurchargeWeek
	for _, w := range a.Weeks {
		got = append(got, w.SurchargeWeek)
	}
	if !diesel {
		for i := range want {
			want[i].DieselUSD = nil
		}
	}
	if !slices.EqualFunc(got, want, sameWeek) {
		g, _ := json.Marshal(got)
		w, _ := json.Marshal(want)
		s.Errorf("%s\n got %s\nwant %s", a.Carrier, g, w)
	}
}

func sameWeek(a, b contracts.SurchargeWeek) bool {
	return a.EffectiveDate == b.EffectiveDate && a.Percent == b.Percent &&
		sameFigure(a.DieselUSD, b.DieselUSD) && sameFigure(a.TruckloadPercent, b.TruckloadPercent)
}

func sameFigure(a, b *float64) bool { return (a == nil) == (b == nil) && (a == nil || *a == *b) }

// metric is the sum of the samples of a metric whose labels include those given as name=value.
func (w *worker) metric(t *testing.T, name string, labels ...string) float64 {
	t.Helper()
	families, err := w.host.Registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if f.GetName() != name {
				continue
			}
			has := 0
			for _, l := range m.GetLabel() {
				if slices.Contains(labels, l.GetName()+"="+l.GetValue()) {
					has++
				}
			}
			if has == len(labels) {
				sum += m.GetGauge().GetValue() + m.GetCounter().GetValue()
			}
		}
	}
	return sum
}

func needChromium(t *testing.T) {
	t.Helper()
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if _, err := exec.LookPath(name); err == nil {
			return
		}
	}
	t.Skip("no chromium in PATH: pages that need scripts are not tested")
}

func scripted(c contracts.Carrier) bool { return c == contracts.ESTES || c == contracts.ABF }

// expire makes the stored answer of a carrier one that must be replaced, and gives its revision.
func (s *system) expire(c contracts.Carrier) uint64 {
	s.Helper()
	return s.restore(c, func(a *contracts.SurchargeAnswer) { a.ExpiresAt = time.Now().Add(-time.Minute) })
}

// restore changes a carrier's stored answer.
func (s *system) restore(c contracts.Carrier, change func(*contracts.SurchargeAnswer)) uint64 {
	s.Helper()
	answers, err := s.js.KeyValue(s.Context(), contracts.AnswersBucket.Name)
	s.must(err)
	key := string(contracts.SurchargeKey(contracts.Test, c))
	var entry jetstream.KeyValueEntry
	clocktest.Await(s, "the answer is stored", func() bool { // after it is told
		entry, err = answers.Get(s.Context(), key)
		return err == nil
	})
	var a contracts.SurchargeAnswer
	doc, err := kv.Expand(entry.Value())
	s.must(err)
	s.must(json.Unmarshal(doc, &a))
	change(&a)
	value, err := json.Marshal(a)
	s.must(err)
	revision, err := answers.Update(s.Context(), key, value, entry.Revision())
	s.must(err)
	return revision
}

func (s *system) revision(c contracts.Carrier) uint64 {
	s.Helper()
	answers, err := s.js.KeyValue(s.Context(), contracts.AnswersBucket.Name)
	s.must(err)
	entry, err := answers.Get(s.Context(), string(contracts.SurchargeKey(contracts.Test, c)))
	s.must(err)
	return entry.Revision()
}

// The worker answers on the subject of each carrier, and on no other.
func TestServesTheSubjectsOfTheContract(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.worker()
	want := map[string]string{
		"diesel": contracts.DieselSubject(contracts.Test).Name, "verify": contracts.VerifySubject(contracts.Test, contracts.LTL).Name,
	}
	for _, c := range contracts.Carriers {
		want["surcharge-"+string(c)] = contracts.SurchargeSubject(contracts.Test, c).Name
		want["history-"+string(c)] = contracts.HistorySubject(contracts.Test, c).Name
		want["table-"+string(c)] = contracts.FuelTableSubject(contracts.Test, c).Name
	}
	if got := bustest.Subjects(t, s.conn, contracts.LTL.Worker()); !maps.Equal(got, want) {
		t.Errorf("serves %v\nwant %v", got, want)
	}
}
