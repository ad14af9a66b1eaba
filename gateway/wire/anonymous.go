package wire

import (
	"context"
	"net/http"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/maypok86/otter/v2"
	"golang.org/x/time/rate"

	"assay.dev/contracts"
	"assay.dev/gateway/ratelimit"
	"assay.dev/platform/clock"
)

// What anonymous requests may have, besides the rates of [Options].
const (
	// maxAddresses bounds the addresses that are remembered.
	maxAddresses = 1 << 16
	// maxAnonymous bounds the requests that are answered at once, of all addresses and of one.
	maxAnonymous        = 64
	maxAnonymousAddress = 8
	// maxAnonymousBody bounds the body of a request, in bytes. No open method needs more than a tenth of it.
	maxAnonymousBody = 16 << 10
	// anonymousTime bounds a request as a whole: to send its body, to be answered and to read the reply.
	anonymousTime = 5 * time.Second
	// refusalDelay is how long the 429 of a request above the limits is held back, and maxDelayed how many are at
	// once.
	refusalDelay = time.Second
	maxDelayed   = 4096
)

// anonymousBound limits what is answered without a valid key: open routes, the open methods of the tool servers, and
// the 401 and 403 answers of all routes. The limits are the same ones for all routes together, so that keys cannot be
// guessed, look-ups not be forced, and callers with a key do not feel the others.
//
// A request above the limits gets its 429 after refusalDelay: a client that asks again at once, over 64 connections,
// is then refused 64 times a second instead of 20,000 times. A connection that waits costs as much as an idle one.
type anonymousBound struct {
	ofAddress rate.Limit
	burst     int
	addresses *otter.Cache[netip.Addr, *addressUse]
	total     *rate.Limiter
	active    chan struct{}
	delayed   chan struct{}
	count     func(anonymousOutcome)
}

// addressUse is what one client address has used.
type addressUse struct {
	rate   *rate.Limiter
	active atomic.Int32
}

// newAnonymousBound allows one address a number of requests a minute, and all together a number of them a second.
func newAnonymousBound(addressPerMinute, totalPerSecond int, count func(anonymousOutcome)) (*anonymousBound, error) {
	addresses, err := otter.New(&otter.Options[netip.Addr, *addressUse]{
		MaximumSize: maxAddresses, ExpiryCalculator: otter.ExpiryAccessing[netip.Addr, *addressUse](2 * time.Minute),
	})
	if err != nil {
		return nil, err
	}
	return &anonymousBound{
		ofAddress: rate.Limit(float64(addressPerMinute) / time.Minute.Seconds()), burst: addressPerMinute,
		addresses: addresses,
		total:     rate.NewLimiter(rate.Limit(totalPerSecond), totalPerSecond),
		active:    make(chan struct{}, maxAnonymous), delayed: make(chan struct{}, maxDelayed), count: count,
	}, nil
}

func (a *anonymousBound) close() { a.addresses.StopAllGoroutines() }

// enter takes one request of the address. The caller calls leave when it is answered. A request above the limits is
// RATE_LIMITED.
func (a *anonymousBound) enter(from netip.Addr) (leave func(), err error) {
	of, _ := a.addresses.GetIfPresent(from)
	if of == nil {
		of, _ = a.addresses.SetIfAbsent(from, &addressUse{rate: rate.NewLimiter(a.ofAddress, a.burst)})
	}
	outcome, wait := a.takePlace(of)
	a.count(outcome)
	if outcome != anonymousAdmitted {
		return nil, contracts.Errorf(contracts.RateLimited,
			"%s; send a valid API key, or retry when Retry-After has passed", excess[outcome]).After(wait)
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

// takePlace checks the limits of the address before those of all, so that one address cannot use up what all have.
func (a *anonymousBound) takePlace(of *addressUse) (outcome anonymousOutcome, wait time.Duration) {
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

func (a *anonymousBound) takeRates(of *addressUse) (outcome anonymousOutcome, wait time.Duration) {
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

// holdBack delays a refusal.
func (a *anonymousBound) holdBack(ctx context.Context) {
	select {
	case a.delayed <- struct{}{}:
		defer func() { <-a.delayed }()
		_ = clock.Sleep(ctx, refusalDelay) // or until the caller hangs up
	default:
	}
}

// admitAnonymous takes a request without a valid key, once: an exchange that was admitted, or whose agent was, stays
// so.
func (s *Server) admitAnonymous(x *exchange) error {
	if sender, ok := x.ctx.Value(agentKey{}).(*agent); x.leave != nil || ok && sender.isAnonymous {
		return nil
	}
	leave, err := s.anonymous.enter(x.address())
	if err != nil {
		s.anonymous.holdBack(x.ctx)
		if x.c.Request.ContentLength != 0 {
			x.c.Header("Connection", "close") // its body is not worth reading
		}
		return err
	}
	x.leave = leave
	return nil
}

// leaveAnonymous ends what admitAnonymous began, also when the key turns out to be valid.
func (x *exchange) leaveAnonymous() {
	if x.leave != nil {
		x.leave()
		x.leave = nil
	}
}

// boundConnection ends the connection of a client that sends its body or reads the reply slowly.
func (x *exchange) boundConnection() {
	conn, end := http.NewResponseController(x.c.Writer), time.Now().Add(anonymousTime)
	_ = conn.SetWriteDeadline(end) // the request of a tool call has no connection of its own
	if x.c.Request.ContentLength != 0 {
		_ = conn.SetReadDeadline(end)
	}
}

// visitorLimit is how many requests a minute a tenant has to what is open to all, besides as many as its key permits:
// each of those may come as a message to a tool server.
const visitorLimit = 600

// limitVisitor counts a request with a valid key to what is open to all.
func (s *Server) limitVisitor(x *exchange) error {
	name := "pages of " + x.visitor.Tenant // no tenant is called so
	d := s.Limiter.Take(x.ctx, ratelimit.Tenant{Environment: x.visitor.Environment, Name: name}, visitorLimit+x.visitor.Limit)
	if !d.Allowed {
		return contracts.Errorf(contracts.RateLimited, "at most %d pages and messages a minute are allowed; retry when "+
			"Retry-After has passed", d.Limit).After(d.Reset)
	}
	return nil
}

// admitStranger admits a request to what is open to all. A request with a valid key is not anonymous.
func (s *Server) admitStranger(x *exchange) (isAnonymous bool, err error) {
	caller, outcome, err := s.identify(x)
	switch {
	case caller != nil:
		x.visitor = caller
		return false, s.limitVisitor(x)
	case outcome == authLimited:
		return true, err
	}
	if err := s.admitAnonymous(x); err != nil {
		return true, err
	}
	x.boundConnection()
	return true, nil
}
