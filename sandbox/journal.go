package sandbox

import (
	"maps"
	"sync"
)

// maxPaths bounds what the journal remembers of one host.
const maxPaths = 4096

// Counts is how often each path of a host was asked for; "" stands for a tunnel that was refused.
type Counts map[string]int

// Total is how often the host was asked for anything.
func (c Counts) Total() int {
	n := 0
	for _, requests := range c {
		n += requests
	}
	return n
}

// journal counts requests by host and path.
type journal struct {
	mu    sync.Mutex
	hosts map[string]Counts
}

func newJournal() *journal { return &journal{hosts: map[string]Counts{}} }

func (j *journal) note(host, path string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	counts := j.hosts[host]
	if counts == nil {
		if len(j.hosts) >= maxPaths {
			return
		}
		counts = Counts{}
		j.hosts[host] = counts
	}
	if _, known := counts[path]; !known && len(counts) >= maxPaths {
		path = "(others)"
	}
	counts[path]++
}

func (j *journal) of(host string) Counts {
	j.mu.Lock()
	defer j.mu.Unlock()
	return maps.Clone(j.hosts[host])
}

func (j *journal) all() map[string]Counts {
	j.mu.Lock()
	defer j.mu.Unlock()
	all := make(map[string]Counts, len(j.hosts))
	for host, counts := range j.hosts {
		all[host] = maps.Clone(counts)
	}
	return all
}

func (j *journal) clear() {
	j.mu.Lock()
	defer j.mu.Unlock()
	clear(j.hosts)
}
