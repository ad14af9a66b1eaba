package scrape

import (
	"context"
	"errors"
	"sync"
	"time"
)

// maxWaiting bounds the queue before one host.
const maxWaiting = 64

// politeness spaces the requests to each host and bounds how many run at the same time.
type politeness struct {
	interval    time.Duration // between the starts of two requests; 0: no limit
	concurrency int

	mu    sync.Mutex
	hosts map[string]*host
}

type host struct {
	// turn is held by the one request that waits for its start; those behind it queue on the channel, in order.
	turn  chan struct{}
	slots chan struct{}

	users int       // guarded by politeness.mu
	next  time.Time // earliest start of the next request; guarded by politeness.mu
}

func newPoliteness(rate float64, concurrency int) *politeness {
	p := &politeness{concurrency: concurrency, hosts: map[string]*host{}}
	if rate > 0 {
		p.interval = time.Duration(float64(time.Second) / rate)
	}
	return p
}

// acquire waits for a start and a slot at the host; an unpaced request needs only the slot. The error is of kind
// refused when there is no room or time, or context.Canceled.
func (p *politeness) acquire(ctx context.Context, name string, paced bool) (release func(), err error) {
	h, err := p.enter(name)
	if err != nil {
		return nil, err
	}
	if err := p.start(ctx, h, paced && p.interval > 0); err != nil {
		p.leave(h)
		if errors.Is(err, context.DeadlineExceeded) {
			err = Failf(Refused, "no turn at %s within the time allowed: %w", name, err)
		}
		return nil, err
	}
	return sync.OnceFunc(func() {
		<-h.slots
		p.leave(h)
	}), nil
}

func (p *politeness) start(ctx context.Context, h *host, paced bool) error {
	if paced {
		if err := take(ctx, h.turn); err != nil {
			return err
		}
		defer func() { <-h.turn }()
		if err := p.sleepUntilNext(ctx, h); err != nil {
			return err
		}
	}
	if err := take(ctx, h.slots); err != nil {
		return err
	}
	if paced {
		p.mu.Lock()
		h.next = time.Now().Add(p.interval)
		p.mu.Unlock()
	}
	return nil
}

func (p *politeness) sleepUntilNext(ctx context.Context, h *host) error {
	p.mu.Lock()
	next := h.next
	p.mu.Unlock()
	wait := time.Until(next)
	if wait <= 0 {
		return ctx.Err()
	}
	if deadline, ok := ctx.Deadline(); ok && deadline.Before(next) {
		return context.DeadlineExceeded
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func take(ctx context.Context, room chan struct{}) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case room <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// enter finds or makes the host, and forgets those nobody uses: there are few, so looking at all costs nothing.
func (p *politeness) enter(name string) (*host, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	for other, h := range p.hosts {
		if h.users == 0 && now.After(h.next) {
			delete(p.hosts, other)
		}
	}
	h := p.hosts[name]
	if h == nil {
		h = &host{turn: make(chan struct{}, 1), slots: make(chan struct{}, p.concurrency)}
		p.hosts[name] = h
	}
	if h.users >= maxWaiting {
		return nil, Failf(Refused, "%d requests already wait for %s", h.users, name)
	}
	h.users++
	return h, nil
}

func (p *politeness) leave(h *host) {
	p.mu.Lock()
	h.users--
	p.mu.Unlock()
}
