package bus_test

import (
	"context"
	"net"
	"sync"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
)

// relay passes bytes on to a NATS server until it is told to hang: then it takes connections and bytes, and gives none.
type relay struct {
	net.Listener
	target string
	flow   sync.RWMutex // held while it hangs
}

func newRelay(t *testing.T, target string) *relay {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{Listener: l, target: target}
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", target)
			if err != nil {
				t.Error(err)
				return
			}
			t.Cleanup(func() { _, _ = client.Close(), server.Close() })
			serving.Go(func() { r.pass(server, client) })
			serving.Go(func() { r.pass(client, server) })
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		serving.Wait()
	})
	return r
}

func (r *relay) pass(to, from net.Conn) {
	defer to.Close()
	chunk := make([]byte, 32<<10)
	for {
		n, err := from.Read(chunk)
		r.flow.RLock()
		_, written := to.Write(chunk[:n])
		r.flow.RUnlock()
		if err != nil || written != nil {
			return
		}
	}
}

// A NATS server that hangs is as one that is away: calls under way and new ones fail, also while nats.go, which then
// holds each of its calls, connects to it anew. When it goes on, so do the calls.
func TestAHungServerFailsCallsSoon(t *testing.T) {
	t.Parallel()
	srv := bustest.Empty(t)
	asked, done := make(chan struct{}), make(chan struct{})
	serve(t, bustest.Connect(t, srv), func(ctx context.Context, q question) (answer, error) {
		if q.Text == "wait" {
			close(asked)
			<-done
		}
		return answer{q.Text}, nil
	})
	defer close(done)
	r := newRelay(t, srv.Addr().String())
	conn, err := bus.Connect(within(t, patient), bus.ConnectOptions{URL: "nats://" + r.Addr().String(), Name: "test"})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	client := bus.NewClient(bus.Deps{Conn: conn})
	failed := make(chan error, 1)
	go func() {
		_, err := ask(within(t, patient), client, "wait")
		failed <- err
	}()
	<-asked
	r.flow.Lock()
	began := time.Now()
	if err := <-failed; contracts.CodeOf(err) != contracts.SourceUnavailable {
		t.Errorf("the call under way: %v", err)
	}
	t.Logf("the call under way failed after %v", time.Since(began))
	clocktest.Await(t, "the connection is lost", func() bool {
		began := time.Now()
		_, err := ask(within(t, patient), client, "x")
		if contracts.CodeOf(err) != contracts.SourceUnavailable || time.Since(began) > patient/2 {
			t.Errorf("a new call: %v after %v", err, time.Since(began))
		}
		return conn.IsReconnecting()
	})
	r.flow.Unlock()
	clocktest.Await(t, "calls are answered again", func() bool {
		_, err := ask(within(t, patient), client, "x")
		return err == nil
	})
}

// A server that lacks a processor for longer than a ping may take is no server that hangs: the request that meets it is made once more.
func TestAStarvedServerFailsNoCall(t *testing.T) {
	t.Parallel()
	srv := bustest.Empty(t)
	serve(t, bustest.Connect(t, srv), func(_ context.Context, q question) (answer, error) { return answer{q.Text}, nil })
	r := newRelay(t, srv.Addr().String())
	conn, err := bus.Connect(within(t, patient), bus.ConnectOptions{URL: "nats://" + r.Addr().String(), Name: "test"})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	client := bus.NewClient(bus.Deps{Conn: conn, Patience: 4 * time.Second}) // a look of this test at the second request must fit in
	if _, err := ask(within(t, patient), client, "x"); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		r.flow.Lock()
		sent := conn.Stats().OutMsgs
		asking := make(chan error, 1)
		go func() {
			_, err := ask(within(t, patient), client, "x")
			asking <- err
		}()
		clocktest.Await(t, "the request is made once more", func() bool {
			return conn.Stats().OutMsgs == sent+2 || len(asking) > 0
		})
		r.flow.Unlock()
		if err := <-asking; err != nil {
			t.Errorf("the call: %v", err)
		}
	}
}

// InProcessConn makes the relay stand for a server in this process.
func (r *relay) InProcessConn() (net.Conn, error) {
	return (&net.Dialer{}).DialContext(context.Background(), "tcp", r.Addr().String())
}

// A server in this process that answers nothing lacks a processor, as this process does: its calls wait.
func TestAServerInTheSameProcessDoesNotHang(t *testing.T) {
	t.Parallel()
	srv := bustest.Empty(t)
	serve(t, bustest.Connect(t, srv), func(_ context.Context, q question) (answer, error) { return answer{q.Text}, nil })
	r := newRelay(t, srv.Addr().String())
	conn, err := bus.Connect(within(t, patient), bus.ConnectOptions{InProcess: r, Name: "test"})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	const patience = 100 * time.Millisecond
	client := bus.NewClient(bus.Deps{Conn: conn, Patience: patience})
	asking := make(chan error, 1)
	r.flow.Lock()
	go func() {
		_, err := ask(within(t, patient), client, "x")
		asking <- err
	}()
	<-time.After(10 * patience)
	r.flow.Unlock()
	if err := <-asking; err != nil {
		t.Errorf("the call: %v", err)
	}
}
