package handling

import (
	"context"
	"time"

	"github.com/nats-io/nats.go"

	"assay.dev/contracts"
)

// replacesFor is how long it can be relied on that an entry has expired. It is short, because a flight that has
// replaced the entry meanwhile must still be on record.
const replacesFor = time.Second

type replacesKey struct{}

// replaced is what was found at a moment.
type replaced struct {
	flight string
	at     time.Time
}

// WithReplaces notes the key and the revision of an entry that was found expired now, such as "live.ltl.v4.ODFL.17". An
// empty one notes nothing.
func WithReplaces(ctx context.Context, flight string) context.Context {
	if flight == "" {
		return ctx
	}
	return context.WithValue(ctx, replacesKey{}, replaced{flight, time.Now()})
}

// Replaces is what [WithReplaces] noted within the last second, in this process or in the one that called; "" for
// nothing.
func Replaces(ctx context.Context) string {
	r, _ := ctx.Value(replacesKey{}).(replaced)
	if time.Since(r.at) > replacesFor {
		return ""
	}
	return r.flight
}

// setReplaces puts what was noted into a request.
func setReplaces(ctx context.Context, h nats.Header) {
	if flight := Replaces(ctx); flight != "" {
		h.Set(contracts.HeaderReplaces, flight)
	}
}
