package scrape

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// Where no connection to a site can be opened, its paths fail at once and say so: one request learns it, and those
// within a moment neither ask again nor wait for their turn at the host. Then it is asked again.
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
	kinds := []Kind{KindOf(failures[0]), KindOf(failures[1]), KindOf(failures[2])}
	if !slices.Equal(kinds, []Kind{Unreachable, Refused, Refused}) || lookups.Load() != learnt || learnt == 0 {
		t.Errorf("%v; %d lookups, then %d", failures, learnt, lookups.Load())
	}
	why := whyUnread(append(failures, Failf(Unavailable, "no rendering service")))
	if !strings.Contains(why, "no connection to its site") {
		t.Errorf("callers hear %q", why)
	}
	if why := whyUnread(append(failures, Failf(Changed, "another page"))); why != "" {
		t.Errorf("of a site that was reached callers hear %q", why)
	}
	source := NewSource("S", Deps{}, Path[string, string]{Name: "page", Timeout: time.Second, Read: func(ctx context.Context, _ string) (Reading[string], error) {
		_, err := f.Fetch(ctx, Request{URL: "https://carrier.example.com/fuel"})
		return Reading[string]{}, err
	}})
	_, err = source.Read(t.Context(), "")
	if h := source.Health(); err == nil || h.FailingSince == nil || h.Breaker != "closed" {
		t.Errorf("a source whose site was not even asked: %v, %+v", err, h)
	}
	f.outages.hosts["carrier.example.com"] = outage{time.Now(), failures[0]}
	err = f.Session().Reach(t.Context(), "https://carrier.example.com/")
	if KindOf(err) != Unreachable || lookups.Load() == learnt {
		t.Errorf("later: %v", err)
	}
}

// Where nothing answers, not even the name server, a few sites tell that for all: each is given up early, and then none
// is asked. One that answers ends that.
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
	_, first := f.Fetch(t.Context(), Request{URL: "https://one.example.com/"})
	second := f.Session().Reach(t.Context(), "https://two.example.com/")
	_, third := f.Fetch(t.Context(), Request{URL: "https://three.example.com/"})
	for i, err := range []error{first, second, third} {
		if want := []Kind{Unreachable, Unreachable, Refused}[i]; KindOf(err) != want || !errors.Is(err, errSilent) {
			t.Errorf("site %d: %v, want %s", i+1, err, want)
		}
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
		_, err := f.Fetch(t.Context(), Request{URL: "http://rebind.example.com/"})
		if !strings.Contains(err.Error(), "127.0.0.1") || len(f.outages.hosts) > 0 {
			t.Errorf("%v %v", err, f.outages.hosts)
		}
	}
	if err := f.Session().Reach(t.Context(), "http://rebind.example.com/"); err != nil {
		t.Error(err)
	}
}
