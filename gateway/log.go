package gateway

import (
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/answers"
)

const (
	// hitsPerLine: one in so many answers from the gateway's own memory is logged.
	hitsPerLine = 256
	// refusedLinesPerSecond bounds the lines about 4xx answers, which anyone can cause.
	refusedLinesPerSecond = 20
)

// sampler decides which requests are logged. All are that involve a worker or fail on our side.
type sampler struct {
	hits    atomic.Uint64
	refused atomic.Int64 // lines in the running second
	second  atomic.Int64
}

func (s *sampler) keep(tier answers.Tier, status int, now time.Time) bool {
	switch {
	case status >= http.StatusInternalServerError:
		return true
	case status >= http.StatusBadRequest:
		if second := now.Unix(); s.second.Swap(second) != second {
			s.refused.Store(0)
		}
		return s.refused.Add(1) <= refusedLinesPerSecond
	case tier == answers.Worker:
		return true
	default:
		return s.hits.Add(1)%hitsPerLine == 1
	}
}

func (g *gateway) logRequest(e *exchange, r reply, err error, took time.Duration) {
	if !g.sample.keep(r.tier, e.status, e.began) {
		return
	}
	attrs := make([]slog.Attr, 0, 9)
	attrs = append(attrs, slog.String("request_id", e.requestID), slog.String("trace_id", e.own.TraceID().String()),
		slog.String("method", contracts.Printable(e.c.Request.Method)), slog.String("route", e.route.template), slog.Int("status", e.status),
		slog.Float64("dur_ms", float64(took.Microseconds())/1000))
	if e.caller != nil {
		attrs = append(attrs, slog.String("tenant", e.caller.Tenant))
	}
	level := slog.LevelInfo
	if err != nil {
		attrs = append(attrs, slog.String("code", string(contracts.CodeOf(err))))
	}
	if e.status >= http.StatusInternalServerError { // the text of other errors tells what the client sent
		level = slog.LevelWarn // a source, a worker or NATS failed
		if e.status == http.StatusInternalServerError {
			level = slog.LevelError
		}
		attrs = append(attrs, slog.String("error", err.Error()))
	}
	g.log.LogAttrs(e.ctx, level, "request", attrs...)
}
