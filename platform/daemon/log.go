package daemon

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"

	"go.opentelemetry.io/otel/trace"

	"assay.dev/contracts"
	"assay.dev/platform/telemetry"
)

// LogFormat is how log lines are written.
type LogFormat string

// The values of ASSAY_LOG_FORMAT. LogAuto is text on a terminal and JSON elsewhere.
const (
	LogAuto LogFormat = "auto"
	LogJSON LogFormat = "json"
	LogText LogFormat = "text"
)

// UnmarshalText refuses a format outside the set.
func (f *LogFormat) UnmarshalText(text []byte) error {
	switch v := LogFormat(text); v {
	case LogAuto, LogJSON, LogText:
		*f = v
		return nil
	}
	return fmt.Errorf("log format %q: want json, text or auto", text)
}

// NewLog returns a logger that writes to standard error in the format and from the level that cfg names. A line that is
// logged with a context has the trace_id and the span_id of the context's span, and the
// request_id of the client's request.
func NewLog(cfg Config) *slog.Logger { return newLog(os.Stderr, cfg) }

func newLog(w io.Writer, cfg Config) *slog.Logger {
	opts := &slog.HandlerOptions{Level: cfg.LogLevel}
	if cfg.LogFormat == LogText || cfg.LogFormat != LogJSON && isTerminal(w) {
		return slog.New(contextHandler{slog.NewTextHandler(w, opts)})
	}
	return slog.New(contextHandler{slog.NewJSONHandler(escapedLines{w}, opts)})
}

// escapedLines writes each line of JSON with the escapes of [contracts.EscapeJSON], for who reads the log at a
// terminal. The text handler quotes such characters itself.
type escapedLines struct{ io.Writer }

// Write takes one line.
func (w escapedLines) Write(line []byte) (int, error) {
	if _, err := w.Writer.Write(contracts.EscapeJSON(line)); err != nil {
		return 0, err
	}
	return len(line), nil
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

type contextHandler struct{ slog.Handler }

func (h contextHandler) Handle(ctx context.Context, r slog.Record) error {
	if span := trace.SpanContextFromContext(ctx); span.IsValid() {
		r.AddAttrs(slog.String("trace_id", span.TraceID().String()), slog.String("span_id", span.SpanID().String()))
	}
	if id := telemetry.RequestID(ctx); id != "" {
		r.AddAttrs(slog.String("request_id", id))
	}
	return h.Handler.Handle(ctx, r)
}

func (h contextHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return contextHandler{h.Handler.WithAttrs(attrs)}
}

func (h contextHandler) WithGroup(name string) slog.Handler {
	return contextHandler{h.Handler.WithGroup(name)}
}
