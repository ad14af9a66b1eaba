package bus_test

import (
	"errors"
	"fmt"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
)

func TestPublishOnce(t *testing.T) {
	t.Parallel()
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	ctx := within(t, patient)
	for range 3 {
		if err := bus.Publish(ctx, js, contracts.UsageSubject(contracts.LTL), "usage-1", map[string]int{"n": 1}); err != nil {
			t.Fatal(err)
		}
	}
	stream, err := js.Stream(ctx, contracts.UsageStream.Name)
	if err != nil {
		t.Fatal(err)
	}
	if n := stream.CachedInfo().State.Msgs; n != 1 {
		t.Errorf("%d events", n)
	}
}

// A service may start before its server.
func TestConnectWaits(t *testing.T) {
	t.Parallel()
	srv := bustest.Empty(t)
	url := srv.ClientURL()
	opts := bustest.Stop(srv)
	l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", opts.Port))
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		tried, err := l.Accept() // no NATS server: the attempt fails, and is made again
		if err == nil {
			_ = tried.Close()
		}
		_ = l.Close()
		bustest.Start(t, opts)
	}()
	conn, err := bus.Connect(within(t, patient), bus.ConnectOptions{URL: url, Name: "early"})
	if err != nil {
		t.Fatal(err)
	}
	if err := bus.Close(within(t, patient), conn); err != nil || conn.Status() != nats.CLOSED {
		t.Errorf("%v, %s", err, conn.Status())
	}
	if err := bus.Close(within(t, patient), conn); err != nil {
		t.Errorf("closed again: %v", err)
	}
}

// Keys reach servers and services at different moments.
func TestAConnectionThatIsRefusedComesBack(t *testing.T) {
	t.Parallel()
	known, seed := nkey(t)
	other, _ := nkey(t)
	as := func(opts *server.Options, user string) *server.Server {
		opts.Nkeys = []*server.NkeyUser{{Nkey: user}}
		return bustest.Start(t, opts)
	}
	srv := as(bustest.Stop(bustest.Empty(t)), known)
	conn, err := bus.Connect(within(t, patient), bus.ConnectOptions{URL: srv.ClientURL(), Name: "late", NKeySeed: seed})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	var refused atomic.Int64
	conn.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
		if errors.Is(err, nats.ErrAuthorization) {
			refused.Add(1)
		}
	})
	srv = as(bustest.Stop(srv), other)
	clocktest.Await(t, "the key is refused again and again", func() bool { return refused.Load() >= 3 || conn.IsClosed() })
	as(bustest.Stop(srv), known)
	clocktest.Await(t, "the connection is back", func() bool { return conn.IsConnected() || conn.IsClosed() })
	if !conn.IsConnected() {
		t.Errorf("%s after %d refusals", conn.Status(), refused.Load())
	}
}

// nkey makes the key of a user, and the seed that proves it.
func nkey(t *testing.T) (public, seed string) {
	t.Helper()
	pair, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	text, _ := pair.Seed()
	public, _ = pair.PublicKey()
	return public, string(text)
}

func TestConnectGivesUpWithItsContext(t *testing.T) {
	t.Parallel()
	if _, err := bus.Connect(within(t, 100*time.Millisecond),
		bus.ConnectOptions{URL: "nats://127.0.0.1:1", Name: "lost"}); err == nil {
		t.Error("connected to nobody")
	}
	if _, err := bus.Connect(within(t, time.Second), bus.ConnectOptions{Name: "x", NKeySeed: "SUsecret"}); err == nil {
		t.Error("a bad seed is taken")
	}
}
