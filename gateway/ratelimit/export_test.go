package ratelimit

import (
	"context"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/platform/clock/clocktest"
)

// OpenWithClock is [Open] on a machine whose clock shows something else.
func OpenWithClock(ctx context.Context, js jetstream.JetStream, local func() time.Time) (*Limiter, error) {
	source, err := openJetStream(ctx, js)
	if err != nil {
		return nil, err
	}
	clock := NewClock(source.Now)
	clock.local = local
	return start(ctx, source, clock)
}

// BePatient is for tests of exactness: on a busy machine too, the source decides and not the gateway alone.
func (l *Limiter) BePatient() {
	l.patience = clocktest.Patience
	if s, ok := l.source.(*jetStream); ok {
		s.pace.least = l.patience
	}
}

// BeQuick is for tests of waits, which the race detector must not make longer.
func (l *Limiter) BeQuick() { l.patience = 400 * time.Millisecond }
