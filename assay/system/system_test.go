package system_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"assay.dev/assay/system"
	"assay.dev/contracts"
	"assay.dev/gateway/keys"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/daemon"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// running is a system that was started for a test.
type running struct {
	dir    string
	out    *buffer
	base   string
	admin  string
	keys   map[string]string
	cancel context.CancelFunc
	ended  chan error
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

var (
	addresses = regexp.MustCompile(`answers at (http://\S+) .*metrics at (http://\S+)/metrics`)
	printed   = regexp.MustCompile(`(test|live) key\s+(\S+)`)
)

func environ(dir string) daemon.Environ {
	return daemon.Environ{
		"ASSAY_DATA": dir, "ASSAY_LISTEN": "127.0.0.1:0", "ASSAY_ADMIN_LISTEN": "127.0.0.1:0",
		// Nothing leaves the machine: live workers find a proxy that refuses.
		"HTTPS_PROXY": "http://127.0.0.1:1", "HTTP_PROXY": "http://127.0.0.1:1",
		"ASSAY_STOP_TIMEOUT": clocktest.Patience.String(), "ASSAY_EVIDENCE_WAIT": clocktest.Patience.String(),
	}
}

func start(t *testing.T, e daemon.Environ, adjust ...func(*system.Config)) *running {
	t.Helper()
	cfg, err := system.Load(e)
	if err != nil {
		t.Fatal(err)
	}
	cfg.ShowKeys = true
	for _, a := range adjust {
		a(&cfg)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := &running{dir: cfg.Data, out: &buffer{}, keys: map[string]string{}, cancel: cancel, ended: make(chan error, 1)}
	go func() { r.ended <- system.Run(ctx, cfg, r.out) }()
	t.Cleanup(func() { r.stop(t) })
	clocktest.Await(t, "it says how it is stopped", func() bool {
		select {
		case err := <-r.ended:
			r.ended <- err
			t.Fatalf("it ended: %v\n%s", err, r.out)
		default:
		}
		return strings.Contains(r.out.String(), "Ctrl-C")
	})
	found := addresses.FindStringSubmatch(r.out.String())
	r.base, r.admin = found[1], found[2]
	for _, k := range printed.FindAllStringSubmatch(r.out.String(), -1) {
		r.keys[k[1]] = k[2]
	}
	return r
}

// stop may be called again.
func (r *running) stop(t *testing.T) {
	t.Helper()
	r.cancel()
	if err := <-r.ended; err != nil {
		t.Errorf("the stop failed: %v", err)
	}
	r.ended <- nil
}

func (r *running) get(t *testing.T, url, key string) (int, http.Header, []byte) {
	t.Helper()
	return r.send(t, url, http.Header{"X-Api-Key": {key}})
}

// metrics is the text of /metrics. A scrape that is compressed costs three times as much.
func (r *running) metrics(t *testing.T) string {
	t.Helper()
	_, _, text := r.send(t, r.admin+"/metrics", http.Header{"Accept-Encoding": {"identity"}})
	return string(text)
}

func (r *running) send(t *testing.T, url string, headers http.Header) (int, http.Header, []byte) {
	t.Helper()
	client := http.Client{Timeout: clocktest.Patience, Transport: &http.Transport{DisableKeepAlives: true}}
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header = headers
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header, body
}

// These tests change nothing in the system that they share.
func TestAFreshSystem(t *testing.T) {
	t.Parallel()
	r := start(t, environ(t.TempDir()))
	for name, test := range map[string]func(*testing.T, *running){
		"the first request is answered":              theFirstRequestIsAnswered,
		"licenses are answered":                      licensesAreAnswered,
		"live answers never come from the sandbox":   liveAnswersNeverComeFromTheSandbox,
		"the past is told":                           thePastIsTold,
		"it is ready when it says so":                itIsReadyWhenItSaysSo,
		"every metric that is named exists":          everyMetricThatIsNamedExists,
		"what is in the way of another one is named": whatIsInTheWayIsNamed,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, r)
		})
	}
}

