package answers

import (
	"context"
	"time"

	"assay.dev/contracts"
)

// Ask asks workers for an answer that nobody keeps, within maxTime. Its failures are [contracts.Error]s.
func Ask[A any](ctx context.Context, s *Store, to contracts.Subject, request any, maxTime time.Duration) (A, error) {
	ctx, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	a, err := ask(ctx, s, Question[A]{Subject: to, Request: request})
	if err != nil {
		return a, contracts.AsError(err)
	}
	return a, nil
}
