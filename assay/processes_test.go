package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/nats-io/nats.go"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/daemon"
)

// fleet is the services as processes of their own over one NATS server on TCP.
type fleet struct {
	bin     string
	environ daemon.Environ
	key     string
	sandbox string // its admin address
	files   int    // how many files and connections each process may have open, where not 0
}

// process is one running service.
type process struct {
	*exec.Cmd
	api   string // of a gateway
	admin string
}

func startFleet(t testing.TB) *fleet {
	t.Helper()
	return startFleetOn(t, deployment(t), 1)
}

func startFleetOn(t testing.TB, environ daemon.Environ, replicas int) *fleet {
	t.Helper()
	f := &fleet{bin: buildServices(t), environ: environ}
	must(t, f.environ, "provision", "--first", fmt.Sprintf("--replicas=%d", replicas), "--wait", "3m") // a new cluster calls its peers offline for a moment
	f.key = must(t, f.environ, "keys", "create", "--tenant", "fleet", "--limit", "1000000")
	proxy, dir := bustest.FreeAddress(t), t.TempDir()
	box := f.start(t, "sandbox", daemon.Environ{"ASSAY_SANDBOX_LISTEN": proxy, "ASSAY_SANDBOX_DIR": dir})
	f.sandbox = box.admin
	f.environ = f.environ.With("HTTPS_PROXY", "http://"+proxy).With("SSL_CERT_FILE", filepath.Join(dir, "sandbox-ca.pem"))
	return f
}

// buildServices returns the directory of the services as programs.
func buildServices(t testing.TB) string {
	t.Helper()
	dir, err := builtServices()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// builtServices builds them once for all tests of the package.
var builtServices = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("go", "build", "-o", binaryDir+"/", "assay.dev/gateway/cmd/gateway", "assay.dev/ltl-worker/cmd/ltl-worker",
		"assay.dev/abc-worker/cmd/abc-worker", "assay.dev/captcha-worker/cmd/captcha-worker",
		"assay.dev/courier/cmd/courier", "assay.dev/sandbox/cmd/sandbox").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, out)
	}
	return binaryDir, err
})

// start returns when the service is ready.
func (f *fleet) start(t testing.TB, name string, more daemon.Environ) *process {
	t.Helper()
	p, err := f.launch(t, name, more)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// launch is start, with an error for a service that does not become ready. It ends with the test.
func (f *fleet) launch(t testing.TB, name string, more daemon.Environ) (*process, error) {
	t.Helper()
	admin := bustest.FreeAddress(t)
	p := &process{Cmd: exec.Command(filepath.Join(f.bin, name)), admin: "http://" + admin}
	if f.files > 0 {
		p.Cmd = exec.Command("prlimit", fmt.Sprintf("--nofile=%d", f.files), filepath.Join(f.bin, name))
	}
	e := daemon.Environ{
		"ASSAY_ADMIN_LISTEN": admin, "ASSAY_ENVIRONMENT": "test", "ASSAY_HOST_RATE": "0", "ASSAY_CHROMIUM": "/nonexistent",
	}
	maps.Copy(e, f.environ)
	maps.Copy(e, more)
	for variable, value := range e {
		if reads(name, variable) {
			p.Env = append(p.Env, variable+"="+value)
		}
	}
	var log buffer
	p.Stderr = &log
	if err := p.Start(); err != nil {
		return nil, err
	}
	t.Cleanup(func() { p.terminate(t) })
	if !clocktest.Holds(func() bool { return status("http://"+admin+"/readyz", "") == http.StatusOK }) {
		return nil, fmt.Errorf("%s is not ready:\n%s", name, log.String())
	}
	return p, nil
}

// reads tells whether a service has the variable among its settings: any other would keep it from starting.
func reads(service, variable string) bool {
	return slices.ContainsFunc(binaries(), func(b binary) bool {
		return b.name == service && slices.Contains(daemon.Variables(b.settings), variable)
	})
}

// terminate sends SIGTERM and waits for an orderly end. It may be called again.
func (p *process) terminate(t testing.TB) {
	t.Helper()
	if p.ProcessState != nil {
		return
	}
	_ = p.Process.Signal(syscall.SIGTERM)
	if err := p.Wait(); err != nil {
		t.Errorf("%s: %v\n%s", p.Path, err, p.Stderr)
	}
}

// kill is SIGKILL. It may be called again.
func (p *process) kill() {
	_ = p.Process.Kill()
	_ = p.Wait()
}

func (f *fleet) gateway(t testing.TB) *process {
	t.Helper()
	address := bustest.FreeAddress(t)
	p := f.start(t, "gateway", daemon.Environ{"ASSAY_LISTEN": address})
	p.api = "http://" + address
	return p
}

// status is 0 when nobody answers.
func status(url, key string) int {
	ctx, cancel := context.WithTimeout(context.Background(), clocktest.Patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0
	}
	req.Header.Set("X-API-Key", key)
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode
}

// buffer may be written and read at once.
type buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// under keeps eight callers asking while f runs, and for a hundred requests before and after. It returns how many asked, and fails the test for each that got no
// answer.
func under(t *testing.T, ask func() error, f func()) int64 {
	t.Helper()
	var asked atomic.Int64
	var callers sync.WaitGroup
	stop := make(chan struct{})
	for range 8 {
		callers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if err := ask(); err != nil {
					t.Errorf("lost: %v", err)
					return
				}
				asked.Add(1)
			}
		})
	}
	more := func() {
		enough := asked.Load() + 100
		clocktest.Await(t, "a hundred more are answered", func() bool { return t.Failed() || asked.Load() >= enough })
	}
	more()
	f()
	more()
	close(stop)
	callers.Wait()
	return asked.Load()
}

