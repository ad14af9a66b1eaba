package jobs_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/jobs"
)

// The time that a job waits for a slot is its caller's, too: a worker does not go on after that has left.
func TestTimeInTheQueueIsTheCallers(t *testing.T) {
	t.Parallel()
	srv := bustest.Server(t)
	type beginning struct{ at, until time.Time }
	begun, release, until := make(chan struct{}), make(chan struct{}), make(chan beginning, 1)
	work(t, srv, 1, func(ctx context.Context, id string, q question) (answer, error) {
		if id == "first" {
			close(begun)
			<-release
		} else {
			deadline, _ := ctx.Deadline()
			until <- beginning{time.Now(), deadline}
		}
		return echoJob(ctx, id, q)
	})
	j := openJobs(t, bustest.Connect(t, srv))
	stream, err := bustest.JetStream(t, bustest.Connect(t, srv)).Stream(within(t, patient), contracts.JobsStream.Name)
	if err != nil {
		t.Fatal(err)
	}
	var calls sync.WaitGroup
	ask := func(ctx context.Context, id string) {
		calls.Go(func() {
			if _, err := solve(ctx, j, id, "x"); err != nil {
				t.Error(err)
			}
		})
	}
	ask(within(t, patient), "first")
	<-begun
	asked, second := time.Now(), within(t, 2*time.Minute)
	ask(second, "second")
	clocktest.Await(t, "the second job is queued", func() bool {
		info, err := stream.Info(within(t, patient))
		return err == nil && info.State.Msgs == 2
	})
	queued := time.Since(asked) // by so much the caller's time that the job tells may be too long
	clocktest.Await(t, "it has waited", func() bool { return time.Since(asked) > 3*queued })
	released := time.Now()
	close(release)
	calls.Wait()
	deadline, _ := second.Deadline()
	begins := <-until
	allowed := queued + begins.at.Sub(released) // the worker may have waited for a processor
	if late := begins.until.Sub(deadline); late > allowed {
		t.Errorf("the job may go on for %s after its caller has left, and for %s at most", late, allowed)
	}
}

// What is paid for at once is done to its end: who asks again gets it.
func TestAJobMayOutliveItsCaller(t *testing.T) {
	t.Parallel()
	srv := bustest.Server(t)
	var counts sync.Map // by the job's id: one that its caller gave up may be taken late
	done := func(id string) *atomic.Int64 {
		count, _ := counts.LoadOrStore(id, new(atomic.Int64))
		return count.(*atomic.Int64)
	}
	w := work(t, srv, 1, func(ctx context.Context, id string, q question) (answer, error) {
		done(id).Add(1)
		<-ctx.Done()
		if q.Text == "for ever" {
			<-jobs.Unhurried(ctx).Done()
		}
		return answer{id}, jobs.Unhurried(ctx).Err()
	})
	j := openJobs(t, bustest.Connect(t, srv))
	taken := func(text string) (id string) {
		clocktest.Await(t, "a worker takes the job in time", func() bool {
			id = fmt.Sprint("n", time.Now().UnixNano())
			if _, err := solve(within(t, time.Second), j, id, text); contracts.CodeOf(err) != contracts.Timeout {
				t.Errorf("got %v", err)
			}
			return done(id).Load() > 0
		})
		return id
	}
	id := taken("to the end")
	before := done(id).Load()
	if got, err := solve(within(t, patient), j, id, "again"); err != nil || got.Text != id || done(id).Load() != before {
		t.Errorf("%+v, %v, done %d times more", got, err, done(id).Load()-before)
	}
	taken("for ever")
	w.SetGrace(patient)
	if err := w.Stop(within(t, time.Millisecond)); err != nil {
		t.Errorf("it does not end with its worker: %v", err)
	}
}

// A silent worker's job goes to another worker and fails there. The first worker's late result counts.
func TestALateSuccessReplacesAFailure(t *testing.T) {
	t.Parallel()
	srv := bustest.Server(t)
	begun, release := make(chan struct{}), make(chan struct{})
	first := work(t, srv, 1, func(ctx context.Context, id string, q question) (answer, error) {
		close(begun)
		<-release
		return echoJob(ctx, id, q)
	})
	j, failed := openJobs(t, bustest.Connect(t, srv)), make(chan error, 1)
	go func() {
		_, err := solve(within(t, patient), j, "paid", "x")
		failed <- err
	}()
	<-begun
	js := bustest.JetStream(t, bustest.Connect(t, srv))
	if err := js.DeleteConsumer(within(t, patient), contracts.JobsStream.Name, jobs.ConsumerName(contracts.Test, contracts.Solve)); err != nil {
		t.Fatal(err)
	}
	if err := jobs.Provision(within(t, patient), js); err != nil { // it knows of no worker
		t.Fatal(err)
	}
	work(t, srv, 1, func(context.Context, string, question) (answer, error) {
		return answer{}, contracts.Errorf(contracts.SourceUnavailable, "it was begun before")
	})
	if err := <-failed; contracts.CodeOf(err) != contracts.SourceUnavailable {
		t.Fatalf("the second worker: %v", err)
	}
	close(release)
	stop(t, first)
	if got, err := solve(within(t, patient), j, "paid", "x"); err != nil || got.Text != "paid:x" {
		t.Errorf("%+v, %v", got, err)
	}
}

// nats.go keeps the subscription of each pull that it could not send.
func TestAnOutageLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	srv := bustest.Server(t)
	conn, log := bustest.Connect(t, srv), &strings.Builder{}
	queue, err := jobs.Open(within(t, patient), bus.Deps{Conn: conn, Log: slog.New(slog.NewTextHandler(log, nil))},
		bustest.JetStream(t, conn), contracts.Test)
	if err != nil {
		t.Fatal(err)
	}
	before := conn.NumSubscriptions()
	w, err := jobs.Work(within(t, patient), queue, contracts.Solve, 3, echoJob)
	if err != nil {
		t.Fatal(err)
	}
	opts := bustest.Stop(srv)
	clocktest.Await(t, "all pulls end, and none begins", func() bool { return conn.NumSubscriptions() == before })
	srv = bustest.Start(t, opts)
	if _, err := solve(within(t, patient), openJobs(t, bustest.Connect(t, srv)), "after", "x"); err != nil {
		t.Error(err)
	}
	if stop(t, w); strings.Count(log.String(), "\n") > 2 { // one line, and another one where a minute passed
		t.Errorf("each slot writes lines about one outage: %s", log)
	}
}
