package abcworker

import (
	"context"
	"crypto/rand"
	"log/slog"
	"time"

	"assay.dev/contracts"
)

const (
	// maxReports bounds the reports that wait. Further ones are dropped.
	maxReports = 64
	// reportTime bounds one report.
	reportTime = 15 * time.Second
	// drainTime is how long a worker that stops still sends the reports that wait.
	drainTime = 2 * time.Second
)

// badSolves reports CAPTCHA solves that a site refused, so that they need not be paid for. No answer waits for a
// report.
type badSolves struct {
	solve   func(ctx context.Context, id string, job contracts.SolveJob) (contracts.SolveResult, error)
	waiting chan contracts.SolveRef
	log     *slog.Logger
}

// report puts a solve in the queue.
func (b *badSolves) report(bad contracts.SolveRef) {
	select {
	case b.waiting <- bad:
	default:
		b.log.Warn("a bad solve is not reported: too many wait", "provider", bad.Provider)
	}
}

// run sends reports until ctx ends, and then those that wait, for at most drainTime.
func (b *badSolves) run(ctx context.Context) error {
	for {
		select {
		case bad := <-b.waiting:
			b.send(ctx, bad, reportTime)
		case <-ctx.Done():
			b.drain(ctx)
			return nil
		}
	}
}

func (b *badSolves) drain(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTime)
	defer cancel()
	for ctx.Err() == nil {
		select {
		case bad := <-b.waiting:
			b.send(ctx, bad, drainTime)
		default:
			return
		}
	}
}

func (b *badSolves) send(ctx context.Context, bad contracts.SolveRef, within time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	if _, err := b.solve(ctx, rand.Text(), contracts.SolveJob{Bad: &bad}); err != nil {
		b.log.Warn("a bad solve is not reported", "provider", bad.Provider, "error", err)
	}
}
