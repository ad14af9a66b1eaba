package gateway

import (
	"context"
	"net/http"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/maypok86/otter/v2"
	"golang.org/x/time/rate"

	"assay.dev/contracts"
	"assay.dev/platform/clock"
)

// What anonymous requests may have, besides the rates of [Config].
const (
	// maxAddresses bounds the addresses that are remembered.
	maxAddresses = 1 << 16
	// maxAnonymous bounds the requests that are answered at once, of all addresses and of one.
	maxAnonymous        = 64
	maxAnonymousAddress = 8
	// maxAnonymousBody bounds the body of a request, in bytes. No open method needs more than a tenth of it.
	maxAnonymousBody = 16 << 10
	// anonymousTime is for how long a request may send its body, be answered and read the reply.
	anonymousTime = 5 * time.Second
	// refusalDelay is how long the 429 of a request above the limits is held back, and maxDelayed how many are at once.
	refusalDelay = time.Second
	maxDelayed   = 4096
)

// anonymous limits what is answered without a valid key: open routes, the open methods of the tool servers, and the 401
// and 403 answers of all routes. The limits are the same ones for all routes together, so that keys cannot be guessed,
// look-ups not be forced, and callers with a key do not feel the others.
//
// A request above the limits gets its 429 after refusalDelay: a client that asks again at once, over 64 connections, is
// then refused 64 times a second instead of 20,000 times. A connection that waits costs as much as an idle one.
type anonymous struct {
	ofAddress rate.Limit
	burst     int
	addresses *otter.Cache[netip.Addr, *address]
	total     *rate.Limiter
	active    chan struct{}
	delayed   chan struct{}
	count     func(anonymousOutcome)
}

// address is what one client address has used.
type address struct {
	rate   *rate.Limiter
	active atomic.Int32
}

// newAnonymous allows one address a number of requests a minute, and all together a number of them a second.
func newAnonymous(addressPerMinute, totalPerSecond int, count func(anonymousOutcome)) (*anonymous, error) {
	addresses, err := otter.New(&otter.Options[netip.Addr, *address]{
		MaximumSize: maxAddresses, ExpiryCalculator: otter.ExpiryAccessing[netip.Addr, *address](2 * time.Minute),
	})
	if err != nil {
		return nil, err
	}
	return &anonymous{
		ofAddress: rate.Limit(float64(addressPerMinute) / time.Minute.Seconds()), burst: addressPerMinute, addresses: addresses,
		total:  rate.NewLimiter(rate.Limit(totalPerSecond), totalPerSecond),
		active: make(chan struct{}, maxAnonymous), delayed: make(chan struct{}, maxDelayed), count: count,
	}, nil
}

func (a *anonymous) close(context.Context) error {
	a.addresses.StopAllGoroutines()
	return nil
}

// enter takes one request of the address. The caller calls leave when it is answered. A request above the limits is
// RATE_LIMITED.
func (a *anonymous) enter(from netip.Addr) (leave func(), err error) {
	of, _ := a.addresses.GetIfPresent(from)
	if of == nil {
		of, _ = a.addresses.SetIfAbsent(from, &address{rate: rate.NewLimiter(a.ofAddress, a.burst)})
	}
	outcome, wait := a.take(of)
	a.count(outcome)
	if outcome != anonymousAdmitted {
		return nil, contracts.Errorf(contracts.RateLimited, "%s; send a valid API key, or retry when Retry-After has passed", excess[outcome]).After(wait)
	}
	return func() {
		<-a.active
		of.active.Add(-1)
	}, nil
}

var excess = map[anonymousOutcome]string{
	anonymousAddressRate:   "too many requests without a valid API key from this address",
	anonymousAddressActive: "too many requests at once without a valid API key from this address",
	anonymousTotalRate:     "too many requests without a valid API key from all addresses together",
	anonymousTotalActive:   "too many requests at once without a valid API key from all addresses together",
}

// take checks the limits of the address before those of all, so that one address cannot use up what all have.
func (a *anonymous) take(of *address) (outcome anonymousOutcome, wait time.Duration) {
	if of.active.Add(1) > maxAnonymousAddress {
		of.active.Add(-1)
		return anonymousAddressActive, refusalDelay
	}
	if outcome, wait = a.takeRates(of); outcome != anonymousAdmitted {
		of.active.Add(-1)
		return outcome, wait
	}
	select {
	case a.active <- struct{}{}:
		return anonymousAdmitted, 0
	default:
		of.active.Add(-1)
		return anonymousTotalActive, refusalDelay
	}
}

func (a *anonymous) takeRates(of *address) (outcome anonymousOutcome, wait time.Duration) {
	if wait := takeToken(of.rate); wait > 0 {
		return anonymousAddressRate, wait
	}
	if wait := takeToken(a.total); wait > 0 {
		return anonymousTotalRate, wait
	}
	return anonymousAdmitted, 0
}

// takeToken takes a token, or tells how long it is until there is one.
func takeToken(l *rate.Limiter) (wait time.Duration) {
	r := l.Reserve()
	if wait = r.Delay(); wait > 0 {
		r.Cancel()
	}
	return wait
}

// delay holds a refusal back.
func (a *anonymous) delay(ctx context.Context) {
	select {
	case a.delayed <- struct{}{}:
		_ = clock.Sleep(ctx, refusalDelay) // or until the caller hangs up
		<-a.delayed
	default:
	}
}

// admit takes a request without a valid key, once: an exchange that was admitted, or whose agent was, stays so.
func (g *gateway) admit(e *exchange) error {
	if from, ok := e.ctx.Value(agentKey{}).(*agent); e.leave != nil || ok && from.anonymous {
		return nil
	}
	leave, err := g.anonymous.enter(e.address())
	if err != nil {
		g.anonymous.delay(e.ctx)
		if e.c.Request.ContentLength != 0 {
			e.c.Header("Connection", "close") // its body is not worth reading
		}
		return err
	}
	e.leave = leave
	return nil
}

// release ends what admit began, also when the key turns out to be valid.
func (e *exchange) release() {
	if e.leave != nil {
		e.leave()
		e.leave = nil
	}
}

// bound ends the connection of a client that sends its body or reads the reply slowly.
func (e *exchange) bound() {
	conn, end := http.NewResponseController(e.c.Writer), time.Now().Add(anonymousTime)
	_ = conn.SetWriteDeadline(end) // the request of a tool call has no connection of its own
	if e.c.Request.ContentLength != 0 {
		_ = conn.SetReadDeadline(end)
	}
}

// admitStranger admits a request to what is open to all, unless its key is valid.
func (g *gateway) admitStranger(e *exchange) (anonymous bool, err error) {
	caller, outcome, err := g.identify(e)
	switch {
	case caller != nil:
		return false, nil
	case outcome == authLimited:
		return true, err
	}
	if err := g.admit(e); err != nil {
		return true, err
	}
	e.bound()
	return true, nil
}
