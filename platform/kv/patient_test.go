package kv_test

import (
	"context"
	"errors"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/kv"
)

// slowed is the way to a server that answers nothing while the lock is held.
func slowed(t *testing.T, server string) (address string, held *sync.RWMutex) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	held = &sync.RWMutex{}
	var running sync.WaitGroup
	running.Go(func() {
		for {
			from, err := listener.Accept()
			if err != nil {
				return
			}
			to, err := net.Dial("tcp", server)
			if err != nil {
				_ = from.Close()
				return
			}
			pass := func(to, from net.Conn) {
				defer to.Close()
				piece := make([]byte, 32<<10)
				for {
					n, err := from.Read(piece)
					if err != nil {
						return
					}
					held.RLock()
					_, _ = to.Write(piece[:n])
					held.RUnlock()
				}
			}
			running.Go(func() { pass(to, from) })
			running.Go(func() { pass(from, to) })
		}
	})
	t.Cleanup(func() { _ = listener.Close(); running.Wait() })
	return listener.Addr().String(), held
}

// A start waits for its own stores as long as whoever starts it lets it, and not as long as the library has patience.
func TestAStartWaitsForItsStores(t *testing.T) {
	t.Parallel()
	address, held := slowed(t, bustest.Server(t).Addr().String())
	conn, err := nats.Connect("nats://" + address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	js, err := jetstream.New(conn, jetstream.WithDefaultTimeout(10*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	held.Lock()
	opened := make(chan error, 1)
	go func() {
		_, err := kv.Open(context.Background(), js, contracts.KeysBucket)
		opened <- err
	}()
	if _, err := js.KeyValue(context.Background(), contracts.KeysBucket.Name); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the library still waits: %v", err)
	}
	parent, end := context.WithCancel(context.Background())
	end()
	if _, err := kv.Open(parent, js, contracts.KeysBucket); !errors.Is(err, context.Canceled) {
		t.Errorf("it waits longer than its parent lets it: %v", err)
	}
	select {
	case err := <-opened:
		t.Errorf("it gave up: %v", err)
	default:
	}
	held.Unlock()
	select {
	case err := <-opened:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(clocktest.Patience):
		t.Error("it never opens")
	}
}
