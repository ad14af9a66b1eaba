package scrape

import (
	"context"
	"errors"
	"net"
	"net/url"
	"slices"
	"sync"
	"time"
)

// outageTime is for how long a host is not asked again after no connection to it could be opened. It is less than the
// time after which callers are told to ask again.
const outageTime = 10 * time.Second

// A connection is waited for no longer than patience while none was opened to any site of late: without a way out, such
// as where the name server is silent, each path would take its whole time.
const (
	patience = 1500 * time.Millisecond
	ofLate   = time.Minute
	// fewSilent is how many sites are silent before the others are not asked either.
	fewSilent = 2
)

var errSilent = errors.New("no answer, and no connection to any site of late")

// outages remembers the hosts to which no connection could be opened a moment ago, so that the further paths to them,
// and those who ask for the same, need not wait to learn it again.
type outages struct {
	mu     sync.Mutex
	hosts  map[string]outage
	opened time.Time // the last connection
}

type outage struct {
	ends time.Time
	err  error
}

// noteHost remembers err, if it says that no connection could be opened.
func (o *outages) noteHost(host string, err error) {
	if !isNoConnection(err) {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.hosts == nil {
		o.hosts = map[string]outage{}
	}
	o.hosts[host] = outage{time.Now().Add(outageTime), err}
}

// of is why a host cannot be reached. The failure is of kind refused: nothing was asked, so nothing counts against a
// path.
func (o *outages) of(host string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	silent, now := 0, time.Now()
	for other, past := range o.hosts {
		if now.After(past.ends) {
			delete(o.hosts, other)
			continue
		}
		if errors.Is(past.err, errSilent) {
			silent++
		}
		if other == host || silent >= fewSilent && now.Sub(o.opened) > ofLate {
			return Failf(Refused, "no connection a moment ago: %w", past.err)
		}
	}
	return nil
}

// open opens a connection, or does a part of that. It fails with errSilent when that takes too long while nothing was
// opened of late.
func (o *outages) open(ctx context.Context, try func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer time.AfterFunc(patience, func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		if time.Since(o.opened) > ofLate {
			cancel(errSilent)
		}
	}).Stop()
	err := try(ctx)
	if err != nil && errors.Is(context.Cause(ctx), errSilent) {
		return &net.OpError{Op: "dial", Net: "tcp", Err: errSilent}
	}
	return err
}

// dial is a dialer's DialContext, watched for outages.
func (o *outages) dial(of *net.Dialer) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (conn net.Conn, err error) {
		err = o.open(ctx, func(ctx context.Context) (err error) {
			conn, err = of.DialContext(ctx, network, address)
			return err
		})
		if err == nil {
			o.mu.Lock()
			o.opened = time.Now()
			o.mu.Unlock()
		}
		return conn, err
	}
}

// isNoConnection tells an error that says that no connection could be opened, be it for want of the host's address.
// That our own guard allowed none does not say so.
func isNoConnection(err error) bool {
	var op *net.OpError
	var guarded *Failure
	return errors.As(err, &op) && op.Op == "dial" && !errors.As(op.Err, &guarded)
}

// Reach fails where it is known without a connection that none to a URL's host can be opened: the last one could not be
// opened a moment ago, or the name has no address. What is dear to start, such as a browser, asks first. A proxy finds
// addresses for itself.
func (s *Session) Reach(ctx context.Context, address string) error {
	f := s.fetcher
	u, err := url.Parse(address)
	if f.replay != nil || err != nil {
		return nil // a request says it better
	}
	if proxy, err := f.proxyFor(u); proxy != nil || err != nil {
		return nil
	}
	host := canonicalHost(u.Hostname())
	if err := f.outages.of(host); err != nil {
		return err
	}
	err = f.outages.open(ctx, func(ctx context.Context) error {
		if _, err := f.resolver.LookupIPAddr(ctx, host); err != nil {
			return &net.OpError{Op: "dial", Net: "tcp", Err: err}
		}
		return nil
	})
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	failure := Failf(Unreachable, "%s: %w", u.Host, err)
	f.outages.noteHost(host, failure)
	return failure
}

// whyUnread is what callers may know of failures of all paths, such as ": no connection to its site can be opened from
// here".
func whyUnread(failures []error) string {
	if slices.ContainsFunc(failures, isNoConnection) && !slices.ContainsFunc(failures, func(err error) bool {
		return !isNoConnection(err) && KindOf(err) != Unavailable
	}) {
		return ": no connection to its site can be opened from here"
	}
	return ""
}
