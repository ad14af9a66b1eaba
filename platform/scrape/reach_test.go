package scrape

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// Where no connection to a site can be opened, its paths fail at once and say so: one request learns it, and those within a moment
// neither ask again nor wait for their turn at the host. Then it is asked again.
func TestNoWayToASite(t *testing.T) {
	f, err := NewFetcher(Config{Egress: Egress{NoProxy: "*"}, HostRate: 1.0 / 3600}, Deps{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var lookups atomic.Int64
	f.resolver = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		lookups.Add(1)
		return nil, errors.New("no way out")
	}}
	f.direct = newTransport(nil, &net.Dialer{ControlContext: guardDial, Resolver: f.resolver})
	var failures []error
	fetch := func() {
		_, err := f.Fetch(t.Context(), Request{URL: "https://carrier.example.com/fuel"})
		failures = append(failures, err)
	}
	fetch()
	learnt := lookups.Load()
	fetch()
	failures = append(failures, f.Session().Reach(t.Context(), "https://Carrier.example.com./other"))
	if KindOf(failures[0]) != Unreachable || KindOf(failures[1]) != Refused || KindOf(failures[2]) != Refused || lookups.Load() != learnt || learnt == 0 {
		t.Errorf("%v; %d lookups, then %d", failures, learnt, lookups.Load())
	}
	if why := whyUnread(append(failures, Failf(Unavailable, "no rendering service"))); !strings.Contains(why, "no connection to its site") {
		t.Errorf("callers hear %q", why)
	}
	if why := whyUnread(append(failures, Failf(Changed, "another page"))); why != "" {
		t.Errorf("of a site that was reached callers hear %q", why)
	}
	f.outages.hosts["carrier.example.com"] = outage{time.Now(), failures[0]}
	if err := f.Session().Reach(t.Context(), "https://carrier.example.com/"); KindOf(err) != Unreachable || lookups.Load() == learnt {
		t.Errorf("later: %v", err)
	}
}

// Where nothing answers, not even the name server, a few sites tell that for all: each is given up early, and then none is asked. One
// that answers ends that.
func TestNothingAnswers(t *testing.T) {
	f, err := NewFetcher(Config{Egress: Egress{NoProxy: "*"}}, Deps{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	f.resolver = &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	f.direct.DialContext = f.outages.dial(&net.Dialer{Resolver: f.resolver})
	if _, err := f.Fetch(t.Context(), Request{URL: "https://one.example.com/"}); KindOf(err) != Unreachable || !errors.Is(err, errSilent) {
		t.Errorf("the first: %v", err)
	}
	if err := f.Session().Reach(t.Context(), "https://two.example.com/"); KindOf(err) != Unreachable || !errors.Is(err, errSilent) {
		t.Errorf("the second: %v", err)
	}
	if _, err := f.Fetch(t.Context(), Request{URL: "https://three.example.com/"}); KindOf(err) != Refused || !errors.Is(err, errSilent) {
		t.Errorf("the third: %v", err)
	}
	f.outages.opened = time.Now()
	if err := f.outages.of("three.example.com"); err != nil {
		t.Errorf("after another site has answered: %v", err)
	}
}

// What our own guard stops is no outage of the host.
func TestAGuardedAddressIsNoOutage(t *testing.T) {
	f, err := NewFetcher(Config{Egress: Egress{NoProxy: "*"}}, Deps{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	f.resolver = resolverOf(t, [4]byte{127, 0, 0, 1})
	f.direct = newTransport(nil, &net.Dialer{ControlContext: guardDial, Resolver: f.resolver})
	for range 2 {
		if _, err := f.Fetch(t.Context(), Request{URL: "http://rebind.example.com/"}); !strings.Contains(err.Error(), "127.0.0.1") || len(f.outages.hosts) > 0 {
			t.Errorf("%v %v", err, f.outages.hosts)
		}
	}
	if err := f.Session().Reach(t.Context(), "http://rebind.example.com/"); err != nil {
		t.Error(err)
	}
}
