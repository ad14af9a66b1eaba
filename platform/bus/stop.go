package bus

import (
	"context"
	"fmt"
	"time"

	"assay.dev/platform/clock"
	"assay.dev/platform/internal/handling"
)

const (
	stopPoll = 5 * time.Millisecond
	// maxUnsubscribe bounds the wait for the subscriptions: they go within 100 ms of the flush unless somebody else's
	// on the same connection came in the meantime, which the count cannot tell from ours.
	maxUnsubscribe = time.Second
)

// Stop ends the service and loses nothing: it leaves the queue group, takes what the server had sent by then, and
// returns when every request is answered and the replies are with the server. When ctx ends first, the handlers left
// are cancelled and their callers told to retry elsewhere. The connection stays open: it is [Close]'s.
func (s *Server) Stop(ctx context.Context) error {
	before := s.conn.NumSubscriptions()
	if err := s.service.Stop(); err != nil {
		return fmt.Errorf("leaving the queue group: %w", err)
	}
	defer s.slots.Close()
	defer s.abandon(handling.ErrStopping)
	s.awaitUnsubscribed(ctx, before-s.subs)
	var err error
	if !handling.Await(ctx, &s.handlers, s.abandon, s.grace) {
		err = fmt.Errorf("%d handlers do not end", s.slots.Taken())
	}
	if !s.conn.IsConnected() {
		return err // the replies are lost already, and nothing is sent later
	}
	if flushErr := s.conn.FlushTimeout(flushTime(ctx, s.grace)); err == nil && flushErr != nil && s.conn.IsConnected() {
		err = fmt.Errorf("sending the last replies: %w", flushErr)
	}
	return err
}

// flushTime is how long the server may take to receive the last replies: half of what is left of the stop, so that
// what stops next has time too, and a second at least. On a busy machine a second alone was too short.
func flushTime(ctx context.Context, least time.Duration) time.Duration {
	end, ok := ctx.Deadline()
	if !ok {
		return least
	}
	return max(least, time.Until(end)/2)
}

// awaitUnsubscribed waits until the connection has dropped the subscriptions, that is, until what was under way to
// them is in a handler's hands.
func (s *Server) awaitUnsubscribed(ctx context.Context, remaining int) {
	ctx, cancel := context.WithTimeout(ctx, maxUnsubscribe)
	defer cancel()
	for s.conn.NumSubscriptions() > remaining && clock.Sleep(ctx, stopPoll) == nil {
	}
}
