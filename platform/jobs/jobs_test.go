package jobs_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/jobs"
)

func openJobs(t testing.TB, conn *nats.Conn) *jobs.Queue {
	t.Helper()
	j, err := jobs.Open(within(t, patient), bus.Deps{Conn: conn}, bustest.JetStream(t, conn), contracts.Test)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

type jobFunc func(context.Context, string, question) (answer, error)

func work(t testing.TB, srv *server.Server, slots int, f jobFunc) *jobs.Workers {
	t.Helper()
	w, err := jobs.Work(within(t, patient), openJobs(t, bustest.Connect(t, srv)), contracts.Solve, slots, f)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(t, w) })
	return w
}

func solve(ctx context.Context, j *jobs.Queue, id, text string) (answer, error) {
	return jobs.Do[answer](ctx, j, contracts.Solve, id, question{Text: text})
}

func echoJob(_ context.Context, id string, q question) (answer, error) {
	return answer{id + ":" + q.Text}, nil
}

func TestJobIsDone(t *testing.T) {
	t.Parallel()
	srv := bustest.Server(t)
	work(t, srv, 2, echoJob)
	j := openJobs(t, bustest.Connect(t, srv))
	got, err := solve(within(t, patient), j, "job-1", "hello")
	if err != nil || got.Text != "job-1:hello" {
		t.Errorf("got %+v, %v", got, err)
	}
}

// However often and from wherever a job is asked for, it is done once, and its result is everybody's, later too.
func TestOneIDIsOneJob(t *testing.T) {
	t.Parallel()
	srv := bustest.Server(t)
	var done atomic.Int64
	work(t, srv, 4, func(ctx context.Context, id string, q question) (answer, error) {
		done.Add(1)
		return echoJob(ctx, id, q)
	})
	a, b := openJobs(t, bustest.Connect(t, srv)), openJobs(t, bustest.Connect(t, srv))
	var calls sync.WaitGroup
	ask := func(j *jobs.Queue) {
		if got, err := solve(within(t, patient), j, "same", "x"); err != nil || got.Text != "same:x" {
			t.Errorf("got %+v, %v", got, err)
		}
	}
	for range 10 {
		calls.Go(func() { ask(a) })
		calls.Go(func() { ask(b) })
	}
	calls.Wait()
	ask(a)
	if done.Load() != 1 {
		t.Errorf("done %d times", done.Load())
	}
}

func TestJobFailuresAreResults(t *testing.T) {
	t.Parallel()
	srv := bustest.Server(t)
	work(t, srv, 2, func(ctx context.Context, _ string, q question) (answer, error) {
		switch q.Text {
		case "panic":
			panic("secret")
		case "coded":
			return answer{}, contracts.Errorf(contracts.CaptchaSolverNotConfigured, "no key")
		case "huge":
			return answer{randomText(3 << 20)}, nil
		}
		<-ctx.Done()
		return answer{}, ctx.Err()
	})
	j := openJobs(t, bustest.Connect(t, srv))
	cases := []struct {
		text string
		code contracts.Code
	}{
		{"panic", contracts.Internal},
		{"coded", contracts.CaptchaSolverNotConfigured},
		{"huge", contracts.Internal},
		{"", contracts.InvalidRequest},
	}
	for _, c := range cases {
		t.Run(c.text, func(t *testing.T) {
			_, err := solve(within(t, patient), j, "fails-"+c.text, c.text)
			if e := contracts.AsError(err); e == nil || e.Code != c.code || !e.Peer || strings.Contains(e.Message, "secret") {
				t.Errorf("got %+v", e)
			}
		})
	}
}

func randomText(n int) string {
	var b strings.Builder
	for x := uint64(88172645463325252); b.Len() < n; {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		fmt.Fprintf(&b, "%x", x)
	}
	return b.String()
}

func TestLargeResultArrives(t *testing.T) {
	t.Parallel()
	srv := bustest.Server(t)
	text := strings.Repeat("<td>page</td>", 200_000)
	work(t, srv, 1, func(context.Context, string, question) (answer, error) { return answer{text}, nil })
	got, err := solve(within(t, patient), openJobs(t, bustest.Connect(t, srv)), "large", "x")
	if err != nil || got.Text != text {
		t.Errorf("%d bytes, %v", len(got.Text), err)
	}
}

