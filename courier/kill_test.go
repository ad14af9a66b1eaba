package courier

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"assay.dev/contracts"
)

// Couriers that are killed again and again under load lose nothing: every endpoint gets every change, the first time in their order, and
// what comes twice has the same id.
func TestKilledCouriersLoseNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes for half a minute")
	}
	s := newStand(t)
	program := filepath.Join(t.TempDir(), "courier")
	if out, err := exec.Command("go", "build", "-o", program, "./cmd/courier").CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	run := func() *exec.Cmd {
		p := exec.Command(program)
		p.Env = append(os.Environ(), "ASSAY_NATS_URL="+s.nats.ClientURL(), "ASSAY_WEBHOOK_KEY="+key, "ASSAY_WEBHOOK_LOOPBACK=true", "ASSAY_ADMIN_LISTEN=off", "ASSAY_LOG_LEVEL=error")
		s.must(p.Start())
		return p
	}
	const endpoints, kills, each = 20, 10, 150
	var mu sync.Mutex
	firsts, all := map[string][]string{}, 0
	seen := map[string]bool{}
	r := s.receiver(func(_ http.ResponseWriter, r *http.Request, _ int) {
		mu.Lock()
		defer mu.Unlock()
		all++
		if id := r.Header.Get("Webhook-Id"); !seen[r.URL.Path+" "+id] {
			seen[r.URL.Path+" "+id] = true
			firsts[r.URL.Path] = append(firsts[r.URL.Path], id)
		}
	})
	for i := range endpoints {
		s.keepAs(fmt.Sprintf("test.owner%d.e%d", i/4, i), fmt.Sprintf("%s/%d", r.URL, i))
	}
	running := []*exec.Cmd{run(), run()}
	var want []string
	tick := time.NewTicker(5 * time.Millisecond) // 200 a second
	defer tick.Stop()
	for k := range kills {
		for range each {
			<-tick.C
			id, _ := s.change(contracts.Test, fmt.Sprint(len(want)))
			want = append(want, id)
		}
		s.must(running[k%2].Process.Kill())
		_ = running[k%2].Wait() // it was killed
		running[k%2] = run()
	}
	s.await("every endpoint has every change", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(seen) == endpoints*len(want)
	})
	for _, p := range running {
		s.must(p.Process.Kill())
		_ = p.Wait()
	}
	for path, ids := range firsts {
		if join(ids) != join(want) {
			t.Errorf("%s: another order or other ids than were published", path)
		}
	}
	t.Logf("%d changes to %d endpoints, %d kills: %d requests, %d of them again", len(want), endpoints, kills, all, all-len(seen))
}
