package kv

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/platform/bus"
	"assay.dev/platform/clock"
)

const (
	// exchangeTime is when an exchange with JetStream is given up: its reply may have died with a server.
	exchangeTime = 2 * time.Second
	// ElectionTime is how long [Retry] repeats an exchange: a stream that lost its leader has a new one within 6 s,
	// seldom later.
	ElectionTime  = 12 * time.Second
	electionPause = 200 * time.Millisecond
)

// Retry makes an exchange with JetStream, and makes it again while servers or leaders change, for 12 s at most. Each
// try has 2 s. A try that failed may have been carried out all the same, so the exchange must bear repetition.
func Retry(ctx context.Context, exchange func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, ElectionTime)
	defer cancel()
	return repeated(ctx, func(ctx context.Context) error { return Try(ctx, exchange) })
}

// RetryAtStart makes an exchange that a start needs, and makes it again while servers are busy or change, for as long
// as [StartDeadline] lets it. The exchange bounds each try itself.
func RetryAtStart(ctx context.Context, exchange func(context.Context) error) error {
	ctx, cancel := StartDeadline(ctx)
	defer cancel()
	return repeated(ctx, exchange)
}

func repeated(ctx context.Context, exchange func(context.Context) error) error {
	for {
		err := exchange(ctx)
		if err == nil || !passing(err) || clock.Sleep(ctx, electionPause) != nil {
			return err
		}
	}
}

// Try makes an exchange once, within 2 s.
func Try(ctx context.Context, exchange func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, exchangeTime)
	defer cancel()
	return exchange(ctx)
}

// passing tells the failures of a moment.
func passing(err error) bool {
	for _, e := range []error{
		context.DeadlineExceeded, nats.ErrTimeout, nats.ErrNoResponders, jetstream.ErrNoStreamResponse,
	} {
		if errors.Is(err, e) {
			return true
		}
	}
	var refused *jetstream.APIError
	return bus.Lost(err) || errors.As(err, &refused) && refused.ErrorCode == codeUnavailable
}

// codeUnavailable is the server's JSClusterNotAvailErr: no leader at the moment.
const codeUnavailable jetstream.ErrorCode = 10008
