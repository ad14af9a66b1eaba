package courier

import (
	"slices"
	"time"

	"assay.dev/platform/webhook"
)

// dueHeap has the endpoints that become due, the first one first.
type dueHeap []*endpoint

func (h dueHeap) Len() int           { return len(h) }
func (h dueHeap) Less(i, j int) bool { return h[i].due.Before(h[j].due) }
func (h dueHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i]; h[i].index, h[j].index = i, j }

// Push adds an endpoint.
func (h *dueHeap) Push(x any) { e := x.(*endpoint); e.index = len(*h); *h = append(*h, e) }

// Pop takes the last one.
func (h *dueHeap) Pop() any {
	all := *h
	e := all[len(all)-1]
	e.index, *h = -1, all[:len(all)-1]
	return e
}

// first is the one that is due first; nil of none.
func first(all []webhook.Retry) *webhook.Retry {
	if len(all) == 0 {
		return nil
	}
	return new(slices.MinFunc(all, func(a, b webhook.Retry) int { return a.Due.Compare(b.Due) }))
}

// due is when the first of two is due; zero for none.
func due(a, b *webhook.Retry) (at time.Time) {
	for _, r := range []*webhook.Retry{a, b} {
		if r != nil && (at.IsZero() || r.Due.Before(at)) {
			at = r.Due
		}
	}
	return at
}