func TestProcessesOverOneNATS(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs the services as processes")
	}
	f := startFleet(t)
	workers := []*process{f.start(t, "ltl-worker", nil), f.start(t, "ltl-worker", nil)}
	gateways := []*process{f.gateway(t), f.gateway(t)}
	const path = "/v1/ltl/fuel-surcharge?carriers=ODFL"
	if got := status(gateways[0].api+path, f.key); got != http.StatusOK {
		t.Fatalf("the first request: %d", got)
	}

	t.Run("sixty a minute over both gateways", func(t *testing.T) {
		key := must(t, f.environ, "keys", "create", "--tenant", "modest")
		seen := map[int]int{}
		for i := range 70 {
			seen[status(gateways[i%2].api+path, key)]++
		}
		// A gateway may hold a few grants that it does not come to use.
		if ok := seen[http.StatusOK]; ok > 60 || ok < 50 || ok+seen[http.StatusTooManyRequests] != 70 {
			t.Errorf("answers by status: %v", seen)
		}
	})
	t.Run("a gateway stops under load", func(t *testing.T) {
		var turn atomic.Int64
		ask := func() error { return askEither(gateways, turn.Add(1), path, f.key) }
		asked := under(t, ask, func() { gateways[0].terminate(t) })
		t.Logf("%d requests", asked)
	})
	t.Run("a worker stops under load", func(t *testing.T) {
		conn, err := nats.Connect(f.environ["ASSAY_NATS_URL"])
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		client := bus.NewClient(bus.Deps{Conn: conn})
		asked := under(t, func() error { return askWorker(client) }, func() { workers[0].terminate(t) })
		t.Logf("%d requests", asked)
	})
}

// askEither does what a load balancer does: a gateway that refuses a connection is passed over, and so is one whose
// kernel resets a connection that the closing port had not accepted.
func askEither(gateways []*process, turn int64, path, key string) error {
	for i := range gateways {
		g := gateways[(int(turn)+i)%len(gateways)]
		conn, err := net.Dial("tcp", strings.TrimPrefix(g.api, "http://"))
		if err == nil {
			err = askOver(conn, path, key)
		}
		if !errors.Is(err, syscall.ECONNREFUSED) && !errors.Is(err, syscall.ECONNRESET) {
			return err
		}
	}
	return errors.New("no gateway accepts connections")
}

// askOver sends one request over an open connection, which is never sent twice.
func askOver(conn net.Conn, path, key string) error {
	client := http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext:       func(context.Context, string, string) (net.Conn, error) { return conn, nil },
	}}
	req, err := http.NewRequest(http.MethodGet, "http://gateway"+path, nil)
	if err != nil {
		return err
	}
	req.Header.Set("X-API-Key", key)
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = &refusal{resp.StatusCode, path, string(body), resp.Header}
	}
	return err
}

func askWorker(client *bus.Client) error {
	ctx, cancel := context.WithTimeout(context.Background(), clocktest.Patience)
	defer cancel()
	answer, err := bus.Call[contracts.SurchargeAnswer](ctx, client, contracts.SurchargeSubject(contracts.Test, contracts.ODFL), contracts.SurchargeRequest{Carrier: contracts.ODFL})
	if err == nil && len(answer.Weeks) == 0 {
		err = fmt.Errorf("an answer without weeks: %+v", answer)
	}
	return err
}
