package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/assay/system"
	"assay.dev/contracts"
	"assay.dev/gateway/usage"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/sandbox"
)

// oneProcess is an `assay up` that runs as a process on a data directory; its live environment reads a sandbox too.
type oneProcess struct {
	*exec.Cmd
	binary string
	dir    string
	base   string
	out    buffer
	ended  chan struct{}
	began  time.Time
	// peak is the highest resident memory seen, in megabytes.
	peak int
}

// damageWithin is how long a process may be silent: `make damage` wants its lines in time, and `make test` wants them.
var damageWithin = flag.Duration("damage.within", clocktest.Patience, "how long a start or a command may take")

const memoryLimit = 3 << 10 // megabytes, above which a process is killed

var (
	errSilent = errors.New("no word within the time")
	errMemory = errors.New("too much memory")
	errExit   = errors.New("exit")
)

// upOn starts one and waits until it is ready or ends. The error is one of the above.
func upOn(binary, dir string, site *sandbox.Sandbox) (*oneProcess, error) {
	p := &oneProcess{Cmd: exec.Command(binary, "up"), binary: binary, dir: dir, ended: make(chan struct{}), began: time.Now()}
	p.Env = []string{
		"ASSAY_DATA=" + dir, "ASSAY_LISTEN=127.0.0.1:0", "ASSAY_ADMIN_LISTEN=off", "ASSAY_CHROMIUM=/nonexistent", "ASSAY_HOST_RATE=0",
		"ASSAY_EVIDENCE_WAIT=5s", // so that an answer has its documents where other tests keep the processors
		"HTTPS_PROXY=" + site.ProxyURL(), "HTTP_PROXY=" + site.ProxyURL(), "SSL_CERT_FILE=" + site.CAFile(), "HOME=" + dir,
	}
	p.Stdout, p.Stderr = &p.out, &p.out
	if err := p.Start(); err != nil {
		return nil, err
	}
	go func() { defer close(p.ended); _ = p.Wait() }()
	return p, p.ready()
}

var answersAt = regexp.MustCompile(`answers at (http://\S+) `)

func (p *oneProcess) ready() error {
	for time.Since(p.began) < *damageWithin {
		if found := answersAt.FindStringSubmatch(p.out.String()); found != nil && strings.Contains(p.out.String(), "Ctrl-C") {
			p.base = found[1]
			return nil
		}
		if p.peak = max(p.peak, residentMB(p.Process.Pid)); p.peak > memoryLimit {
			return errMemory
		}
		select {
		case <-p.ended:
			return errExit
		case <-time.After(10 * time.Millisecond):
		}
	}
	return errSilent
}

func residentMB(pid int) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(text), "VmRSS:")
	var kb int
	_, _ = fmt.Sscan(after, &kb)
	return kb >> 10
}

// end stops the process in order; one that does not is killed.
func (p *oneProcess) end() {
	_ = p.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.ended:
	case <-time.After(clocktest.Patience):
		_ = p.Process.Kill()
		<-p.ended
	}
}

func (p *oneProcess) kill() {
	_ = p.Process.Kill()
	<-p.ended
}

// command runs one of the operator's commands on the same data.
func (p *oneProcess) command(args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), *damageWithin)
	defer cancel()
	c := exec.CommandContext(ctx, p.binary, args...)
	c.Env = []string{"ASSAY_DATA=" + p.dir, "HOME=" + p.dir}
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	if ctx.Err() != nil {
		return "", fmt.Errorf("%v: %w", args, errSilent)
	}
	if err != nil {
		return "", fmt.Errorf("%v: %s", args, strings.TrimSpace(errs.String()))
	}
	return strings.TrimSpace(out.String()), nil
}

func (p *oneProcess) get(path, key string) (status int, body []byte, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), clocktest.Patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.base+path, nil)
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("X-API-Key", key)
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	body, err = io.ReadAll(resp.Body)
	return resp.StatusCode, body, err
}

// knowledge is what a system's stores are to tell, by store.
type knowledge map[string]string

// contents are the keys that were issued to fill a system, and a test key among them.
type contents struct {
	test   string
	issued []string
}

// asked is what a system is filled with, and what it is asked again.
var asked = []string{
	"/v1/ltl/fuel-surcharge?carriers=ODFL&weeks=26", "/v1/ltl/fuel-surcharge?carriers=SAIA&weeks=26",
	"/v1/ltl/fuel-surcharge?carriers=XPO&weeks=26", "/v1/ltl/fuel-surcharge?carriers=TFORCE&weeks=26",
	"/v1/abc/license/400036?state=CA", "/v1/abc/license/100001119?state=TX",
}

