package handling

import (
	"context"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"go.opentelemetry.io/otel/propagation"

	"assay.dev/contracts"
	"assay.dev/platform/telemetry"
)

// Carrier lets W3C trace context travel in NATS headers. Those are case-sensitive, so the names go in as they are: the
// propagators' are lower-case, and [propagation.HeaderCarrier] would change that.
type Carrier nats.Header

func (c Carrier) Get(key string) string { return nats.Header(c).Get(key) }
func (c Carrier) Set(key, value string) { c[key] = []string{value} }
func (c Carrier) Keys() []string {
	keys := make([]string, 0, len(c))
	for k := range c {
		keys = append(keys, k)
	}
	return keys
}

// Propagator carries trace and baggage.
func Propagator() propagation.TextMapPropagator {
	return propagation.NewCompositeTextMapPropagator(propagation.TraceContext{}, propagation.Baggage{})
}

// NewHeader is what leaves with every request and job: time left, trace, request id, and the expired entry that was
// found.
func NewHeader(ctx context.Context) nats.Header {
	h := nats.Header{}
	if deadline, ok := ctx.Deadline(); ok {
		h.Set(contracts.HeaderTimeout, strconv.FormatInt(time.Until(deadline).Milliseconds(), 10))
	}
	if id := telemetry.RequestID(ctx); id != "" {
		h.Set(contracts.HeaderRequestID, id)
	}
	setReplaces(ctx, h)
	Propagator().Inject(ctx, Carrier(h))
	return h
}

// TimeLeft reads assay-timeout-ms, and gives no more than most. Without the header it is most.
func TimeLeft(h nats.Header, most time.Duration) (time.Duration, error) {
	text := h.Get(contracts.HeaderTimeout)
	if text == "" {
		return most, nil
	}
	ms, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, contracts.Invalid("header", contracts.HeaderTimeout, "int_parsing", "is not a number of milliseconds")
	}
	return time.Duration(min(ms, most.Milliseconds())) * time.Millisecond, nil
}
