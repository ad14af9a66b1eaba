package bus_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/telemetry"
)

func TestCallAnswers(t *testing.T) {
	t.Parallel()
	srv := bustest.Empty(t)
	serve(t, bustest.Connect(t, srv), echo)
	client := bus.NewClient(bus.Deps{Conn: bustest.Connect(t, srv)})
	got, err := ask(within(t, patient), client, "hello")
	if err != nil || got.Text != "hello" {
		t.Errorf("got %+v, %v", got, err)
	}
}

// Every code a handler can return arrives as itself, and says that a peer said so.
func TestHandlerFailuresArriveWithTheirCode(t *testing.T) {
	t.Parallel()
	srv := bustest.Empty(t)
	var fail error
	serve(t, bustest.Connect(t, srv), func(context.Context, question) (answer, error) { return answer{}, fail })
	client := bus.NewClient(bus.Deps{Conn: bustest.Connect(t, srv)})
	for _, code := range contracts.Codes() {
		fail = contracts.Errorf(code, "told").After(time.Second)
		_, err := ask(within(t, patient), client, "x")
		e := contracts.AsError(err)
		if e == nil || e.Code != code || e.Message != "told" || !e.Peer || e.RetryAfter != time.Second {
			t.Errorf("%s: got %+v", code, e)
		}
	}
}

func TestFailuresWithoutACode(t *testing.T) {
	t.Parallel()
	srv := bustest.Empty(t)
	serve(t, bustest.Connect(t, srv), func(ctx context.Context, q question) (answer, error) {
		switch q.Text {
		case "panic":
			panic("secret")
		case "error":
			return answer{}, errors.New("secret")
		case "large":
			return answer{strings.Repeat("x", 2<<20)}, nil
		}
		<-ctx.Done()
		return answer{}, ctx.Err()
	})
	client := bus.NewClient(bus.Deps{Conn: bustest.Connect(t, srv)})
	cases := []struct {
		name, text string
		patience   time.Duration
		code       contracts.Code
	}{
		{"panic", "panic", patient, contracts.Internal},
		{"plain error", "error", patient, contracts.Internal},
		{"answer too large for a reply and kept nowhere", "large", patient, contracts.Internal},
		{"invalid request", "", patient, contracts.InvalidRequest},
		{"deadline", "wait", time.Second, contracts.Timeout},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := ask(within(t, c.patience), client, c.text)
			e := contracts.AsError(err)
			for more := 5; more > 0 && c.code == contracts.Timeout && !e.Peer; more-- { // late: the machine is busy
				_, err = ask(within(t, c.patience), client, c.text)
				e = contracts.AsError(err)
			}
			if e == nil || e.Code != c.code || !e.Peer {
				t.Errorf("got %+v, want %s from the peer", e, c.code)
			}
		})
	}
}

func TestNobodyListens(t *testing.T) {
	t.Parallel()
	client := bus.NewClient(bus.Deps{Conn: bustest.Connect(t, bustest.Empty(t))})
	ctx := within(t, patient)
	start := time.Now()
	_, err := ask(ctx, client, "x")
	if e := contracts.AsError(err); e.Code != contracts.NoWorker || e.Peer || e.RetryAfter == 0 {
		t.Errorf("got %+v", e)
	}
	if took := time.Since(start); took > patient/2 {
		t.Errorf("took %s: it waited for the deadline", took)
	}
}

func TestNATSIsAway(t *testing.T) {
	t.Parallel()
	srv := bustest.Empty(t)
	client := bus.NewClient(bus.Deps{Conn: bustest.Connect(t, srv)})
	bustest.Stop(srv)
	ctx := within(t, patient)
	for range 20 {
		if _, err := ask(ctx, client, "x"); contracts.CodeOf(err) != contracts.SourceUnavailable {
			t.Fatalf("got %v", err)
		}
	}
	if deadline, _ := ctx.Deadline(); time.Until(deadline) < patient/2 {
		t.Error("calls hang while NATS is away")
	}
}

func TestTheCallerHangsUp(t *testing.T) {
	t.Parallel()
	srv := bustest.Empty(t)
	ctx, cancel := context.WithCancel(within(t, patient))
	left := make(chan struct{})
	serve(t, bustest.Connect(t, srv), func(context.Context, question) (answer, error) {
		cancel()
		<-left
		return answer{}, nil
	})
	client := bus.NewClient(bus.Deps{Conn: bustest.Connect(t, srv)})
	_, err := ask(ctx, client, "x")
	close(left)
	if contracts.CodeOf(err) != contracts.Canceled {
		t.Errorf("got %v", err)
	}
}

