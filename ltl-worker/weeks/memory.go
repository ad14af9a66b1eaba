package weeks

import (
	"context"
	"fmt"
	"sync"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/archive"
	"assay.dev/ltl-worker/reader"
	"assay.dev/platform/scrape"
)

// memory is what this worker knows of a carrier's weeks. A page may revise a week or two. A page that contradicts
// most of the known weeks shows something else under the old headings, such as the percents of another service.
type memory struct {
	mu    sync.Mutex
	weeks map[contracts.Date]contracts.SurchargeWeek
}

// fewContradictions is how many weeks a page may always revise at once, even when they are most of the known weeks.
const fewContradictions = 2

// recall makes a memory of the archived weeks. The memory beside an error is empty.
func recall(ctx context.Context, a *archive.Archive, c contracts.Carrier) (*memory, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	m := &memory{weeks: map[contracts.Date]contracts.SurchargeWeek{}}
	known, err := a.Weeks(ctx, c)
	for _, w := range known {
		m.weeks[w.Date] = w.Newest().SurchargeWeek
	}
	return m, err
}

// learn remembers the shown weeks, in place of what was known of the same dates.
func (m *memory) learn(shown []contracts.ObservedWeek) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, w := range shown {
		m.weeks[w.EffectiveDate] = w.SurchargeWeek
	}
}

// compare counts the shown weeks that are known, and those of them that are known with another value.
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

// guard makes a path fail when its reading contradicts most of the known weeks, so that the next path is tried.
func (m *memory) guard(p reader.Path) reader.Path {
	read := p.Read
	p.Read = func(ctx context.Context, today contracts.Date) (reader.Reading, error) {
		found, err := read(ctx, today)
		if err != nil {
			return found, err
		}
		known, otherwise := m.compare(found.Value.Weeks)
		if otherwise > fewContradictions && 2*otherwise > known {
			text := fmt.Sprintf("%d of %d known weeks are shown with another value", otherwise, known)
			scrape.Notef(ctx, "%s", text)
			return reader.Reading{}, scrape.Failf(scrape.Changed, "%s", text)
		}
		return found, nil
	}
	return p
}
