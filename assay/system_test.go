package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"assay.dev/assay/system"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/daemon"
)

// TestMain looks for goroutines that are left when the shared system is stopped.
// Toxiproxy 2.5 leaves the goroutines of a connection that ended while it had something to write to it.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(suite{m}, goleak.IgnoreAnyFunction("github.com/Shopify/toxiproxy/v2/toxics.(*ToxicStub).Run"),
		goleak.IgnoreAnyFunction("github.com/Shopify/toxiproxy/v2.(*ToxicLink).read"))
}

// suite are the tests, and the end of what they share.
type suite struct{ *testing.M }

// Run runs the tests.
func (s suite) Run() int {
	var err error
	if binaryDir, err = filepath.Abs("../bin/tested"); err != nil {
		panic(err)
	}
	code := s.M.Run()
	if shared.stop == nil {
		return code
	}
	if err := shared.stop(); err != nil {
		os.Stderr.WriteString("the shared system: " + err.Error() + "\n")
		code = 1
	}
	_ = os.RemoveAll(shared.data)
	return code
}

var (
	apiLine = regexp.MustCompile(`answers at (http://\S+) `)
	keyLine = regexp.MustCompile(`test key\s+(\S+)`)
)

// shared is the whole system that tests share which only ask it.
var shared struct {
	once    sync.Once
	data    string
	printed string
	err     error
	stop    func() error
}

// up returns the address of the shared system and a test key of the test's own.
func up(t *testing.T) (base, key string) {
	t.Helper()
	base, _, _ = sharedUp(t)
	tenant := strings.ToLower(strings.ReplaceAll(t.Name(), "/", "-"))
	return base, must(t, daemon.Environ{"ASSAY_DATA": shared.data}, "keys", "create", "--tenant", tenant, "--limit", "100000")
}

// sharedUp returns the address of the shared system, its test key, and what it printed at its start.
func sharedUp(t *testing.T) (base, key, printed string) {
	t.Helper()
	shared.once.Do(func() {
		if shared.data, shared.err = os.MkdirTemp("", "assay"); shared.err == nil {
			shared.printed, shared.stop, shared.err = start(shared.data)
		}
	})
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return welcome(shared.printed)
}

// upIn runs the whole system for the test on a data directory.
func upIn(t *testing.T, data string) (base, key, printed string) {
	t.Helper()
	printed, stop, err := start(data)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
	return welcome(printed)
}

// welcome finds the address and the test key in what a system printed.
func welcome(printed string) (base, key, text string) {
	return apiLine.FindStringSubmatch(printed)[1], keyLine.FindStringSubmatch(printed)[1], printed
}

// start runs the whole system on a data directory until stop is called, and returns what it printed at its start.
func start(data string) (printed string, stop func() error, err error) {
	cfg, err := system.Load(daemon.Environ{
		"ASSAY_DATA": data, "ASSAY_LISTEN": "127.0.0.1:0", "ASSAY_ADMIN_LISTEN": "127.0.0.1:0", "HTTPS_PROXY": "http://127.0.0.1:1",
		"ASSAY_STOP_TIMEOUT": clocktest.Patience.String(), "ASSAY_EVIDENCE_WAIT": clocktest.Patience.String(),
	})
	if err != nil {
		return "", nil, err
	}
	out, in := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- system.Run(ctx, cfg, in); _ = in.Close() }()
	stop = func() error {
		cancel()
		return <-ended
	}
	var text bytes.Buffer
	for chunk := make([]byte, 4096); !strings.Contains(text.String(), "Ctrl-C"); {
		n, err := out.Read(chunk)
		if text.Write(chunk[:n]); err != nil {
			return text.String(), nil, errors.Join(err, stop())
		}
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return text.String(), stop, nil
}
