package captchaworker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"assay.dev/contracts"
	solvers "assay.dev/sandbox/solver"
)

// Workers are killed, as processes, while they solve. Every job ends, what is answered is right, and no image is paid for
// twice.
func TestKilledWorkersNeverPayTwice(t *testing.T) {
	const jobs, workers = 40, 3
	w := newWorld(t)
	provider := w.sandbox.Licensing().Solvers[solvers.TwoCaptcha]
	behave(t, provider, func(b *solvers.Behaviour) { b.Delay = time.Second })
	binary := filepath.Join(t.TempDir(), "captcha-worker")
	if out, err := exec.Command("go", "build", "-o", binary, "./cmd/captcha-worker").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	killing, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	for range workers {
		running.Go(func() { killAgainAndAgain(killing, t, w.process(binary)) })
	}

	var answered, failed int
	var mu sync.Mutex
	var asking sync.WaitGroup
	ctx := within(t, time.Minute)
	for i := range jobs {
		asking.Go(func() {
			want, got, err := w.solve(ctx, fmt.Sprint("job-", i))
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil && got.Text == want:
				answered++
			case err == nil:
				t.Errorf("job %d: %q, want %q", i, got.Text, want)
			case contracts.CodeOf(err) == contracts.SourceUnavailable:
				failed++ // its worker died between paying and noting for what
			default:
				t.Errorf("job %d: %v", i, err)
			}
		})
	}
	asking.Wait()
	stop()
	running.Wait()
	counts := provider.Counts()
	t.Logf("%d answered, %d refused, provider: %+v", answered, failed, counts)
	if counts.Duplicates != 0 || counts.Created > jobs {
		t.Errorf("an image was paid for twice: %+v", counts)
	}
	if answered < jobs*9/10 {
		t.Errorf("%d of %d were answered", answered, jobs)
	}
}

// process makes a worker's command with the settings of w.config.
func (w *world) process(binary string) func(context.Context) *exec.Cmd {
	return func(ctx context.Context) *exec.Cmd {
		cmd := exec.CommandContext(ctx, binary)
		cmd.Env = append(os.Environ(),
			"ASSAY_ENVIRONMENT=test", "ASSAY_ADMIN_LISTEN=off", "ASSAY_NATS_URL="+w.nats.ClientURL(),
			"HTTPS_PROXY="+w.sandbox.ProxyURL(), "SSL_CERT_FILE="+w.sandbox.CAFile(),
			"ASSAY_SOLVER=2captcha", "ASSAY_SOLVER_KEY="+solvers.Key, "ASSAY_SOLVER_POLL=100ms", "ASSAY_SOLVE_SLOTS=4",
		)
		return cmd
	}
}

// killAgainAndAgain lets a worker live for two seconds, five times, and the last one until ctx ends.
func killAgainAndAgain(ctx context.Context, t *testing.T, process func(context.Context) *exec.Cmd) {
	for life := 0; ctx.Err() == nil; life++ {
		living, die := context.WithTimeout(ctx, 2*time.Second)
		if life == 5 {
			die()
			living, die = context.WithCancel(ctx)
		}
		var exit *exec.ExitError
		if err := process(living).Run(); err != nil && living.Err() == nil && !errors.As(err, &exit) {
			t.Errorf("the worker does not start: %v", err)
		}
		die()
	}
}
