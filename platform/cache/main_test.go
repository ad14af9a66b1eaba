package cache_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"

	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/cache"
	"assay.dev/platform/clock/clocktest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// page is an answer such as the workers give.
type page struct {
	contracts.Provenance
	Text string `json:"text"`
}

func (p page) Fits(contracts.CacheKey) error {
	if p.Text == "another key's" {
		return errors.New("this is another key's")
	}
	return nil
}

func newPage(text string, life time.Duration) page {
	now := time.Now()
	return page{contracts.Provenance{Schema: contracts.AnswerSchema, ReadAt: now, ExpiresAt: now.Add(life),
		Method: contracts.APIMirror}, text}
}

// patient is the deadline of what a test needs and does not measure: it holds on a busy machine too.
const patient = clocktest.Patience

const key contracts.CacheKey = "test.ltl.ODFL"

// buckets are all that a store needs.
var buckets = []contracts.Bucket{contracts.AnswersBucket, contracts.FlightsBucket}

func open(t testing.TB, conn *nats.Conn, d cache.Deps) *cache.Store {
	t.Helper()
	ctx := within(t, patient)
	s, err := cache.Open(ctx, bustest.JetStream(t, conn), d)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patient)
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
		all[i] = open(t, bustest.Connect(t, srv), cache.Deps{MaxFetch: 10 * time.Second, Lease: patient, IOTime: patient})
		all[i].KeepFailures(10 * time.Second)
	}
	return all
}

func within(t testing.TB, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), d)
	t.Cleanup(cancel)
	return ctx
}

// flights are the records of a server.
func flights(t testing.TB, srv *server.Server) jetstream.KeyValue {
	t.Helper()
	b, err := bustest.JetStream(t, bustest.Connect(t, srv)).KeyValue(within(t, patient), contracts.FlightsBucket.Name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// waiting is how many processes wait for another's read.
func waiting(t testing.TB, r prometheus.Gatherer) (n float64) {
	t.Helper()
	families, err := r.Gather()
	if err != nil {
		t.Error(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if f.GetName() == "flight_total" && m.GetLabel()[0].GetValue() == "waiter" {
				n += m.GetCounter().GetValue()
			}
		}
	}
	return n
}
