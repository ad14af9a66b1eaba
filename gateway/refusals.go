package gateway

import (
	"context"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/maypok86/otter/v2"

	"assay.dev/contracts"
)

// maxAddresses bounds the addresses that are remembered.
const maxAddresses = 1 << 16

// refusals limits the 401 and 403 answers of one client address, so that keys cannot be guessed and look-ups not be forced
// (a generic cell rate: each answer costs interval, and a minute's worth may be owed).
type refusals struct {
	interval time.Duration
	born     time.Time
	owed     *otter.Cache[netip.Addr, *atomic.Int64] // until when an address has to pay, since born
}

func newRefusals(perMinute int) (*refusals, error) {
	owed, err := otter.New(&otter.Options[netip.Addr, *atomic.Int64]{
		MaximumSize: maxAddresses, ExpiryCalculator: otter.ExpiryAccessing[netip.Addr, *atomic.Int64](2 * time.Minute),
	})
	if err != nil {
		return nil, err
	}
	return &refusals{interval: time.Minute / time.Duration(perMinute), born: time.Now(), owed: owed}, nil
}

func (r *refusals) close(context.Context) error {
	r.owed.StopAllGoroutines()
	return nil
}

// check returns RATE_LIMITED while the address has had all its refusals.
func (r *refusals) check(a netip.Addr) error {
	owed, ok := r.owed.GetIfPresent(a)
	if !ok {
		return nil
	}
	return r.limited(time.Duration(owed.Load()) - time.Since(r.born))
}

// count charges the address for refused, and returns it, or RATE_LIMITED when it has had all its refusals.
func (r *refusals) count(a netip.Addr, refused error) error {
	owed, _ := r.owed.SetIfAbsent(a, new(atomic.Int64))
	for {
		until, now := owed.Load(), int64(time.Since(r.born))
		if err := r.limited(time.Duration(until - now)); err != nil {
			return err
		}
		if owed.CompareAndSwap(until, max(until, now)+int64(r.interval)) {
			return refused
		}
	}
}

func (r *refusals) limited(debt time.Duration) error {
	if over := debt + r.interval - time.Minute; over > 0 {
		return contracts.Errorf(contracts.RateLimited, "too many refused requests from this address; retry when Retry-After has passed").After(over)
	}
	return nil
}
