package install_test

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	abcworker "assay.dev/abc-worker"
	"assay.dev/assay/system"
	captchaworker "assay.dev/captcha-worker"
	"assay.dev/captcha-worker/renderer"
	"assay.dev/captcha-worker/solver"
	"assay.dev/contracts"
	"assay.dev/courier"
	"assay.dev/gateway"
	"assay.dev/gateway/keys"
	ltlworker "assay.dev/ltl-worker"
	"assay.dev/platform/access"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/daemon"
	"assay.dev/platform/scrape"
	"assay.dev/platform/worker"
	"assay.dev/sandbox"
	"assay.dev/sandbox/license"
	renderers "assay.dev/sandbox/renderer"
	solvers "assay.dev/sandbox/solver"
)

// violations collects what a server refused.
type violations struct {
	mu    sync.Mutex
	lines []string
}

func (*violations) Noticef(string, ...any) {}
func (*violations) Warnf(string, ...any)   {}
func (*violations) Fatalf(string, ...any)  {}
func (*violations) Debugf(string, ...any)  {}
func (*violations) Tracef(string, ...any)  {}
func (v *violations) Errorf(format string, args ...any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if line := fmt.Sprintf(format, args...); strings.Contains(line, "Violation") {
		v.lines = append(v.lines, line)
	}
}

// config is how a service of the deployment connects.
func (d deployment) config(t *testing.T, user string) daemon.Config {
	t.Helper()
	return daemon.Config{NATSURL: d.url, NATSNKey: daemon.Secret(d.seed(t, user)), NATSCAFile: d.caFile(), AdminListen: "off"}
}

// run runs a service until the test ends.
func run(t *testing.T, name string, f func(context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- f(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("%s: %v", name, err)
		}
	})
}

// services is how many startServices runs.
const services = 5

// startServices runs the test environment's services as their own users and returns the address and the host of the gateway.
func (d deployment) startServices(t *testing.T, sb *sandbox.Sandbox) (string, *daemon.Host) {
	t.Helper()
	fetch := system.Sandboxed(scrape.Config{}, sb)
	captcha := captchaworker.Config{
		Config: d.config(t, access.Name(contracts.CaptchaWorker, contracts.Test)), Egress: fetch.Egress, Environment: contracts.Test,
		SolverConfig:   solver.Config{Provider: string(solvers.TwoCaptcha), Key: solvers.Key, Poll: 20 * time.Millisecond},
		RendererConfig: renderer.Config{Key: renderers.Key, URL: "https://" + renderers.Host},
		SolveSlots:     4, SolveBudget: 20, RenderSlots: 2, RenderBudget: 1000,
	}
	run(t, contracts.CaptchaWorker, func(ctx context.Context) error { return captchaworker.Run(ctx, captcha) })
	ltl := ltlworker.Config{
		Config:   worker.Config{Config: d.config(t, access.Name(contracts.LTL.Worker(), contracts.Test)), ScrapeConfig: fetch, Environment: contracts.Test},
		Capacity: 256, Renderer: true, Refresh: true,
	}
	run(t, contracts.LTL.Worker(), func(ctx context.Context) error { return ltlworker.Run(ctx, ltl) })
	abc := abcworker.Config{
		Config:   worker.Config{Config: d.config(t, access.Name(contracts.ABC.Worker(), contracts.Test)), ScrapeConfig: fetch, Environment: contracts.Test},
		Capacity: 256, Jobs: true,
	}
	run(t, contracts.ABC.Worker(), func(ctx context.Context) error { return abcworker.Run(ctx, abc) })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	front := gateway.Config{
		Config: d.config(t, contracts.Gateway), Listener: l, CacheBytes: 8 << 20, RateLimit: 60, AnonymousLimit: 1000, AnonymousRate: 1000,
	}
	if front.Host, err = daemon.NewHost(t.Context(), front.Config, nil); err != nil {
		t.Fatal(err)
	}
	front.WebhookKey, front.WebhookLoopback = "the key of a test has 32 characters", true
	delivering := courier.Config{Config: d.config(t, contracts.Courier), Webhooks: front.Webhooks}
	run(t, contracts.Courier, func(ctx context.Context) error { return courier.Run(ctx, delivering) })
	run(t, contracts.Gateway, func(ctx context.Context) error { return gateway.Run(ctx, front) })
	return "http://" + l.Addr().String(), front.Host
}

