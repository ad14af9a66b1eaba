package scrape

import (
	"context"
	"sync"
	"sync/atomic"
)

// place is a place in the queue before a host. It is taken before the request that uses it exists.
type place struct {
	name  string
	host  *host
	spent atomic.Bool // a request has it, or it was given back
}

type placeKey struct{}

// TakePlace takes a place in the queue before the first of the hosts that has room. The conversation that begins with
// the returned context uses it. So a caller with work to do before its first request knows whether there is room. The
// error is of kind refused when there is none. leave gives back a place that no request has used.
func (f *Fetcher) TakePlace(ctx context.Context, hosts ...string) (taken context.Context, leave func(), err error) {
	p := f.politeness
	for _, name := range hosts {
		var h *host
		if h, err = p.enter(name, begins); err != nil {
			continue
		}
		mine := &place{name: name, host: h}
		return context.WithValue(ctx, placeKey{}, mine), sync.OnceFunc(func() {
			if mine.spend() {
				p.leave(h)
			}
		}), nil
	}
	return ctx, nil, err
}

func (p *place) spend() bool { return p.spent.CompareAndSwap(false, true) }

// takenPlace is the host whose place was taken for this context; nil for none, or when it was used.
func takenPlace(ctx context.Context, name string, how pace) *host {
	p, ok := ctx.Value(placeKey{}).(*place)
	if !ok || how != begins || p.name != name || !p.spend() {
		return nil
	}
	return p.host
}