func theFirstRequestIsAnswered(t *testing.T, r *running) {
	t.Helper()
	status, header, body := r.get(t, r.base+"/v1/ltl/fuel-surcharge?carriers=ODFL&weeks=26", r.keys["test"])
	var answer contracts.Surcharge
	if err := json.Unmarshal(body, &answer); err != nil || status != http.StatusOK {
		t.Fatalf("%d %s %v", status, body, err)
	}
	if len(answer.Weeks) != 26 || answer.Verifiability.ExtractionConfidence < 0.9 {
		t.Errorf("%d weeks, %+v", len(answer.Weeks), answer.Verifiability)
	}
	for i, w := range answer.Weeks {
		if i > 0 && w.EffectiveDate >= answer.Weeks[i-1].EffectiveDate || w.DieselUSD == nil {
			t.Errorf("week %d: %+v", i, w)
		}
	}
	if header.Get("Assay-Environment") != "test" {
		t.Errorf("headers %v", header)
	}
}

func licensesAreAnswered(t *testing.T, r *running) {
	t.Helper()
	status, _, body := r.get(t, r.base+"/v1/abc/search?state=CA&dba_name=cafe", r.keys["test"])
	var found contracts.Search
	if err := json.Unmarshal(body, &found); err != nil || status != http.StatusOK || found.TotalResults == 0 || len(found.Results) == 0 {
		t.Errorf("%d %.300s %v", status, body, err)
	}
}

func liveAnswersNeverComeFromTheSandbox(t *testing.T, r *running) {
	t.Helper()
	if status, _, body := r.get(t, r.base+"/v1/ltl/fuel-surcharge?carriers=SAIA", r.keys["live"]); status != http.StatusServiceUnavailable {
		t.Errorf("a live request without a way out: %d %s", status, body)
	}
	if status, _, _ := r.get(t, r.base+"/v1/ltl/fuel-surcharge?carriers=SAIA", ""); status != http.StatusUnauthorized {
		t.Errorf("no key: %d", status)
	}
}

func itIsReadyWhenItSaysSo(t *testing.T, r *running) {
	t.Helper()
	status, _, body := r.get(t, r.admin+"/readyz", "")
	if status != http.StatusOK {
		t.Errorf("readyz %d %s", status, body)
	}
	for _, want := range []string{"gateway: started: ok", "ltl-worker/live: started: ok", "ltl-worker/test: started: ok"} {
		if !strings.Contains(string(body), want) {
			t.Errorf("no %q in %s", want, body)
		}
	}
	metrics := r.metrics(t)
	for _, want := range []string{`service="gateway"`, `environment="live",`, "process_resident_memory_bytes"} {
		if !strings.Contains(metrics, want) {
			t.Errorf("no %s in /metrics", want)
		}
	}
}

func TestTheKeysOutliveARestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := start(t, environ(dir))
	first.stop(t)
	second := start(t, environ(dir))
	if first.keys["test"] == "" || first.keys["live"] == "" || first.keys["test"] != second.keys["test"] || first.keys["live"] != second.keys["live"] {
		t.Errorf("printed %v, then %v", first.keys, second.keys)
	}
	clocktest.Await(t, "the key is accepted, and workers have described their sources", func() bool {
		status, _, body := second.get(t, second.base+"/v1/ltl/carriers", second.keys["test"])
		if status != http.StatusOK && status != http.StatusServiceUnavailable {
			t.Fatalf("%d %s", status, body)
		}
		return status == http.StatusOK
	})
	for _, name := range []string{"keys", "nats-url"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", name, info, err)
		}
	}
}

