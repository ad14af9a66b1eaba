package cache_test

import (
	"context"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"go.uber.org/goleak"

	"assay.dev/contracts"
	"assay.dev/platform/bus/bustest"
	"assay.dev/platform/cache"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// page is an answer such as the workers give.
type page struct {
	contracts.Provenance
	Text string `json:"text"`
}

func newPage(text string, life time.Duration) page {
	now := time.Now()
	return page{contracts.Provenance{Schema: contracts.AnswerSchema, ReadAt: now, ExpiresAt: now.Add(life), Method: contracts.APIMirror}, text}
}

const key contracts.CacheKey = "test.ltl.ODFL"

func open(t testing.TB, conn *nats.Conn, d cache.Deps) *cache.Store {
	t.Helper()
	ctx := within(t, 10*time.Second)
	s, err := cache.Open(ctx, bustest.JetStream(t, conn), d)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := s.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	return s
}

func stores(t testing.TB, srv *server.Server, n int) []*cache.Store {
	t.Helper()
	all := make([]*cache.Store, n)
	for i := range all {
		all[i] = open(t, bustest.Connect(t, srv), cache.Deps{MaxFetch: 10 * time.Second})
	}
	return all
}

func within(t testing.TB, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), d)
	t.Cleanup(cancel)
	return ctx
}
