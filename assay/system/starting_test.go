package system

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/daemon"
)

// Whoever waits for /readyz may ask at once: it is 503 while any service has still to start.
func TestItIsNotReadyBeforeItsLastServiceIs(t *testing.T) {
	t.Parallel()
	cfg, err := Load(daemon.Environ{
		"ASSAY_DATA": t.TempDir(), "ASSAY_LISTEN": "127.0.0.1:0", "ASSAY_ADMIN_LISTEN": "127.0.0.1:0",
		"HTTPS_PROXY": "http://127.0.0.1:1", "HTTP_PROXY": "http://127.0.0.1:1",
		"ASSAY_STOP_TIMEOUT": clocktest.Patience.String(),
	})
	if err != nil {
		t.Fatal(err)
	}
	s := &system{cfg: cfg, log: daemon.NewLog(cfg.Config), began: time.Now(), ended: make(chan *service, 16)}
	seen := &readiness{t: t, s: s, at: map[string]int{}}
	s.out = seen
	if err := s.start(t.Context()); err != nil {
		t.Error(err)
	}
	for part, status := range seen.at {
		if (status == http.StatusOK) != (part == "gateway") {
			t.Errorf("once the %s is ready, /readyz is %d", part, status)
		}
	}
	if len(seen.at) < 6 {
		t.Errorf("asked after %v", seen.at)
	}
	seen.t = nil
	if err := s.stop(); err != nil {
		t.Error(err)
	}
}

// readiness asks /readyz whenever a part of the system says that it is ready.
type readiness struct {
	t  *testing.T
	s  *system
	at map[string]int
}

func (r *readiness) Write(line []byte) (int, error) {
	part, _, ok := strings.Cut(string(line), " ready ")
	if !ok || r.t == nil || r.s.host == nil {
		return len(line), nil
	}
	resp, err := http.Get(r.s.host.AdminURL() + "/readyz")
	if err != nil {
		r.t.Error(err)
		return len(line), nil
	}
	_ = resp.Body.Close()
	r.at[strings.TrimSpace(part)] = resp.StatusCode
	return len(line), nil
}
