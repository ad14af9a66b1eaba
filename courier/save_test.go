package courier

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/contracts"
	"assay.dev/platform/feed"
	"assay.dev/platform/webhook"
)

// While what came of an attempt cannot be noted, no further one is made: neither of the event that was delivered, nor of the one that was not.
func TestNothingIsSentTwiceWhileNothingCanBeNoted(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	good, bad := s.receiver(nil), s.receiver(status(503))
	var keys [2]string
	keys[0], _ = s.keep(good.URL)
	keys[1], _ = s.keep(bad.URL)
	s.courier(func(c *Config) { c.Schedule = []time.Duration{time.Hour} })
	var tries [2]atomic.Int64
	for i, key := range keys {
		_, err := s.js.Conn().Subscribe(contracts.EndpointsBucket.Subject(key), func(*nats.Msg) { tries[i].Add(1) })
		s.must(err)
	}
	s.refuse(true)
	first, _ := s.change(contracts.Test, "1")
	s.await("three attempts to note", func() bool { return tries[0].Load() >= 3 && tries[1].Load() >= 3 })
	if len(good.got()) != 1 || len(bad.got()) != 1 {
		t.Errorf("%d times and %d", len(good.got()), len(bad.got()))
	}
	s.refuse(false)
	second, _ := s.change(contracts.Test, "2")
	s.await("all is noted", func() bool { return s.kept(keys[0]).Cursor.Sequence == 2 && len(s.kept(keys[1]).Retries) == 2 })
	for _, r := range []*receiver{good, bad} {
		if join(r.ids()) != join([]string{first, second}) {
			t.Errorf("%v", r.ids())
		}
	}
}

// refuse has the bucket of endpoints refuse all writes, as one that is full does.
func (s *stand) refuse(is bool) {
	s.Helper()
	stream, err := s.js.Stream(s.Context(), contracts.EndpointsBucket.Stream())
	s.must(err)
	cfg := stream.CachedInfo().Config
	if cfg.MaxMsgSize = -1; is {
		cfg.MaxMsgSize = 1
	}
	_, err = s.js.UpdateStream(s.Context(), cfg)
	s.must(err)
}

// At the end all places are noted, though some endpoints are gone meanwhile.
func TestAllPlacesAreNotedAtTheEnd(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := &courier{log: slog.New(slog.DiscardHandler), bucket: s.bucket, endpoints: map[string]*endpoint{}}
	var kept []string
	for i := range 4 * maxInFlight {
		e := &endpoint{key: fmt.Sprintf("test.owner.gone%d", i), index: -1, isAhead: true}
		if e.handled.Sequence = 7; i%8 == 0 {
			e.key, _ = s.keep("http://127.0.0.1/")
			kept = append(kept, e.key)
		}
		c.endpoints[e.key] = e
	}
	c.saveAll(t.Context())
	for _, key := range kept {
		if place := s.kept(key).Cursor.Sequence; place != 7 {
			t.Errorf("%s is noted at %d", key, place)
		}
	}
	if len(c.endpoints) != len(kept) {
		t.Errorf("%d endpoints, want %d", len(c.endpoints), len(kept))
	}
}

// An endpoint whose turns fail is warned of, once a minute, and not at once.
func TestAnEndpointThatFailsIsWarnedOf(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	c := &courier{log: slog.New(slog.NewTextHandler(&log, nil))}
	e := &endpoint{key: "test.owner.e1"}
	turn := func(err error) int {
		c.judge(t.Context(), e, time.Now(), err)
		return strings.Count(log.String(), "level=WARN")
	}
	no := errors.New("no")
	got := []int{turn(no)}
	e.failing = e.failing.Add(-idle)
	got = append(got, turn(no), turn(no), turn(nil), turn(no))
	if want := "[0 1 1 1 1]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s: %s", got, want, &log)
	}
}

// A courier that stands by tells of no endpoints: the one that delivers does, and a sum over both would count them twice.
func TestACourierThatStandsByTellsOfNoEndpoints(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	s.keep("http://127.0.0.1/", func(e *webhook.Endpoint) {
		e.Disabled, e.Retries = "x", []webhook.Retry{{Event: "CA.e.1", Due: time.Now()}}
	})
	registry := prometheus.NewRegistry()
	metrics, err := newMetrics(registry)
	s.must(err)
	log := slog.New(slog.DiscardHandler)
	changes, err := feed.New(s.js, log, registry, nil)
	s.must(err)
	c := &courier{log: log, metrics: metrics, js: s.js, feed: changes, bucket: s.bucket, wake: make(chan struct{}, 1)}
	c.keysBucket, err = s.js.KeyValue(t.Context(), contracts.KeysBucket.Name)
	s.must(err)
	told := func() (all string) {
		families, err := registry.Gather()
		s.must(err)
		for _, f := range families {
			for _, m := range f.GetMetric() {
				if v := m.GetGauge().GetValue(); v > 0 && (f.GetName() == "courier_endpoints" || f.GetName() == "courier_open_retries") {
					all += fmt.Sprint(f.GetName(), m.GetLabel(), " ")
				}
			}
		}
		return all
	}
	following, stop := context.WithCancel(t.Context())
	working, lose := context.WithCancel(t.Context())
	var running, work sync.WaitGroup
	running.Go(func() { _ = changes.Follow(following) })
	work.Go(func() { c.work(working, t.Context()) })
	t.Cleanup(func() { stop(); running.Wait() })
	s.change(contracts.Test, "1")
	s.await("it tells of its endpoints", func() bool { return strings.Count(told(), "courier_") == 2 })
	lose()
	work.Wait()
	if got := told(); got != "" {
		t.Errorf("it tells of %s", got)
	}
}
