package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/daemon"
)

// deployed is the system as a small deployment has it: three gateways and two workers of each kind as processes, over three NATS
// servers as processes, and the load of its clients.
type deployed struct {
	*fleet
	*load
	whole   *testing.T // the test that it ends with
	servers natsCluster
	workers map[string][]*process
	spans   string // file of all services' spans
}

// workerSettings are those of each kind of worker.
var workerSettings = map[string]daemon.Environ{
	contracts.LTL.Worker(): {"ASSAY_REFRESH": "false"}, contracts.ABC.Worker(): nil, contracts.CaptchaWorker: paid,
}

func deploy(t *testing.T) *deployed {
	t.Helper()
	return deployOn(t, startNATSCluster(t))
}

func deployOn(t *testing.T, servers natsCluster) *deployed {
	t.Helper()
	d := &deployed{whole: t, servers: servers, workers: map[string][]*process{}, spans: filepath.Join(t.TempDir(), "spans.jsonl")}
	d.fleet = startFleetOn(t, daemon.Environ{"ASSAY_NATS_URL": servers.urls()}, len(servers))
	d.environ = d.environ.With("ASSAY_TRACE_FILE", d.spans)
	if !*faultsWhole { // beside other tests a new connection may take longer than a request waits for one
		d.environ = d.environ.With("ASSAY_NATS_PATIENCE", "4s")
	}
	for name := range workerSettings {
		for range 2 {
			p, err := d.worker(name)
			if err != nil {
				t.Fatal(err)
			}
			d.workers[name] = append(d.workers[name], p)
		}
	}
	var gateways []*process
	for range 3 {
		gateways = append(gateways, d.gateway(t))
	}
	d.load = newLoad(t, d.fleet, gateways...)
	return d
}

func (d *deployed) worker(name string) (*process, error) {
	return d.launch(d.whole, name, workerSettings[name])
}

// replaceWorker starts a worker in the place of the ith of that name, which it returns.
func (d *deployed) replaceWorker(name string, i int) (old *process, err error) {
	old = d.workers[name][i]
	p, err := d.worker(name)
	if err == nil {
		d.workers[name][i] = p
	}
	return old, err
}

// replaceGateway starts a gateway in the place of the ith, which it returns.
func (l *load) replaceGateway(t *testing.T, i int) (old *process) {
	t.Helper()
	gateways := slices.Clone(*l.gateways.Load())
	old = gateways[i]
	gateways[i] = l.fleet.gateway(t)
	l.gateways.Store(&gateways)
	return old
}

// heal ends every fault and starts what is dead. It returns when the system answers everything again.
func (d *deployed) heal() error {
	for _, s := range d.servers {
		s.link.repair()
		if s.resume(); s.dead() {
			s.startAgain(d.whole)
		}
	}
	for _, path := range []string{"/faults", "/solvers/2captcha/"} {
		if _, err := d.control("DELETE", path, ""); err != nil {
			return err
		}
	}
	for name, running := range d.workers {
		for i, p := range running {
			if p.ProcessState == nil {
				continue
			}
			if _, err := d.replaceWorker(name, i); err != nil {
				return err
			}
		}
	}
	for i, g := range *d.gateways.Load() {
		if g.ProcessState != nil {
			d.replaceGateway(d.whole, i)
		}
	}
	return d.awaitHealth()
}

func (d *deployed) awaitHealth() error {
	var last error
	if !clocktest.Holds(func() bool { last = d.health(); return last == nil }) {
		return fmt.Errorf("the system does not recover: %w", last)
	}
	return nil
}

// health asks each gateway for something cached and for licenses that nobody asked for.
func (d *deployed) health() error {
	for _, s := range d.servers {
		if status("http://"+s.monitor+"/healthz", "") != http.StatusOK {
			return fmt.Errorf("%s is not healthy", s.name)
		}
	}
	for _, g := range *d.gateways.Load() {
		only := []*process{g}
		for _, path := range []string{cachedPath, d.nextCold()} {
			if err := askEither(only, 0, path, d.key); err != nil {
				return err
			}
		}
	}
	return nil
}

// nextCold is a path of the load that was not asked for yet.
func (d *deployed) nextCold() string {
	n := d.turn.Add(coldEvery) / coldEvery
	return d.load.license(quickStates[n%3], n/3)
}

// control is one of the sandbox's admin calls.
func (f *fleet) control(method, path, body string) (string, error) {
	req, err := http.NewRequest(method, f.sandbox+path, strings.NewReader(body))
	if err != nil {
		return "", err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode > 299 {
		err = fmt.Errorf("%s %s %s: %s %s", method, path, body, resp.Status, text)
	}
	return string(text), err
}

// jetStream connects beside the services. It ends with the test t.
func (d *deployed) jetStream(t *testing.T) jetstream.JetStream {
	t.Helper()
	conn, js, err := connect(t.Context(), &console{environ: d.environ})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return js
}

// repeated counts how often a worker was asked again for something, since the start.
func (d *deployed) repeated() int {
	text, err := os.ReadFile(d.spans)
	if err != nil {
		return 0
	}
	return bytes.Count(text, []byte(`"request again"`))
}

// close ends every process.
func (d *deployed) close() {
	for _, running := range d.workers {
		for _, p := range running {
			p.kill()
		}
	}
	for _, g := range *d.gateways.Load() {
		g.kill()
	}
	for _, s := range d.servers {
		s.kill()
	}
}

// systems is the system that the rows of one table share.
type systems struct{ current *deployed }

// coldAtMost is how many requests of the load the licenses of the sandbox last for: later ones are answered from the cache.
const coldAtMost = 100_000

// system is a healthy system with cold answers left for the load.
func (r *row) system() *deployed {
	r.Helper()
	s := r.systems
	if s.current != nil {
		err := s.current.heal()
		if err == nil && s.current.turn.Load() < coldAtMost {
			return s.current
		}
		if err != nil {
			r.Logf("another system is started: %v", err)
		}
		s.current.close()
		s.current = nil
	}
	s.current = deploy(r.whole)
	r.need(s.current.awaitHealth())
	return s.current
}

// ownSystem is a system for one row, which may ruin it.
func (r *row) ownSystem() *deployed {
	r.Helper()
	d := deploy(r.T)
	r.need(d.awaitHealth())
	return d
}