func TestFullWorkerRefusesAtOnce(t *testing.T) {
	t.Parallel()
	srv := bustest.Empty(t)
	release := make(chan struct{})
	entered := make(chan struct{}, 10)
	serve(t, bustest.Connect(t, srv), func(ctx context.Context, _ question) (answer, error) {
		entered <- struct{}{}
		select {
		case <-release:
		case <-ctx.Done():
		}
		return answer{"late"}, nil
	})
	client := bus.NewClient(bus.Deps{Conn: bustest.Connect(t, srv)})
	done := make(chan error, 4)
	for range 4 {
		go func() {
			_, err := ask(within(t, patient), client, "x")
			done <- err
		}()
		<-entered
	}
	_, err := ask(within(t, patient), client, "one too many")
	if e := contracts.AsError(err); e == nil || e.Code != contracts.Busy || !e.Peer || e.RetryAfter == 0 {
		t.Errorf("got %+v", e)
	}
	close(release)
	for range 4 {
		if err := <-done; err != nil {
			t.Errorf("a request that was taken failed: %v", err)
		}
	}
}

// The queue group picks blindly: a busy member's refusal leads to another pick.
func TestABusyWorkerIsPassedOver(t *testing.T) {
	t.Parallel()
	srv := bustest.Empty(t)
	var refused atomic.Int64
	full := bustest.Connect(t, srv)
	if _, err := full.QueueSubscribe(subject.Name, "echo", func(m *nats.Msg) {
		refused.Add(1)
		number, text, body := contracts.EncodeError(contracts.Errorf(contracts.Busy, "full"))
		_ = m.RespondMsg(&nats.Msg{Header: nats.Header{micro.ErrorCodeHeader: {number}, micro.ErrorHeader: {text}},
			Data: body})
	}); err != nil {
		t.Fatal(err)
	}
	if err := full.Flush(); err != nil {
		t.Fatal(err)
	}
	client := bus.NewClient(bus.Deps{Conn: bustest.Connect(t, srv)})
	if _, err := ask(within(t, patient), client, "x"); contracts.CodeOf(err) != contracts.Busy ||
		refused.Load() != 4 {
		t.Fatalf("with one full worker alone: %v after %d refusals, want BUSY after 4", err, refused.Load())
	}
	serve(t, bustest.Connect(t, srv), echo)
	const calls = 200
	answered := 0
	for range calls {
		if _, err := ask(within(t, patient), client, "x"); err == nil {
			answered++
		}
	}
	// One pick in sixteen runs is refused four times; a single repetition would lose one in four.
	if answered < calls*85/100 {
		t.Errorf("%d of %d calls found the worker with room", answered, calls)
	}
}

// A worker that asks for a long wait speaks for all workers: their queue is full.
func TestAFullQueueIsNotAskedAgain(t *testing.T) {
	t.Parallel()
	srv := bustest.Empty(t)
	var asked atomic.Int64
	serve(t, bustest.Connect(t, srv), func(context.Context, question) (answer, error) {
		asked.Add(1)
		return answer{}, contracts.Errorf(contracts.Busy, "the queue is full").After(10 * time.Second)
	})
	_, err := ask(within(t, patient), bus.NewClient(bus.Deps{Conn: bustest.Connect(t, srv)}), "x")
	if e := contracts.AsError(err); e.Code != contracts.Busy || e.RetryAfter != 10*time.Second || asked.Load() != 1 {
		t.Errorf("%v after %d requests", err, asked.Load())
	}
}

// A silent peer may be dead: after half of the time the request goes out again. The first one still counts.
func TestSilenceIsAskedAgain(t *testing.T) {
	t.Parallel()
	srv := bustest.Empty(t)
	dead := bustest.Connect(t, srv)
	asked := make(chan struct{}, 10)
	if _, err := dead.QueueSubscribe(subject.Name, "echo", func(*nats.Msg) { asked <- struct{}{} }); err != nil {
		t.Fatal(err)
	}
	if err := dead.Flush(); err != nil {
		t.Fatal(err)
	}
	client := bus.NewClient(bus.Deps{Conn: bustest.Connect(t, srv)})
	result := make(chan error, 1)
	go func() {
		_, err := ask(within(t, 40*time.Second), client, "x")
		result <- err
	}()
	<-asked
	dead.Close() // as a killed process does
	serve(t, bustest.Connect(t, srv), echo)
	if err := <-result; err != nil {
		t.Error(err)
	}
}

