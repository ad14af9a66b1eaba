package bus_test

import (
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"assay.dev/platform/bus"
	"assay.dev/platform/bustest"
)

// BenchmarkCall compares a call through every layer with a bare request and reply on the same connections.
func BenchmarkCall(b *testing.B) {
	srv := bustest.Empty(b)
	serve(b, bustest.Connect(b, srv), echo)
	conn := bustest.Connect(b, srv)
	b.Run("call", func(b *testing.B) {
		client := bus.NewClient(bus.Deps{Conn: conn})
		for b.Loop() {
			if _, err := ask(within(b, time.Second), client, "x"); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("bare", func(b *testing.B) {
		if _, err := bustest.Connect(b, srv).Subscribe("bare", bareEcho); err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if _, err := conn.Request("bare", []byte(`{"text":"x"}`), time.Second); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func bareEcho(m *nats.Msg) { _ = m.Respond(m.Data) }
