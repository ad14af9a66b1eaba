package main

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"

	"assay.dev/platform/bustest"
)

// link is the network between one NATS server and its clients. The routes between servers do not pass through it.
type link struct{ *toxiproxy.Proxy }

func startLink(t *testing.T, name, to string) *link {
	t.Helper()
	api := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
	l := &link{toxiproxy.NewProxy(api, name, bustest.FreeAddress(t), to)}
	if err := l.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Stop)
	return l
}

// attributes are those of a kind of toxic, as toxiproxy's documentation names them.
type attributes map[string]any

// impair adds a toxic, such as latency, in both directions, to open connections too.
func (l *link) impair(t *testing.T, kind string, a attributes) {
	t.Helper()
	for _, direction := range []string{"upstream", "downstream"} {
		text, err := json.Marshal(map[string]any{"type": kind, "stream": direction, "attributes": a})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.Toxics.AddToxicJson(bytes.NewReader(text)); err != nil {
			t.Fatal(err)
		}
	}
}

// swallow makes the link a black hole: connections stay, and nothing comes through.
func (l *link) swallow(t *testing.T) {
	t.Helper()
	l.impair(t, "timeout", attributes{"timeout": 0})
}

// repair ends every toxic and accepts connections again.
func (l *link) repair() {
	l.Toxics.ResetToxics(context.Background())
	_ = l.Start() // an error says that it is started
}
