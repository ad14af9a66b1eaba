package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// subject is a process of `assay up` that is measured. It has free ports and an empty data directory of its own.
type subject struct {
	binary, data string
	process      *exec.Cmd
	began        time.Time
	base         string // of the API
	key          string // of the test environment
	admin        string
	proxy        string // of the sandbox
}

var (
	adminLine = regexp.MustCompile(`metrics at (http://\S+)/metrics`)
	baseLine  = regexp.MustCompile(`Assay answers at (http://\S+) `)
	proxyLine = regexp.MustCompile(`sandbox .* proxy (http://\S+)`)
	keyLine   = regexp.MustCompile(`test key\s+(test_\S+)`)
)

// startSubject starts a subject and returns when it says that it is ready. Each of settings has the form NAME=value.
func startSubject(ctx context.Context, binary string, settings ...string) (*subject, error) {
	binary, err := filepath.Abs(binary)
	if err != nil {
		return nil, err
	}
	data, err := os.MkdirTemp("", "assay-bench-")
	if err != nil {
		return nil, err
	}
	s := &subject{binary: binary, data: data, process: exec.CommandContext(ctx, binary, "up")}
	s.process.Env = append(os.Environ(), "ASSAY_LISTEN=127.0.0.1:0", "ASSAY_ADMIN_LISTEN=127.0.0.1:0", "ASSAY_DATA="+data)
	s.process.Env = append(s.process.Env, settings...)
	s.process.Stderr = os.Stderr
	out, err := s.process.StdoutPipe()
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(data))
	}
	s.began = time.Now()
	if err := s.process.Start(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(data))
	}
	if err := s.readReport(out); err != nil {
		return nil, errors.Join(err, s.stop())
	}
	return s, nil
}

// readReport reads the addresses and the key that the process prints.
func (s *subject) readReport(out io.Reader) error {
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		for form, value := range map[*regexp.Regexp]*string{baseLine: &s.base, adminLine: &s.admin, proxyLine: &s.proxy,
			keyLine: &s.key} {
			if found := form.FindStringSubmatch(lines.Text()); found != nil {
				*value = found[1]
			}
		}
		if s.key != "" {
			go func() { _, _ = io.Copy(io.Discard, out) }() // ends with the process
			return nil
		}
	}
	return errors.New("assay up ended before it was ready")
}

func (s *subject) stop() error {
	_ = s.process.Process.Signal(syscall.SIGTERM)
	return errors.Join(s.process.Wait(), os.RemoveAll(s.data))
}

// unlimitedKey creates a key of the test environment with a limit that no run reaches.
func (s *subject) unlimitedKey(ctx context.Context) (string, error) {
	create := exec.CommandContext(ctx, s.binary, "keys", "create", "--tenant", "bench", "--limit", "1000000000")
	create.Env = append(os.Environ(), "ASSAY_DATA="+s.data, "ASSAY_NATS_URL=")
	key, err := create.Output()
	return strings.TrimSpace(string(key)), err
}

// reviseWeek makes a carrier of the sandbox show another percent. week has the form of POST /sandbox/weeks, such as
// {"carrier":"SAIA","week":"2026-09-02","fuel_surcharge_pct":51.5}.
func (s *subject) reviseWeek(ctx context.Context, week string) error {
	return s.change(ctx, "/sandbox/weeks", week)
}

// change makes an admin call of the sandbox.
func (s *subject) change(ctx context.Context, path, body string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.admin+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusCreated {
		return fmt.Errorf("POST %s %s: %s", path, body, resp.Status)
	}
	return nil
}

// ask sends a request to the API.
func (s *subject) ask(ctx context.Context, key, path string) ([]byte, error) {
	return fetch(ctx, http.DefaultClient, s.base+path, key)
}

func (s *subject) residentMB() (float64, error) { return residentMB(s.process.Process.Pid) }

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
	return 0, errors.New("no VmRSS")
}
