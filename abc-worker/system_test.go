package abcworker_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	abcworker "assay.dev/abc-worker"
	"assay.dev/abc-worker/register/registertest"
	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/daemon"
	"assay.dev/platform/daemon/daemontest"
	"assay.dev/platform/jobs"
	"assay.dev/platform/worker"
	"assay.dev/sandbox"
	"assay.dev/sandbox/license"
	"assay.dev/sandbox/renderer"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// system is a NATS server and a sandbox, and the workers between them.
type system struct {
	*testing.T
	nats    *server.Server
	sandbox *sandbox.Sandbox
	conn    *nats.Conn
	js      jetstream.JetStream
	client  *bus.Client
}

func start(t *testing.T) *system {
	t.Helper()
	return startWith(t, license.Small())
}

func startWith(t *testing.T, licenses license.Sizes) *system {
	t.Helper()
	s := &system{T: t, nats: bustest.Server(t)}
	var err error
	s.sandbox, err = sandbox.Start(sandbox.Options{Licenses: licenses})
	s.must(err)
	t.Cleanup(func() {
		_ = s.sandbox.Close()
		s.sandbox = nil // until all tests end, testing holds this function and what it reaches: ten megabytes of licenses
	})
	s.conn = bustest.Connect(t, s.nats)
	s.js = bustest.JetStream(t, s.conn)
	s.client = bus.NewClient(bus.Deps{Conn: s.conn})
	return s
}

func (s *system) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

func (s *system) register() *license.Register { return s.sandbox.Licensing().Register }

// worker starts a worker of the test environment.
func (s *system) worker(adjust ...func(*abcworker.Config)) {
	s.Helper()
	settings := daemon.Config{AdminListen: "off", LogLevel: slog.LevelError + 4}
	host, err := daemon.NewHost(context.Background(), settings, s.nats)
	s.must(err)
	settings.Host = host
	cfg := abcworker.Config{Config: worker.Config{Config: settings, Environment: contracts.Test, EvidenceWait: clocktest.Patience}, Capacity: 20_000, Jobs: true}
	cfg.HTTPSProxy, cfg.CAFile = s.sandbox.ProxyURL(), s.sandbox.CAFile()
	for _, a := range adjust {
		a(&cfg)
	}
	daemontest.Start(s, host, contracts.ABC.Worker(), contracts.Test,
		func(ctx context.Context) error { return abcworker.Run(ctx, cfg) })
}

// await polls until what is waited for is so.
func (s *system) await(so func() bool) {
	s.Helper()
	clocktest.Await(s, "what the test waits for", so)
}

// renders takes render jobs as captcha-worker does, and has them done by the sandbox's rendering service.
func (s *system) renders() {
	s.Helper()
	behaviour := renderer.Usual()
	behaviour.Delay, behaviour.Patience = 0, 50*time.Millisecond
	s.must(s.sandbox.Licensing().Renderer.Behave(behaviour))
	client := s.sandbox.Client()
	queue, err := jobs.Open(s.Context(), bus.Deps{Conn: s.conn}, s.js, contracts.Test)
	s.must(err)
	workers, err := jobs.Work(context.Background(), queue, contracts.Render, 4,
		func(ctx context.Context, _ string, job contracts.RenderJob) (contracts.RenderResult, error) {
			q := url.Values{"api_key": {renderer.Key}, "render": {"true"}, "url": {job.URL}}
			if job.WaitFor != "" {
				q.Set("wait_for_selector", job.WaitFor)
			}
			r, err := render(ctx, client, "https://"+renderer.Host+"/?"+q.Encode())
			s.Logf("render %s: %d bytes, %v", job.URL, len(r.HTML), err)
			return r, err
		})
	s.must(err)
	s.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), clocktest.Patience)
		defer cancel()
		if err := workers.Stop(ctx); err != nil {
			s.Error(err)
		}
		client.CloseIdleConnections()
	})
}

func render(ctx context.Context, client *http.Client, address string) (contracts.RenderResult, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return contracts.RenderResult{}, err
	}
	res, err := client.Do(req)
	if err != nil {
		return contracts.RenderResult{}, contracts.Wrap(err, contracts.SourceUnavailable, "no answer")
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		return contracts.RenderResult{}, contracts.Wrap(errors.Join(err), contracts.SourceUnavailable, "status %d",
			res.StatusCode)
	}
	return contracts.RenderResult{HTML: body, FinalURL: res.Header.Get("sa-final-url"), Credits: 5}, nil
}

func (s *system) lookup(state contracts.State, number string) (contracts.LicenseAnswer, error) {
	ctx, cancel := context.WithTimeout(s.Context(), clocktest.Patience)
	defer cancel()
	return bus.Call[contracts.LicenseAnswer](ctx, s.client, contracts.LicenseSubject(contracts.Test, state),
		contracts.LicenseRequest{State: state, Number: number})
}

func (s *system) search(state contracts.State, q contracts.Query) (contracts.SearchAnswer, error) {
	ctx, cancel := context.WithTimeout(s.Context(), clocktest.Patience)
	defer cancel()
	return bus.Call[contracts.SearchAnswer](ctx, s.client, contracts.SearchSubject(contracts.Test, state),
		contracts.SearchRequest{State: state, Query: q, Schema: contracts.AnswerSchema})
}

// same compares records in what they say of the license.
func same(got, want contracts.LicenseRecord) bool { return registertest.Same(&got, &want) }

func show(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}