func TestTheServicesWorkUnderTheirPermissions(t *testing.T) {
	if testing.Short() {
		t.Skip("runs every service")
	}
	d := startNATS(t)
	seen := &violations{}
	d.server.SetLoggerV2(seen, false, false, false)
	sb, err := sandbox.Start(sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = sb.Close() })
	for _, p := range sb.Licensing().Solvers {
		b := p.Behaviour()
		b.Delay = 50 * time.Millisecond
		if err := p.Behave(b); err != nil {
			t.Fatal(err)
		}
	}
	base, host := d.startServices(t, sb)
	clocktest.Await(t, "each service is connected, and was told that there is nothing yet", func() bool {
		seen, err := d.server.Jsz(nil)
		return err == nil && seen.API.Errors >= services && d.server.NumClients() >= services
	})
	d.provision(t)
	store, err := keys.OpenStore(t.Context(), d.jetStream(t, access.Operator))
	if err != nil {
		t.Fatal(err)
	}
	key, err := store.Create(t.Context(), keys.Record{Tenant: "permissions", Environment: contracts.Test, Products: contracts.Products, Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}

	paths := []string{"/v1/ltl/carriers", "/v1/abc/states", "/v1/ltl/fuel-tables?carrier=ODFL", "/v1/ltl/fuel-tables?carrier=SEFL", "/v1/ltl/diesel?from=2026-01-01&to=2026-03-31"}
	for _, c := range contracts.Carriers {
		paths = append(paths, "/v1/ltl/fuel-surcharge?carriers="+string(c))
	}
	for _, s := range contracts.States {
		one := sb.Licensing().Register.Of(s)[0]
		record := one.Record(license.Primary)
		paths = append(paths, "/v1/abc/license/"+url.PathEscape(one.Number)+"?state="+string(s),
			"/v1/abc/search?state="+string(s)+"&dba_name="+url.QueryEscape(record.DBAName))
	}
	for _, path := range paths {
		t.Run(path, func(t *testing.T) {
			status, body := ask(t, base+path, key)
			if status != http.StatusOK && !needsBrowser(path, body) {
				t.Errorf("%d %s", status, body)
			}
			checkEvidence(t, base, key, body)
		})
	}
	t.Run("webhooks", func(t *testing.T) { d.checkWebhooks(t, base, key) })
	t.Run("the end of the certificate is told", func(t *testing.T) { d.checkCertificateEnd(t, host) })
	seen.mu.Lock()
	defer seen.mu.Unlock()
	for _, line := range seen.lines {
		t.Error(line)
	}
}

// checkCertificateEnd holds a service's metric against the certificate that the NATS server has.
func (d deployment) checkCertificateEnd(t *testing.T, host *daemon.Host) {
	t.Helper()
	pair, err := tls.LoadX509KeyPair(filepath.Join(d.dir, "nats", "tls.crt"), filepath.Join(d.dir, "nats", "tls.key"))
	if err != nil {
		t.Fatal(err)
	}
	families, err := host.Registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == "nats_certificate_end_timestamp_seconds" {
			if got := f.GetMetric()[0].GetGauge().GetValue(); got != float64(pair.Leaf.NotAfter.Unix()) {
				t.Errorf("%v, want %s", got, pair.Leaf.NotAfter)
			}
			return
		}
	}
	t.Error("there is no such metric")
}

// checkEvidence fetches each document that an answer names: workers may keep them, and the gateway may read them.
func checkEvidence(t *testing.T, base, key string, answer []byte) {
	t.Helper()
	var read struct {
		Verifiability *contracts.Verifiability `json:"_verifiability"`
	}
	if err := json.Unmarshal(answer, &read); err != nil || read.Verifiability == nil {
		return // a listing
	}
	if len(read.Verifiability.Evidence) == 0 {
		t.Errorf("nothing is kept: %s", answer)
	}
	for _, e := range read.Verifiability.Evidence {
		if status, body := ask(t, base+"/v1/evidence/"+e.SHA256+"?at="+string(e.At), key); status != http.StatusOK {
			t.Errorf("%+v: %d %s", e, status, body)
		}
	}
}

// needsBrowser tells whether a page is not read for want of a browser, which need not be installed.
func needsBrowser(path string, body []byte) bool {
	if _, err := exec.LookPath("chromium"); err == nil {
		return false
	}
	var failed struct{ Error struct{ Code contracts.Code } }
	return json.Unmarshal(body, &failed) == nil && failed.Error.Code == contracts.SourceUnavailable && strings.Contains(path, "fuel-surcharge")
}

// ask repeats while the services are still starting.
func ask(t *testing.T, address, key string) (status int, body []byte) {
	t.Helper()
	client := http.Client{Timeout: clocktest.Patience, Transport: &http.Transport{DisableKeepAlives: true}}
	clocktest.Holds(func() bool {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("X-API-Key", key)
		resp, err := client.Do(req)
		if err == nil {
			body, _ = io.ReadAll(resp.Body)
			_ = resp.Body.Close()
			status = resp.StatusCode
		}
		return status == http.StatusOK || needsBrowser(address, body)
	})
	return status, body
}
