package captchaworker

import (
	"fmt"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"assay.dev/captcha-worker/credits"
	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/jobs"
	"assay.dev/sandbox"
	solvers "assay.dev/sandbox/solver"
)

func TestSolve(t *testing.T) {
	for _, service := range []solvers.Service{solvers.TwoCaptcha, solvers.AntiCaptcha, solvers.CapSolver} {
		t.Run(string(service), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			cfg := w.config()
			cfg.Provider = string(service)
			registry := w.start(t, cfg)
			clocktest.Await(t, "what is left is shown", func() bool { return accounts(t, registry) == 3 })
			if n, err := testutil.GatherAndCount(registry, "captcha_solve_duration_seconds"); err != nil || n != 11 {
				t.Errorf("%d outcomes are counted from 0 on, %v", n, err)
			}
			want, got, err := w.solve(within(t, clocktest.Patience), "job-1")
			if err != nil || got.Text != want || got.Provider != string(service) || got.TaskID == "" {
				t.Fatalf("%+v, %v; want %q", got, err, want)
			}
			again, err := jobs.Do[contracts.SolveResult](within(t, clocktest.Patience), w.jobs, contracts.Solve, "job-1",
				contracts.SolveJob{Image: []byte("x")})
			if err != nil || again != got {
				t.Errorf("the same job again: %+v, %v", again, err)
			}

			bad := contracts.SolveJob{Bad: &got.SolveRef}
			if _, err := jobs.Do[contracts.SolveResult](within(t, clocktest.Patience), w.jobs, contracts.Solve, "report-1",
				bad); err != nil {
				t.Errorf("report: %v", err)
			}
			counts := w.sandbox.Licensing().Solvers[service].Counts()
			if wantReports := map[bool]int{true: 0, false: 1}[service == solvers.CapSolver]; counts.Reported != wantReports {
				t.Errorf("reports: %+v", counts)
			}
			if counts.Created != 1 {
				t.Errorf("%d tasks were paid for", counts.Created)
			}
			month := w.month(t, contracts.Solve)
			if month.Reserved() != 0 || month.Spent == 0 {
				t.Errorf("ledger: %+v", month)
			}
		})
	}
}

// Each class of failure becomes SOURCE_UNAVAILABLE, and nothing stays reserved.
func TestSolveFailures(t *testing.T) {
	for name, tt := range map[string]struct {
		method  string
		failure solvers.Failure
		times   int
		works   bool
	}{
		"wrong key":                    {"createTask", "ERROR_KEY_DOES_NOT_EXIST", 5, false},
		"no balance":                   {"createTask", "ERROR_ZERO_BALANCE", 5, false},
		"not of the protocol":          {"createTask", solvers.Garbage, 5, false},
		"proxy's page instead of it":   {"createTask", solvers.HTML, 1, true},
		"hostile solution":             {"getTaskResult", solvers.Hostile, 5, false},
		"proxy's page while it solves": {"getTaskResult", solvers.HTML, 5, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			if err := w.sandbox.Licensing().Solvers[solvers.TwoCaptcha].Fail(tt.method, tt.failure, tt.times); err != nil {
				t.Fatal(err)
			}
			w.start(t, w.config())
			want, got, err := w.solve(within(t, clocktest.Patience), "job")
			if tt.works {
				if err != nil || got.Text != want {
					t.Errorf("%+v, %v; want %q", got, err, want)
				}
			} else if contracts.CodeOf(err) != contracts.SourceUnavailable {
				t.Errorf("%+v, %v; want SOURCE_UNAVAILABLE", got, err)
			}
			if month := w.month(t, contracts.Solve); month.Reserved() != 0 {
				t.Errorf("ledger: %+v", month)
			}
		})
	}
}

// A task that the provider took is booked although its answer was lost. What did not reach it is not.
func TestATaskWhoseAnswerIsLostIsBooked(t *testing.T) {
	for name, tt := range map[string]struct {
		url   string
		spent int64
	}{
		"the answer is cut off": {"", credits.MicroUSD(assumedUSD)},
		"nobody listens":        {"http://" + bustest.FreeAddress(t), 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			if err := w.sandbox.Fault(solvers.TwoCaptchaHost, "/createTask", sandbox.Reset); err != nil {
				t.Fatal(err)
			}
			cfg := w.config()
			cfg.SolverConfig.URL = tt.url
			w.start(t, cfg)
			if _, got, err := w.solve(within(t, clocktest.Patience), "job"); contracts.CodeOf(err) != contracts.SourceUnavailable {
				t.Errorf("%+v, %v; want SOURCE_UNAVAILABLE", got, err)
			}
			if month := w.month(t, contracts.Solve); month.Spent != tt.spent || month.Reserved() != 0 {
				t.Errorf("ledger: %+v, provider: %+v", month, w.sandbox.Licensing().Solvers[solvers.TwoCaptcha].Counts())
			}
		})
	}
}

