package captchaworker

import (
	"context"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"go.uber.org/goleak"

	"assay.dev/captcha-worker/credits"
	"assay.dev/captcha-worker/renderer"
	"assay.dev/captcha-worker/solver"
	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/bustest"
	"assay.dev/platform/daemon"
	"assay.dev/platform/daemon/daemontest"
	"assay.dev/platform/jobs"
	"assay.dev/platform/kv"
	"assay.dev/platform/scrape"
	"assay.dev/sandbox"
	solvers "assay.dev/sandbox/solver"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// world is a NATS server, the sandbox and the sender's end of the work queue.
type world struct {
	nats    *server.Server
	sandbox *sandbox.Sandbox
	jobs    *jobs.Queue
	client  *bus.Client
}

func newWorld(t *testing.T) *world {
	t.Helper()
	box, err := sandbox.Start(sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = box.Close() })
	for _, provider := range box.Licensing().Solvers {
		behave(t, provider, func(b *solvers.Behaviour) { b.Delay = 50 * time.Millisecond })
	}
	w := &world{nats: bustest.Server(t), sandbox: box}
	conn := bustest.Connect(t, w.nats)
	w.client = bus.NewClient(bus.Deps{Conn: conn})
	w.jobs, err = jobs.Open(t.Context(), bus.Deps{Conn: conn}, bustest.JetStream(t, conn), contracts.Test)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func behave(t *testing.T, p *solvers.Provider, change func(*solvers.Behaviour)) {
	t.Helper()
	b := p.Behaviour()
	change(&b)
	if err := p.Behave(b); err != nil {
		t.Fatal(err)
	}
}

func (w *world) config() Config {
	proxy := w.sandbox.ProxyURL()
	return Config{
		Config:      daemon.Config{NATSURL: w.nats.ClientURL(), AdminListen: "off", StopTimeout: 20 * time.Second},
		Egress:      scrape.Egress{HTTPSProxy: proxy, HTTPProxy: proxy, CAFile: w.sandbox.CAFile()},
		Environment: contracts.Test,
		SolverConfig: solver.Config{
			Provider: string(solvers.TwoCaptcha), Key: solvers.Key, Poll: 20 * time.Millisecond,
		},
		RendererConfig: renderer.Config{Key: "sandbox-render-key", URL: "https://api.scraperapi.com"},
		SolveSlots:     8, SolveBudget: 20, RenderSlots: 5, RenderBudget: 1000,
	}
}

// start runs a worker until the test ends, and gives its metrics.
func (w *world) start(t *testing.T, cfg Config) *prometheus.Registry {
	t.Helper()
	host, err := daemon.NewHost(t.Context(), cfg.Config, nil)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Host = host
	daemontest.Start(t, host, contracts.CaptchaWorker, contracts.Test,
		func(ctx context.Context) error { return Run(ctx, cfg) })
	return host.Registry
}

// accounts is how many metrics tell what is left on the accounts of providers.
func accounts(t *testing.T, registry *prometheus.Registry) int {
	t.Helper()
	n, err := testutil.GatherAndCount(registry, "captcha_balance_usd", "captcha_budget_remaining_usd",
		"render_credits_remaining")
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func (w *world) ledger(t *testing.T, kind contracts.JobKind) *credits.Ledger {
	t.Helper()
	js := bustest.JetStream(t, bustest.Connect(t, w.nats))
	bucket, err := kv.Open(t.Context(), js, contracts.CreditsBucket)
	if err != nil {
		t.Fatal(err)
	}
	return credits.Open(js, bucket, contracts.Test, kind, 0, false)
}

func (w *world) month(t *testing.T, kind contracts.JobKind) credits.Month {
	t.Helper()
	m, err := w.ledger(t, kind).Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// solve sends a fresh image and returns what it reads.
func (w *world) solve(ctx context.Context, id string) (want string, got contracts.SolveResult, err error) {
	image, want := w.sandbox.Licensing().Captchas.Draw()
	got, err = jobs.Do[contracts.SolveResult](ctx, w.jobs, contracts.Solve, id,
		contracts.SolveJob{Image: image, CaseSensitive: true})
	return want, got, err
}

// solver asks which service solves CAPTCHAs.
func (w *world) solver(ctx context.Context) (contracts.SolverAnswer, error) {
	return bus.Call[contracts.SolverAnswer](ctx, w.client, contracts.SolverSubject(contracts.Test),
		contracts.SolverRequest{})
}

func within(t *testing.T, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}
