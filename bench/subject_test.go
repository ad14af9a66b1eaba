package bench

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// subject is a process of `assay up` that is measured. It has free ports and an empty data directory of its own, and
// ends with the test at the latest.
type subject struct {
	*testing.T
	data    string
	process *exec.Cmd
	began   time.Time
	base    string // of the API
	key     string // of the test environment
	admin   string
	proxy   string // of the sandbox
	stop    func()
}

var (
	adminLine = regexp.MustCompile(`metrics at (http://\S+)/metrics`)
	baseLine  = regexp.MustCompile(`Assay answers at (http://\S+) `)
	proxyLine = regexp.MustCompile(`sandbox .* proxy (http://\S+)`)
	keyLine   = regexp.MustCompile(`test key\s+(test_\S+)`)
)

// startSubject starts a subject and returns when it says that it is ready. Each of settings has the form NAME=value.
func startSubject(t *testing.T, settings ...string) *subject {
	s := &subject{T: t, data: t.TempDir(), process: exec.Command(*binary, "up")}
	s.process.Env = append(os.Environ(), "ASSAY_LISTEN=127.0.0.1:0", "ASSAY_ADMIN_LISTEN=127.0.0.1:0",
		"ASSAY_DATA="+s.data)
	s.process.Env = append(s.process.Env, settings...)
	s.process.Stderr = os.Stderr
	out, err := s.process.StdoutPipe()
	must(t, err)
	s.began = time.Now()
	must(t, s.process.Start())
	s.stop = sync.OnceFunc(func() {
		_ = s.process.Process.Signal(syscall.SIGTERM)
		if err := s.process.Wait(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(s.stop)
	s.readReport(out)
	return s
}

// readReport reads the addresses and the key that the process prints.
func (s *subject) readReport(out io.Reader) {
	lines := bufio.NewScanner(out)
	for s.key == "" {
		if !lines.Scan() {
			s.Fatal("assay up ended before it was ready")
		}
		for form, value := range map[*regexp.Regexp]*string{baseLine: &s.base, adminLine: &s.admin, proxyLine: &s.proxy,
			keyLine: &s.key} {
			if found := form.FindStringSubmatch(lines.Text()); found != nil {
				*value = found[1]
			}
		}
	}
	go func() { _, _ = io.Copy(io.Discard, out) }() // ends with the process
}

// unlimitedKey creates a key of the test environment with a limit that no run reaches.
func (s *subject) unlimitedKey() string {
	create := exec.Command(*binary, "keys", "create", "--tenant", "bench", "--limit", "1000000000")
	create.Env = append(os.Environ(), "ASSAY_DATA="+s.data, "ASSAY_NATS_URL=")
	key, err := create.Output()
	must(s.T, err)
	return strings.TrimSpace(string(key))
}

// reviseWeek makes a carrier of the sandbox show another percent. week has the form of POST /sandbox/weeks, such as
// {"carrier":"SAIA","week":"2026-09-02","fuel_surcharge_pct":51.5}.
func (s *subject) reviseWeek(week string) {
	resp, err := http.Post(s.admin+"/sandbox/weeks", "application/json", strings.NewReader(week))
	must(s.T, err)
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusCreated {
		s.Fatalf("POST /sandbox/weeks %s: %s", week, resp.Status)
	}
}

// ask sends a request to the API.
func (s *subject) ask(key, path string) []byte {
	s.Helper()
	return fetch(s.T, http.DefaultClient, s.base+path, key)
}

// fetch returns the body of a reply, which must have the status 200. It sends key unless key is empty.
func fetch(t *testing.T, client *http.Client, address, key string) []byte {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	must(t, err)
	if key != "" {
		req.Header.Set("X-API-Key", key)
	}
	resp, err := client.Do(req)
	must(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	must(t, err)
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("GET %s: %s: %.200s", address, resp.Status, body)
	}
	return body
}

func (s *subject) residentMB() float64 {
	mb, err := residentMB(s.process.Process.Pid)
	must(s.T, err)
	return mb
}

// residentMB returns the resident memory of a process, in MB of 10⁶ bytes.
func residentMB(pid int) (float64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kib, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			return kib * 1024 / 1e6, err
		}
	}
	return 0, fmt.Errorf("process %d has no VmRSS", pid)
}
