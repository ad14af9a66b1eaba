package captchaworker

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/clock/clocktest"
	solvers "assay.dev/sandbox/solver"
)

// Workers are killed, as processes, while they solve: one after each fourth answer. Every job ends, what is answered is
// right, no image is paid for twice, and a job is refused only when its worker died between reserving and noting.
func TestKilledWorkersNeverPayTwice(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for seconds")
	}
	const jobs, workers, kills, answersPerKill = 40, 3, 7, 4
	w := newWorld(t)
	provider := w.sandbox.Licensing().Solvers[solvers.TwoCaptcha]
	behave(t, provider, func(b *solvers.Behaviour) { b.Delay = time.Second })
	binary := filepath.Join(t.TempDir(), "captcha-worker")
	if out, err := exec.Command("go", "build", "-o", binary, "./cmd/captcha-worker").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var running []*exec.Cmd
	for range workers {
		running = append(running, w.process(t, binary))
	}

	var answered, refused atomic.Int64
	var asking sync.WaitGroup
	ctx := within(t, 5*time.Minute)
	for i := range jobs {
		asking.Go(func() {
			want, got, err := w.solve(ctx, fmt.Sprint("job-", i))
			switch {
			case err == nil && got.Text == want:
				answered.Add(1)
			case err == nil:
				t.Errorf("job %d: %q, want %q", i, got.Text, want)
			case contracts.CodeOf(err) == contracts.SourceUnavailable:
				refused.Add(1)
			default:
				t.Errorf("job %d: %v", i, err)
			}
		})
	}
	for kill := range kills {
		clocktest.Await(t, "four more jobs end", func() bool {
			return t.Failed() || answered.Load()+refused.Load() >= int64(answersPerKill*(kill+1))
		})
		end(running[kill%workers])
		running[kill%workers] = w.process(t, binary)
	}
	asking.Wait()
	counts, lost := provider.Counts(), w.lostGrants(t)
	t.Logf("%d answered, %d refused, %d lost, provider: %+v", answered.Load(), refused.Load(), lost, counts)
	if counts.Duplicates != 0 || counts.Created > jobs {
		t.Errorf("an image was paid for twice: %+v", counts)
	}
	if refused.Load() != lost {
		t.Errorf("%d were refused, and %d lost", refused.Load(), lost)
	}
}

// process starts a worker with the settings of w.config. It is killed at the end of the test, if not earlier.
func (w *world) process(t *testing.T, binary string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(binary)
	cmd.Env = append(os.Environ(),
		"ASSAY_ENVIRONMENT=test", "ASSAY_ADMIN_LISTEN=off", "ASSAY_NATS_URL="+w.nats.ClientURL(),
		"HTTPS_PROXY="+w.sandbox.ProxyURL(), "SSL_CERT_FILE="+w.sandbox.CAFile(),
		"ASSAY_SOLVER=2captcha", "ASSAY_SOLVER_KEY="+solvers.Key, "ASSAY_SOLVER_POLL=100ms", "ASSAY_SOLVE_SLOTS=4",
	)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { end(cmd) })
	return cmd
}

// end kills the process. It may be called again.
func end(cmd *exec.Cmd) {
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}

// lostGrants counts the jobs of which the ledger knows no call, because their worker died before it noted one.
func (w *world) lostGrants(t *testing.T) (lost int64) {
	t.Helper()
	for _, grant := range w.month(t, contracts.Solve).Pending {
		if grant.Task == "" {
			lost++
		}
	}
	return lost
}