func TestFullQueueRefusesAtOnce(t *testing.T) {
	t.Parallel()
	srv := bustest.Server(t)
	j := openJobs(t, bustest.Connect(t, srv))
	ctx, cancel := context.WithTimeout(context.Background(), clocktest.Patience)
	var waiting sync.WaitGroup
	var refused atomic.Int64
	for i := range contracts.JobsStream.MaxMsgs + 20 {
		waiting.Go(func() {
			start := time.Now()
			_, err := solve(ctx, j, fmt.Sprint("wait-", i), "x")
			if e := contracts.AsError(err); e.Code == contracts.Busy {
				refused.Add(1)
				if e.RetryAfter == 0 || time.Since(start) > patient/2 {
					t.Errorf("refused after %s: %+v", time.Since(start), e)
				}
			}
			if refused.Load() == 20 {
				cancel()
			}
		})
	}
	waiting.Wait()
	cancel()
	if refused.Load() != 20 {
		t.Errorf("%d refused", refused.Load())
	}
}

// A job that nobody took by its caller's deadline is not paid for.
func TestExpiredJobIsDropped(t *testing.T) {
	t.Parallel()
	srv := bustest.Server(t)
	j := openJobs(t, bustest.Connect(t, srv))
	if _, err := solve(within(t, 300*time.Millisecond), j, "late", "x"); contracts.CodeOf(err) != contracts.Timeout {
		t.Fatalf("got %v", err)
	}
	stream, err := bustest.JetStream(t, bustest.Connect(t, srv)).Stream(within(t, patient), contracts.JobsStream.Name)
	if err != nil {
		t.Fatal(err)
	}
	clocktest.Await(t, "the job is gone", func() bool {
		info, err := stream.Info(within(t, patient))
		return err == nil && info.State.Msgs == 0
	})
	var done atomic.Int64
	work(t, srv, 1, func(ctx context.Context, id string, q question) (answer, error) {
		if id == "late" {
			done.Add(1)
		}
		return echoJob(ctx, id, q)
	})
	if _, err := solve(within(t, patient), j, "next", "x"); err != nil {
		t.Error(err)
	}
	if done.Load() != 0 {
		t.Error("the expired job was done")
	}
}

// A worker dies over a job: another does it, and knows that it is not the first.
func TestJobOfADeadWorkerIsDoneByAnother(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for seconds")
	}
	t.Parallel()
	srv := bustest.Server(t)
	begun := make(chan struct{})
	release := make(chan struct{})
	dying := bustest.Connect(t, srv)
	w, err := jobs.Work(within(t, patient), openJobs(t, dying), contracts.Solve, 1,
		func(ctx context.Context, _ string, _ question) (answer, error) {
			close(begun)
			<-release
			return answer{"ghost"}, nil
		})
	if err != nil {
		t.Fatal(err)
	}
	j := openJobs(t, bustest.Connect(t, srv))
	type outcome struct {
		a   answer
		err error
	}
	result := make(chan outcome, 1)
	go func() {
		a, err := solve(within(t, patient), j, "orphan", "x")
		result <- outcome{a, err}
	}()
	<-begun
	dying.Close()
	work(t, srv, 1, func(ctx context.Context, _ string, _ question) (answer, error) {
		return answer{"another"}, nil
	})
	if got := <-result; got.err != nil || got.a.Text != "another" {
		t.Errorf("got %+v", got)
	}
	close(release)
	stop(t, w)
}

