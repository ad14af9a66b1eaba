package wire

import (
	"cmp"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/contracts"
	"assay.dev/gateway/answers"
	"assay.dev/gateway/api"
	"assay.dev/gateway/mcp"
	"assay.dev/gateway/ratelimit"
	"assay.dev/platform/telemetry"
)

// authOutcome is what became of a request's credentials.
type authOutcome string

const (
	authOK           authOutcome = "ok"
	authMarketplace  authOutcome = "marketplace"
	authMissing      authOutcome = "missing"
	authMalformed    authOutcome = "malformed"
	authUnknown      authOutcome = "unknown"
	authExpired      authOutcome = "expired"
	authRevoked      authOutcome = "revoked"
	authUnverifiable authOutcome = "unverifiable"
	authProduct      authOutcome = "product"
	authLimited      authOutcome = "address_limited"
)

var authOutcomes = []authOutcome{
	authOK, authMarketplace, authMissing, authMalformed, authUnknown, authExpired, authRevoked, authUnverifiable,
	authProduct, authLimited,
}

// anonymousOutcome is what became of a request without a valid key, or above which limit it was.
type anonymousOutcome string

const (
	anonymousAdmitted      anonymousOutcome = "admitted"
	anonymousAddressRate   anonymousOutcome = "address_rate"
	anonymousAddressActive anonymousOutcome = "address_active"
	anonymousTotalRate     anonymousOutcome = "total_rate"
	anonymousTotalActive   anonymousOutcome = "total_active"
)

var anonymousOutcomes = []anonymousOutcome{
	anonymousAdmitted, anonymousAddressRate, anonymousAddressActive, anonymousTotalRate, anonymousTotalActive,
}

// metrics holds counters by their labels: looking labels up costs more than counting.
type metrics struct {
	duration  *prometheus.HistogramVec
	outcomes  map[authOutcome]prometheus.Counter
	strangers map[anonymousOutcome]prometheus.Counter
	decisions map[[2]bool]prometheus.Counter // allowed, local
	calls     *prometheus.CounterVec
	// hits took their data from the cache. failedHits may be ones that would have.
	hits, failedHits prometheus.Observer
}

func newMetrics(r prometheus.Registerer) (*metrics, error) {
	to := telemetry.NewMetrics(r)
	duration := to.Histograms("http_server_request_duration_seconds", "Time from request to response.",
		[]float64{.001, .0025, .005, .01, .05, .25, 1, 5, 20, 75}, "route", "method", "status")
	auth := to.Counters("gateway_auth_total", "Requests by what became of their credentials.", "outcome")
	decided := to.Counters("gateway_ratelimit_decisions_total", "Rate limit decisions; budget local "+
		"means that the store was away.", "decision", "budget")
	calls := to.Counters("mcp_tool_calls_total", "Tool calls by the code of their error; code ok after an answer.",
		"server", "tool", "code")
	anonymous := to.Counters("gateway_anonymous_total",
		"Requests without a valid key, by whether they were admitted or above which limit they were.", "outcome")
	hits := to.Histograms("gateway_hit_duration_seconds", "Time from request to response of those that the cache "+
		"answered, by outcome: ok, or failed (by a fault of the gateway, whether or not it was to be one).",
		[]float64{.01}, "outcome")
	if err := to.Err(); err != nil {
		return nil, err
	}
	m := &metrics{
		duration: duration, outcomes: map[authOutcome]prometheus.Counter{},
		strangers: map[anonymousOutcome]prometheus.Counter{},
		decisions: map[[2]bool]prometheus.Counter{}, calls: calls,
		hits: hits.WithLabelValues("ok"), failedHits: hits.WithLabelValues("failed"),
	}
	for _, o := range anonymousOutcomes {
		m.strangers[o] = anonymous.WithLabelValues(string(o))
	}
	for _, o := range authOutcomes {
		m.outcomes[o] = auth.WithLabelValues(string(o))
	}
	for allowed, decision := range map[bool]string{true: "allowed", false: "denied"} {
		for local, budget := range map[bool]string{true: "local", false: "shared"} {
			m.decisions[[2]bool{allowed, local}] = decided.WithLabelValues(decision, budget)
		}
	}
	return m, nil
}

func (m *metrics) auth(o authOutcome) { m.outcomes[o].Inc() }

func (m *metrics) anonymous(o anonymousOutcome) { m.strangers[o].Inc() }

func (m *metrics) limited(d ratelimit.Decision) { m.decisions[[2]bool{d.Allowed, d.Local}].Inc() }

// hit observes a request to an endpoint with data of sources, if the cache answered it or the gateway failed. What
// workers and sources fail at is no hit, and neither is a reply of several answers of which one is missing.
func (m *metrics) hit(r api.Reply, err error, took time.Duration) {
	failure := contracts.AsError(err)
	switch {
	case failure == nil && !r.RefreshFailed && !r.Partial && (r.Tier == answers.Local || r.Tier == answers.Shared):
		m.hits.Observe(took.Seconds())
	case failure != nil && failure.Code == contracts.Internal && !failure.Peer:
		m.failedHits.Observe(took.Seconds())
	}
}

// observer is told of each request of a route.
type observer func(method string, status int, took time.Duration)

// route returns what observes the requests of one route. Methods that no route has are one label. A series is made when
// it is first needed.
func (m *metrics) route(template string) observer {
	series := map[string][]func() prometheus.Observer{}
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, "other"} {
		for _, class := range []string{"1xx", "2xx", "3xx", "4xx", "5xx"} {
			series[method] = append(series[method], sync.OnceValue(func() prometheus.Observer {
				return m.duration.WithLabelValues(template, method, class)
			}))
		}
	}
	return func(method string, status int, took time.Duration) {
		of, ok := series[method]
		if !ok {
			of = series["other"]
		}
		of[status/100-1]().Observe(took.Seconds())
	}
}

// tool returns what counts the tool calls of a product's server.
func (m *metrics) tool(p contracts.Product) func(tool string, failure contracts.Code) {
	server := mcp.Name(p)
	return func(tool string, failure contracts.Code) {
		m.calls.WithLabelValues(server, tool, cmp.Or(string(failure), "ok")).Inc()
	}
}
