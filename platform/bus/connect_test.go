package bus_test

import (
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/bustest"
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