// fill issues keys and asks real questions until every store has something to lose.
func fill(t *testing.T, p *oneProcess) contents {
	t.Helper()
	var c contents
	issue := func(args ...string) string {
		key, err := p.command(append([]string{"keys", "create"}, args...)...)
		if err != nil {
			t.Fatal(err)
		}
		c.issued = append(c.issued, key)
		return key
	}
	c.test = issue("--tenant", "acme", "--limit", "100000")
	live := issue("--tenant", "acme", "--environment", "live", "--limit", "100000")
	for i := range 12 {
		issue("--tenant", fmt.Sprintf("tenant-%d", i))
	}
	if _, err := p.command("keys", "revoke", c.issued[5]); err != nil {
		t.Fatal(err)
	}
	for _, path := range asked {
		if status, body, err := p.get(path, c.test); err != nil || status != http.StatusOK {
			t.Fatalf("%s: %d %s %v", path, status, body, err)
		}
	}
	for range 300 {
		if status, body, err := p.get(asked[0], live); err != nil || status != http.StatusOK {
			t.Fatalf("live %s: %d %s %v", asked[0], status, body, err)
		}
	}
	// Usage and weeks are written behind the answers.
	clocktest.Await(t, "300 live answers are 300 events", func() bool {
		sums, err := p.command("usage", "--json")
		return err == nil && strings.Contains(strings.ReplaceAll(sums, " ", ""), `"count":300`)
	})
	return c
}

// know asks the system everything that its stores should tell. After an error it holds what was told whole before.
func (p *oneProcess) know(c contents) (knowledge, error) {
	k := knowledge{}
	for _, store := range []struct {
		name string
		ask  func() (string, error)
	}{
		{"keys", func() (string, error) { return p.command("keys", "list") }},
		{"key statuses", func() (string, error) { return p.statuses(c.issued) }},
		{"usage", p.charges},
		{"ledger", func() (string, error) { return p.command("credits", "show", "--environment", "test") }},
		{"archive", func() (string, error) { return weeksIn(p.dir) }},
		{"answers", func() (string, error) { return p.answers(c.test) }},
	} {
		said, err := store.ask()
		if err != nil {
			return k, fmt.Errorf("%s: %w", store.name, err)
		}
		k[store.name] = said
	}
	return k, nil
}

// charges is the usage that is billed. What was asked with a test key is not: a trial asks so itself.
func (p *oneProcess) charges() (string, error) {
	said, err := p.command("usage", "--json")
	if err != nil {
		return "", err
	}
	var all, billed []usage.Sum
	if err := json.Unmarshal([]byte(said), &all); err != nil {
		return "", err
	}
	for _, s := range all {
		if s.Tested = 0; s.Count > 0 {
			billed = append(billed, s)
		}
	}
	return fmt.Sprintf("%+v", billed), nil
}

// statuses is how each key is received.
func (p *oneProcess) statuses(issued []string) (all string, err error) {
	for _, key := range issued {
		status, body, err := p.get("/v1/ltl/carriers", key)
		if err != nil || status == http.StatusServiceUnavailable {
			return "", fmt.Errorf("%d %s %w", status, body, errors.Join(err))
		}
		all += fmt.Sprint(key[:8], " ", status, "\n")
	}
	return all, nil
}

// answers are those to what the system was filled with.
func (p *oneProcess) answers(key string) (all string, err error) {
	for _, path := range asked {
		said, err := p.answer(path, key)
		if err != nil {
			return "", err
		}
		all += said
	}
	return all, nil
}

// answer is what an answer says, without when and how it was read.
func (p *oneProcess) answer(path, key string) (string, error) {
	status, body, err := p.get(path, key)
	if err != nil || status != http.StatusOK {
		return "", fmt.Errorf("%s: %d %s %w", path, status, body, errors.Join(err))
	}
	var said map[string]any
	if err := json.Unmarshal(body, &said); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	delete(said, "_verifiability")
	text, err := json.Marshal(said)
	return string(text) + "\n", err
}

// weeksIn reads the archive itself: answers hide it.
func weeksIn(dir string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), *damageWithin)
	defer cancel()
	url, err := system.NATSURL(dir)
	if err != nil {
		return "", err
	}
	conn, err := nats.Connect(url)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		return "", err
	}
	kv, err := js.KeyValue(ctx, contracts.WeeksBucket.Name)
	if err != nil {
		return "", err
	}
	names, err := kv.Keys(ctx)
	if err != nil {
		return "", err
	}
	slices.Sort(names)
	var all strings.Builder
	for _, name := range names {
		e, err := kv.Get(ctx, name)
		if err != nil {
			return "", fmt.Errorf("archive: %w", err)
		}
		var week map[string]any
		if err := json.Unmarshal(e.Value(), &week); err != nil {
			return "", fmt.Errorf("archive: %s: %w", name, err)
		}
		// These move when a carrier is read again, as on a machine where trials take minutes.
		for _, member := range []string{"last", "end_date", "learned_at", "before"} {
			delete(week, member)
		}
		fmt.Fprintf(&all, "%s %v\n", name, week)
	}
	return all.String(), nil
}

func copyOf(t *testing.T, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "data")
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return to
}