func TestASlowPeerIsNotGivenUp(t *testing.T) {
	t.Parallel()
	srv := bustest.Empty(t)
	var requests atomic.Int64
	tap := bustest.Connect(t, srv)
	if _, err := tap.Subscribe(subject.Name, func(*nats.Msg) { requests.Add(1) }); err != nil {
		t.Fatal(err)
	}
	if err := tap.Flush(); err != nil {
		t.Fatal(err)
	}
	worker, err := bus.Serve(bus.Deps{Conn: bustest.Connect(t, srv)},
		service(1, func(ctx context.Context, q question) (answer, error) {
			if !clocktest.Holds(func() bool { return requests.Load() > 1 }) {
				t.Error("the caller does not ask again")
			}
			return answer{q.Text}, nil
		}))
	if err != nil {
		t.Fatal(err)
	}
	defer stop(t, worker)
	client := bus.NewClient(bus.Deps{Conn: bustest.Connect(t, srv)})
	if _, err := ask(within(t, 40*time.Second), client, "x"); err != nil { // it asks again after half of that
		t.Errorf("the second request found the worker busy with the first, whose answer came: %v", err)
	}
}

func TestHopelessRequestIsRefused(t *testing.T) {
	t.Parallel()
	srv := bustest.Empty(t)
	conn := bustest.Connect(t, srv)
	serve(t, conn, func(context.Context, question) (answer, error) {
		t.Error("handled")
		return answer{}, nil
	})
	for _, header := range []string{"0", "-5", "1", "soon"} {
		msg := nats.NewMsg(subject.Name)
		msg.Header.Set(contracts.HeaderTimeout, header)
		msg.Data = []byte(`{"text":"x"}`)
		reply, err := conn.RequestMsg(msg, patient)
		if err != nil {
			t.Fatal(err)
		}
		want := contracts.Timeout
		if header == "soon" {
			want = contracts.InvalidRequest
		}
		if got := contracts.DecodeError(reply.Header.Get("Nats-Service-Error-Code"), reply.Data); got.Code != want {
			t.Errorf("%s: got %v, want %s", header, got, want)
		}
	}
}

func TestDeadlineShrinks(t *testing.T) {
	t.Parallel()
	srv := bustest.Empty(t)
	left := make(chan time.Duration, 1)
	serve(t, bustest.Connect(t, srv), func(ctx context.Context, _ question) (answer, error) {
		deadline, _ := ctx.Deadline()
		left <- time.Until(deadline)
		return answer{}, nil
	})
	client := bus.NewClient(bus.Deps{Conn: bustest.Connect(t, srv)})
	if _, err := ask(within(t, patient), client, "x"); err != nil {
		t.Fatal(err)
	}
	if d := <-left; d <= patient/2 || d > patient-40*time.Millisecond {
		t.Errorf("the handler has %s of %s", d, patient)
	}
}

func TestRequestIDTravels(t *testing.T) {
	t.Parallel()
	srv := bustest.Empty(t)
	serve(t, bustest.Connect(t, srv), func(ctx context.Context, _ question) (answer, error) {
		return answer{telemetry.RequestID(ctx)}, nil
	})
	client := bus.NewClient(bus.Deps{Conn: bustest.Connect(t, srv)})
	got, err := ask(telemetry.WithRequestID(within(t, patient), "req-7"), client, "x")
	if err != nil || got.Text != "req-7" {
		t.Errorf("got %+v, %v", got, err)
	}
}

// An id from the wire goes into log lines, so one that cannot stand there is ignored.
func TestAnInvalidRequestIDIsIgnored(t *testing.T) {
	t.Parallel()
	srv := bustest.Empty(t)
	conn := bustest.Connect(t, srv)
	serve(t, conn, func(ctx context.Context, _ question) (answer, error) { return answer{telemetry.RequestID(ctx)}, nil })
	for id, want := range map[string]string{
		"req-7": "req-7", "": "", "two words": "", "a\"b": "", "\u202e": "", strings.Repeat("x", 129): "",
	} {
		msg := &nats.Msg{Subject: subject.Name, Header: nats.Header{contracts.HeaderRequestID: {id}}, Data: []byte(`{"text":"x"}`)}
		reply, err := conn.RequestMsgWithContext(within(t, patient), msg)
		if err != nil || string(reply.Data) != `{"text":"`+want+`"}` {
			t.Errorf("%q: %v, %v", id, reply, err)
		}
	}
}