// Jobs go on while workers come and go; each is done, none twice.
func TestStoppingWorkersLoseNothing(t *testing.T) {
	t.Parallel()
	srv := bustest.Server(t)
	var done sync.Map
	var twice, ended atomic.Int64
	f := func(ctx context.Context, id string, q question) (answer, error) {
		if _, again := done.LoadOrStore(id, true); again {
			twice.Add(1)
		}
		ended.Add(1)
		return echoJob(ctx, id, q)
	}
	j := openJobs(t, bustest.Connect(t, srv))
	var calls sync.WaitGroup
	room := make(chan struct{}, 4) // jobs are asked for as earlier ones are done
	for i := range 60 {
		calls.Go(func() {
			room <- struct{}{}
			defer func() { <-room }()
			if _, err := solve(within(t, patient), j, fmt.Sprint("n", i), "x"); err != nil {
				t.Error(err)
			}
		})
	}
	for range 3 {
		w, err := jobs.Work(within(t, patient), openJobs(t, bustest.Connect(t, srv)), contracts.Solve, 2, f)
		if err != nil {
			t.Fatal(err)
		}
		before := ended.Load()
		clocktest.Await(t, "jobs are done", func() bool { return ended.Load() > before+5 })
		stop(t, w)
	}
	work(t, srv, 2, f)
	calls.Wait()
	if twice.Load() != 0 {
		t.Errorf("%d jobs done twice", twice.Load())
	}
}

func TestSlotsBoundTheJobsInHand(t *testing.T) {
	t.Parallel()
	srv := bustest.Server(t)
	var inHand, most atomic.Int64
	work(t, srv, 3, func(ctx context.Context, id string, q question) (answer, error) {
		if n := inHand.Add(1); n > most.Load() {
			most.Store(n)
		}
		defer inHand.Add(-1)
		runtime.Gosched()
		return echoJob(ctx, id, q)
	})
	j := openJobs(t, bustest.Connect(t, srv))
	var calls sync.WaitGroup
	for i := range 20 {
		calls.Go(func() {
			if _, err := solve(within(t, patient), j, fmt.Sprint("s", i), "x"); err != nil {
				t.Error(err)
			}
		})
	}
	calls.Wait()
	if most.Load() > 3 {
		t.Errorf("%d at a time", most.Load())
	}
}

// A job that three workers did not survive is given up, and not tried on a fourth.
func TestPoisonJobFails(t *testing.T) {
	t.Parallel()
	srv := bustest.Server(t)
	taken := make(chan struct{}, 10)
	f := func(ctx context.Context, _ string, _ question) (answer, error) {
		taken <- struct{}{}
		<-ctx.Done()
		return answer{}, ctx.Err()
	}
	j := openJobs(t, bustest.Connect(t, srv))
	result := make(chan error, 1)
	go func() {
		_, err := solve(within(t, patient), j, "poison", "x")
		result <- err
	}()
	for range 3 {
		w, err := jobs.Work(within(t, patient), openJobs(t, bustest.Connect(t, srv)), contracts.Solve, 1, f)
		if err != nil {
			t.Fatal(err)
		}
		<-taken
		w.SetGrace(patient)
		if err := w.Stop(within(t, time.Millisecond)); err != nil { // does not wait for the job, as a crash would not
			t.Error(err)
		}
	}
	work(t, srv, 1, f)
	if err := <-result; contracts.CodeOf(err) != contracts.Internal {
		t.Errorf("got %v", err)
	}
	if len(taken) != 0 {
		t.Error("a fourth worker took it")
	}
}

// NATS goes and comes back while a job is in hand: it is done once, and its result arrives.
func TestJobOutlivesARestart(t *testing.T) {
	t.Parallel()
	srv := bustest.Server(t)
	var done atomic.Int64
	begun, restarted := make(chan struct{}, 10), make(chan struct{})
	work(t, srv, 1, func(ctx context.Context, id string, q question) (answer, error) {
		done.Add(1)
		begun <- struct{}{}
		<-restarted
		return echoJob(ctx, id, q)
	})
	j := openJobs(t, bustest.Connect(t, srv))
	result := make(chan error, 1)
	go func() {
		_, err := solve(within(t, patient), j, "restart", "x")
		result <- err
	}()
	<-begun
	bustest.Restart(t, srv)
	close(restarted)
	if err := <-result; err != nil {
		t.Error(err)
	}
	if done.Load() != 1 {
		t.Errorf("done %d times", done.Load())
	}
}
