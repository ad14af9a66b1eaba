package courier

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
