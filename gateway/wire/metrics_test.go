package wire

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"assay.dev/contracts"
	"assay.dev/gateway/answers"
	"assay.dev/gateway/api"
)

// A request is one hit, however many answers it has; one that a worker or a source failed is none.
func TestHits(t *testing.T) {
	registry := prometheus.NewRegistry()
	m, err := newMetrics(registry)
	if err != nil {
		t.Fatal(err)
	}
	m.hit(api.Reply{Tier: answers.Local}, nil, time.Millisecond)
	m.hit(api.Reply{Tier: answers.Shared}, nil, time.Second)
	m.hit(api.Reply{}, errors.New("a fault of ours"), time.Second)

	m.hit(api.Reply{Tier: answers.Worker}, nil, time.Second)
	m.hit(api.Reply{Tier: answers.Local, RefreshFailed: true}, nil, time.Second)
	m.hit(api.Reply{}, contracts.Errorf(contracts.SourceUnavailable, "SAIA is dark"), time.Second)
	m.hit(api.Reply{}, &contracts.Error{Code: contracts.Internal, Peer: true}, time.Second)
	if err := testutil.GatherAndCompare(registry, strings.NewReader(`
# HELP gateway_hit_duration_seconds Time from request to response of those that the cache answered, by outcome: ok, or failed (by a fault of the gateway, whether or not it was to be one).
# TYPE gateway_hit_duration_seconds histogram
gateway_hit_duration_seconds_bucket{outcome="failed",le="0.01"} 0
gateway_hit_duration_seconds_bucket{outcome="failed",le="+Inf"} 1
gateway_hit_duration_seconds_sum{outcome="failed"} 1
gateway_hit_duration_seconds_count{outcome="failed"} 1
gateway_hit_duration_seconds_bucket{outcome="ok",le="0.01"} 1
gateway_hit_duration_seconds_bucket{outcome="ok",le="+Inf"} 2
gateway_hit_duration_seconds_sum{outcome="ok"} 1.001
gateway_hit_duration_seconds_count{outcome="ok"} 2
`), "gateway_hit_duration_seconds"); err != nil {
		t.Error(err)
	}
}

// While NATS is away each request fails, thousands a second, and a disk has no room for a line of each.
func TestLinesOfFailuresAreBounded(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]int{200: 2, 404: 20, 500: 500, 503: 50, 504: 50} {
		var s logSampler
		kept := 0
		for range 500 {
			if s.keep("", status, time.Unix(1, 0)) {
				kept++
			}
		}
		if kept != want || !s.keep("", max(status, 400), time.Unix(2, 0)) {
			t.Errorf("of 500 answers with %d in a second %d are logged, want %d", status, kept, want)
		}
	}
}
