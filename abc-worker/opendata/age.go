package opendata

import (
	"context"
	"sync"
	"time"

	"assay.dev/platform/scrape"
)

const (
	// ageKept is how long the date of a table is believed before the service is asked again.
	ageKept = 15 * time.Minute
	// ageWait bounds the question for it. An answer is worth more than its date.
	ageWait = 4 * time.Second
)

// age remembers when a table was last updated. It is safe for concurrent use.
type age struct {
	mu      sync.Mutex
	askedAt time.Time
	updated time.Time
}

// at asks for the date unless that was done just now. A date that cannot be had is the last one that was, or zero.
func (a *age) at(ctx context.Context, ask func(context.Context) (time.Time, error)) time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	if time.Since(a.askedAt) < ageKept {
		return a.updated
	}
	ctx, cancel := context.WithTimeout(ctx, ageWait)
	defer cancel()
	updated, err := ask(ctx)
	if err != nil {
		scrape.Notef(ctx, "when the table was updated is not known: %v", err)
		return a.updated
	}
	a.askedAt, a.updated = time.Now(), updated
	return updated
}
