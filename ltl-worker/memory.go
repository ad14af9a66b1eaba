package ltlworker

import (
	"context"
	"sync"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/archive"
	"assay.dev/platform/scrape"
)

// memory is what this worker knows of a carrier's weeks. A page may revise a week; one that contradicts most of what is
// known shows something else under the old headings, such as the percents of another service.
type memory struct {
	mu    sync.Mutex
	weeks map[contracts.Date]contracts.SurchargeWeek
}

// fewContradictions is how many weeks a page may revise at once, whatever share of the known ones they are.
const fewContradictions = 2

// recall begins a memory with the archive.
func recall(ctx context.Context, a *archive.Archive, c contracts.Carrier) (*memory, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	m := &memory{weeks: map[contracts.Date]contracts.SurchargeWeek{}}
	known, err := a.Weeks(ctx, c)
	for _, w := range known {
		m.weeks[w.EffectiveDate] = w.SurchargeWeek
	}
	return m, err
}

// learn replaces what is known by what was shown.
func (m *memory) learn(shown []contracts.ObservedWeek) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, w := range shown {
		m.weeks[w.EffectiveDate] = w.SurchargeWeek
	}
}

// compare counts the shown weeks that are known, and those of them that are known otherwise.
func (m *memory) compare(shown []contracts.ObservedWeek) (known, otherwise int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, w := range shown {
		before, ok := m.weeks[w.EffectiveDate]
		if !ok {
			continue
		}
		known++
		if !archive.Same(before, w.SurchargeWeek) {
			otherwise++
		}
	}
	return known, otherwise
}

// guard fails a path whose reading contradicts most of what is known, so that the next path is asked.
func (m *memory) guard(p path) path {
	read := p.Read
	p.Read = func(ctx context.Context, today contracts.Date) (reading, error) {
		found, err := read(ctx, today)
		if err != nil {
			return found, err
		}
		known, otherwise := m.compare(found.Value.Weeks)
		if otherwise > fewContradictions && 2*otherwise > known {
			scrape.Notef(ctx, "%d of %d known weeks are shown with another value", otherwise, known)
			return reading{}, scrape.Failf(scrape.Changed, "%d of %d known weeks are shown with another value", otherwise, known)
		}
		return found, nil
	}
	return p
}