// A log keeps what is printed, and a live key that was revoked has to stay away.
func TestTheLiveKeyIsNeitherLoggedNorMadeAnew(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := start(t, environ(dir), func(c *system.Config) { c.ShowKeys = false })
	text, err := os.ReadFile(filepath.Join(dir, "keys"))
	live := regexp.MustCompile(`live_\S+`).FindString(string(text))
	if said := r.out.String(); err != nil || live == "" || strings.Contains(said, "live_") || !strings.Contains(said, filepath.Join(dir, "keys")) {
		t.Errorf("%v, and it says\n%s", err, said)
	}
	js, disconnect := connect(t, dir)
	store, err := keys.OpenStore(t.Context(), js)
	if err == nil {
		err = store.Revoke(t.Context(), live)
	}
	disconnect()
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second start knows of it too
		r.stop(t)
		r = start(t, environ(dir))
	}
	js, disconnect = connect(t, dir)
	defer disconnect()
	store, err = keys.OpenStore(t.Context(), js)
	if err != nil {
		t.Fatal(err)
	}
	listed, err := store.List(t.Context())
	if err != nil || len(listed) != len(contracts.Environments) || strings.Contains(r.out.String(), "live_") {
		t.Errorf("%d keys, %v, and it says\n%s", len(listed), err, r.out)
	}
}

// Whoever may call from elsewhere must not reach other programs of this machine by a webhook.
func TestWebhooksGoToThisMachineOnlyWhereNobodyElseIsServed(t *testing.T) {
	t.Parallel()
	for listen, want := range map[string]string{
		"": "true", "127.0.0.1:0": "true", "[::1]:8080": "true", "localhost:8080": "true",
		":8080": "false", "0.0.0.0:8080": "false", "[::]:8080": "false", "192.0.2.1:8080": "false", "nonsense": "false",
	} {
		cfg, err := system.Load(environ(t.TempDir()).With("ASSAY_LISTEN", listen))
		if got := cfg.Environ["ASSAY_WEBHOOK_LOOPBACK"]; err != nil || got != want {
			t.Errorf("ASSAY_LISTEN=%s: %s, %v; want %s", listen, got, err, want)
		}
	}
	for setting, value := range map[string]string{"ASSAY_PUBLIC_URL": "https://api.example.com", "ASSAY_TRUSTED_PROXIES": "127.0.0.1/32"} {
		cfg, err := system.Load(environ(t.TempDir()).With(setting, value)) // a proxy of this machine serves others
		if got := cfg.Environ["ASSAY_WEBHOOK_LOOPBACK"]; err != nil || got != "false" {
			t.Errorf("%s=%s: %s, %v", setting, value, got, err)
		}
	}
	cfg, err := system.Load(environ(t.TempDir()).With("ASSAY_LISTEN", ":0").With("ASSAY_WEBHOOK_LOOPBACK", "true"))
	if err != nil || cfg.Environ["ASSAY_WEBHOOK_LOOPBACK"] != "true" {
		t.Errorf("what was set is %s, %v", cfg.Environ["ASSAY_WEBHOOK_LOOPBACK"], err)
	}
}

func whatIsInTheWayIsNamed(t *testing.T, r *running) {
	t.Helper()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	address := taken.Addr().String()
	for name, tt := range map[string]struct {
		environ daemon.Environ
		want    string
	}{
		"the API's port":     {environ(t.TempDir()).With("ASSAY_LISTEN", address), "ASSAY_LISTEN=" + address + ": the port is taken"},
		"the admin port":     {environ(t.TempDir()).With("ASSAY_ADMIN_LISTEN", address), "ASSAY_ADMIN_LISTEN=" + address + ": the port is taken"},
		"the data directory": {environ(r.dir), "another `assay up` or `assay restore` uses this directory"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg, err := system.Load(tt.environ)
			if err != nil {
				t.Fatal(err)
			}
			if err := system.Run(context.Background(), cfg, io.Discard); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

func TestWrongSettingsStartNothing(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	cfg, err := system.Load(environ(dir).With("ASSAY_LTL_CAPACITY", "-1"))
	if err != nil {
		t.Fatal(err)
	}
	if err := system.Run(context.Background(), cfg, io.Discard); err == nil || !strings.Contains(err.Error(), "ASSAY_LTL_CAPACITY") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the data directory was made")
	}
}

func TestAStopWhileStarting(t *testing.T) {
	t.Parallel()
	cfg, err := system.Load(environ(t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := system.Run(ctx, cfg, io.Discard); err != nil {
		t.Error(err)
	}
}
