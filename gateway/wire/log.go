package wire

import (
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/answers"
	"assay.dev/gateway/api"
)

const (
	// hitsPerLine: one in so many answers from the gateway's own memory is logged.
	hitsPerLine = 256
	// refusedLinesPerSecond bounds the lines about 4xx answers, which anyone can cause.
	refusedLinesPerSecond = 20
	// failedLinesPerSecond bounds those about sources, workers and NATS that fail: while one does, each says the same.
	failedLinesPerSecond = 50
)

// logSampler decides which requests are logged. All are that a worker answers or a fault of ours fails.
type logSampler struct {
	hits            atomic.Uint64
	refused, failed bounded
}

// bounded counts the lines of the running second.
type bounded struct{ second, lines atomic.Int64 }

func (b *bounded) admit(now time.Time, most int64) bool {
	if second := now.Unix(); b.second.Swap(second) != second {
		b.lines.Store(0)
	}
	return b.lines.Add(1) <= most
}

func (l *logSampler) keep(tier answers.Tier, status int, now time.Time) bool {
	switch {
	case status == http.StatusInternalServerError:
		return true
	case status > http.StatusInternalServerError:
		return l.failed.admit(now, failedLinesPerSecond)
	case status >= http.StatusBadRequest:
		return l.refused.admit(now, refusedLinesPerSecond)
	case tier == answers.Worker:
		return true
	default:
		return l.hits.Add(1)%hitsPerLine == 1
	}
}

func (s *Server) logRequest(x *exchange, r api.Reply, err error, took time.Duration) {
	if r.Pieces == nil && !s.sample.keep(r.Tier, x.status, x.began) {
		return
	}
	attrs := make([]slog.Attr, 0, 12)
	attrs = append(attrs, slog.String("request_id", x.requestID), slog.String("trace_id", x.own.TraceID().String()),
		slog.String("method", contracts.Printable(x.c.Request.Method)), slog.String("route", x.route.Path),
		slog.Int("status", x.status),
		slog.Float64("dur_ms", float64(took.Microseconds())/1000))
	if x.caller != nil {
		attrs = append(attrs, slog.String("tenant", x.caller.Tenant),
			slog.String("environment", string(x.caller.Environment)))
	}
	if r.Pieces != nil {
		attrs = append(attrs, slog.Int("lines", x.lines), slog.Int("charged", x.charged))
	}
	level := slog.LevelInfo
	if err != nil {
		attrs = append(attrs, slog.String("code", string(contracts.CodeOf(err))))
	}
	if x.status >= http.StatusInternalServerError {
		level = slog.LevelWarn // a source, a worker or NATS failed
		if x.status == http.StatusInternalServerError {
			level = slog.LevelError
		}
		// the text of other errors tells what the client sent; what a page asked the API has a line of its own
		if err != nil {
			attrs = append(attrs, slog.String("error", err.Error()))
		}
	}
	// whose span is not ours: the line has its trace_id once
	s.Log.LogAttrs(x.c.Request.Context(), level, "request", attrs...)
}
