package scrape

import (
	"context"
	"errors"
	"sync"
	"time"

	"assay.dev/platform/clock"
)

// maxWaiting bounds the queue before one host.
const maxWaiting = 64

// pace is how a request waits for its start.
type pace int

const (
	// begins a conversation: it is spaced, and comes after those that go on.
	begins pace = iota
	// goesOn with a conversation: it is spaced. What has begun ends before more begins, so that under load some
	// conversations end in time instead of all being half done, and a code that was paid for is sent while it is good.
	goesOn
	// unpaced needs only the slot.
	unpaced
)

// politeness spaces the requests to each host and bounds how many run at the same time.
type politeness struct {
	interval    time.Duration // between the starts of two requests; 0: no limit
	concurrency int

	mu    sync.Mutex
	hosts map[string]*host
}

type host struct {
	// turn is held by the one request that waits for its start; those behind it queue on the channel, in order. Of
	// those that begin a conversation, only the one that holds first is among them.
	turn, first chan struct{}
	slots       chan struct{}

	// Guarded by politeness.mu:
	users int
	ahead int       // requests that wait to go on
	next  time.Time // earliest start of the next request
}

func newPoliteness(rate float64, concurrency int) *politeness {
	p := &politeness{concurrency: concurrency, hosts: map[string]*host{}}
	if rate > 0 {
		p.interval = time.Duration(float64(time.Second) / rate)
	}
	return p
}

// acquire waits for a start and a slot at the host. The error is of kind refused when there is no room or time, or
// context.Canceled.
func (p *politeness) acquire(ctx context.Context, name string, how pace) (release func(), err error) {
	h := takenPlace(ctx, name, how)
	if h == nil {
		if h, err = p.enter(name, how); err != nil {
			return nil, err
		}
	}
	if p.interval == 0 {
		how = unpaced
	}
	if err := p.start(ctx, h, how); err != nil {
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

func (p *politeness) start(ctx context.Context, h *host, how pace) error {
	if how == unpaced {
		return take(ctx, h.slots)
	}
	if err := p.await(ctx, h, how); err != nil {
		return err
	}
	defer func() { <-h.turn }()
	if err := take(ctx, h.slots); err != nil {
		return err
	}
	p.mu.Lock()
	h.next = time.Now().Add(p.interval)
	p.mu.Unlock()
	return nil
}

// await takes the turn when the next request may start.
func (p *politeness) await(ctx context.Context, h *host, how pace) error {
	if how == goesOn {
		p.wait(h, +1)
		defer p.wait(h, -1)
	} else {
		if err := take(ctx, h.first); err != nil {
			return err
		}
		defer func() { <-h.first }()
	}
	for {
		if err := take(ctx, h.turn); err != nil {
			return err
		}
		err := p.sleepUntilNext(ctx, h)
		if err == nil && (how == goesOn || !p.othersGoOn(h)) {
			return nil
		}
		<-h.turn // whoever goes on is next in its queue
		if err != nil {
			return err
		}
	}
}

func (p *politeness) wait(h *host, n int) {
	p.mu.Lock()
	h.ahead += n
	p.mu.Unlock()
}

func (p *politeness) othersGoOn(h *host) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return h.ahead > 0
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
	return clock.Sleep(ctx, wait)
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

// enter finds or makes the host, and forgets those nobody uses: there are few, so looking at all costs nothing. Only
// who goes on finds room in a full queue: there are no more of those than were let in.
func (p *politeness) enter(name string, how pace) (*host, error) {
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
		h = &host{turn: make(chan struct{}, 1), first: make(chan struct{}, 1),
			slots: make(chan struct{}, p.concurrency)}
		p.hosts[name] = h
	}
	if h.users >= maxWaiting && how != goesOn {
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