// A solution is paid for: it is used also where the ledger cannot be written any more.
func TestASolutionIsUsedThoughItIsNotBooked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if err := w.sandbox.Fault(solvers.TwoCaptchaHost, "/getTaskResult", sandbox.Down); err != nil {
		t.Fatal(err)
	}
	w.start(t, w.config())
	solved := make(chan error, 1)
	go func() {
		want, got, err := w.solve(within(t, clocktest.Patience), "job")
		if err == nil && got.Text != want {
			err = fmt.Errorf("%q, want %q", got.Text, want)
		}
		solved <- err
	}()
	clocktest.Await(t, "the task is noted", func() bool { return w.month(t, contracts.Solve).Pending["job"].Task != "" })
	js := bustest.JetStream(t, bustest.Connect(t, w.nats))
	stream, err := js.Stream(t.Context(), contracts.CreditsBucket.Stream())
	if err != nil {
		t.Fatal(err)
	}
	sealed := stream.CachedInfo().Config
	sealed.Sealed = true
	if _, err := js.UpdateStream(t.Context(), sealed); err != nil {
		t.Fatal(err)
	}
	w.sandbox.ClearFaults()
	if err := <-solved; err != nil {
		t.Error(err)
	}
}

func TestSolveWithoutKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cfg := w.config()
	cfg.SolverConfig.Key, cfg.RendererConfig.Key = "", ""
	registry := w.start(t, cfg)
	if _, _, err := w.solve(within(t, clocktest.Patience),
		"job"); contracts.CodeOf(err) != contracts.CaptchaSolverNotConfigured {
		t.Errorf("%v; want CAPTCHA_SOLVER_NOT_CONFIGURED", err)
	}
	if a, err := w.solver(within(t, clocktest.Patience)); contracts.CodeOf(err) != contracts.CaptchaSolverNotConfigured {
		t.Errorf("%+v, %v; want CAPTCHA_SOLVER_NOT_CONFIGURED", a, err)
	}
	if n := accounts(t, registry); n != 0 {
		t.Errorf("%d metrics of accounts that there are not, which alerts would take for empty ones", n)
	}
}

// Which solver there is can be asked for nothing, and while every slot for solves is taken. A job without an image is
// refused.
func TestSolverIsAskedBesideTheJobs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	provider := w.sandbox.Licensing().Solvers[solvers.TwoCaptcha]
	behave(t, provider, func(b *solvers.Behaviour) { b.Delay = time.Minute })
	cfg := w.config()
	cfg.SolveSlots, cfg.StopTimeout = 1, 2*time.Second
	w.start(t, cfg)
	solving := make(chan error, 1)
	solve := func(id string) {
		_, _, err := w.solve(within(t, 3*time.Second), id)
		solving <- err
	}
	go solve("slow")
	clocktest.Await(t, "the provider has the job", func() bool {
		select {
		case err := <-solving:
			t.Logf("the machine is so busy that the time is over: %v", err)
			go solve("slow again")
		default:
		}
		return provider.Counts().Created > 0
	})
	if a, err := w.solver(within(t, clocktest.Patience)); err != nil || a.Provider != string(solvers.TwoCaptcha) {
		t.Errorf("%+v, %v", a, err)
	}
	if err := <-solving; contracts.CodeOf(err) != contracts.Timeout {
		t.Errorf("the slow solve: %v", err)
	}
	_, err := jobs.Do[contracts.SolveResult](within(t, clocktest.Patience), w.jobs, contracts.Solve, "empty",
		contracts.SolveJob{})
	if contracts.CodeOf(err) != contracts.InvalidRequest {
		t.Errorf("a job without an image: %v", err)
	}
	if created := provider.Counts().Created; created != 1 {
		t.Errorf("%d tasks were paid for", created)
	}
}

func TestSolveBudget(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cfg := w.config()
	cfg.SolveBudget = 0.001 // less than one reservation
	w.start(t, cfg)
	if _, _, err := w.solve(within(t, clocktest.Patience), "job"); contracts.CodeOf(err) != contracts.SourceUnavailable {
		t.Errorf("%v; want SOURCE_UNAVAILABLE", err)
	}
	if created := w.sandbox.Licensing().Solvers[solvers.TwoCaptcha].Counts().Created; created != 0 {
		t.Errorf("%d tasks were paid for beyond the budget", created)
	}
}

// An image that cannot be read is an answer, not a failure: the site has others.
func TestUnsolvable(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if err := w.sandbox.Licensing().Solvers[solvers.TwoCaptcha].Fail("getTaskResult", "ERROR_CAPTCHA_UNSOLVABLE",
		5); err != nil {
		t.Fatal(err)
	}
	w.start(t, w.config())
	if _, got, err := w.solve(within(t, clocktest.Patience), "job"); err != nil || !got.Unsolvable || got.Text != "" {
		t.Errorf("%+v, %v", got, err)
	}
	if month := w.month(t, contracts.Solve); month.Spent != 0 || month.Reserved() != 0 {
		t.Errorf("ledger: %+v", month)
	}
}
