package main

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"assay.dev/contracts"
)

// `make rolling` sets both for a long run.
var (
	loadRate     = flag.Int("rate", 200, "requests a second while services are replaced")
	loadRequests = flag.Int64("requests", 3000, "how many requests each part of the test sends at least")
)

// load is clients who ask through whichever gateway accepts them, at a steady rate, whatever becomes of their
// requests: for one carrier, which is cached; one in twenty for a license that nobody asked for; one in five hundred
// for one that costs a CAPTCHA.
type load struct {
	fleet    *fleet
	gateways atomic.Pointer[[]*process]
	licenses map[contracts.State][]string
	turn     atomic.Int64
}

var quickStates = []contracts.State{contracts.CA, contracts.NY, contracts.FL}

func newLoad(t *testing.T, f *fleet, gateways ...*process) *load {
	t.Helper()
	l := &load{fleet: f, licenses: map[contracts.State][]string{}}
	l.gateways.Store(&gateways)
	for _, s := range append(quickStates, contracts.TX) {
		l.licenses[s] = f.licenses(t, string(s), 2500)
	}
	if err := l.ask(1); err != nil {
		t.Fatal(err)
	}
	return l
}

// Shares of the load: one request in slowEvery is for a slow source, of the rest one in coldEvery for a quick one.
const (
	slowEvery = 500
	coldEvery = 20
)

// ask makes the nth request.
func (l *load) ask(n int64) error {
	path := "/v1/ltl/fuel-surcharge?carriers=ODFL"
	switch {
	case n%slowEvery == 0:
		path = l.license(contracts.TX, n/slowEvery)
	case n%coldEvery == 0:
		path = l.license(quickStates[n/coldEvery%3], n/coldEvery/3)
	}
	return askEither(*l.gateways.Load(), n, path, l.fleet.key)
}

func (l *load) license(s contracts.State, i int64) string {
	all := l.licenses[s]
	return fmt.Sprintf("/v1/abc/license/%s?state=%s", all[int(i)%len(all)], s)
}

// during sends load while f runs, and longer until enough was sent. Each request that fails, fails the test.
func (l *load) during(t *testing.T, f func()) {
	t.Helper()
	var hits, cold latencies
	var sent int64
	var sender sync.WaitGroup
	stop := make(chan struct{})
	sender.Go(func() { sent = l.send(t, &hits, &cold, stop) })
	defer func() { // also when f gives up
		close(stop)
		sender.Wait()
		t.Logf("%d requests at %d/s; cached answers: %s; cold ones: %s", sent, *loadRate, &hits, &cold)
	}()
	f()
}

// send returns when stop is closed and enough was sent, and everything is answered.
func (l *load) send(t *testing.T, hits, cold *latencies, stop <-chan struct{}) (sent int64) {
	var requests sync.WaitGroup
	defer requests.Wait()
	tick := time.NewTicker(time.Second / time.Duration(*loadRate))
	defer tick.Stop()
	for ; ; sent++ {
		select {
		case <-stop:
			if sent >= *loadRequests {
				return sent
			}
		default:
		}
		<-tick.C
		n := l.turn.Add(1)
		requests.Go(func() {
			began := time.Now()
			err := l.ask(n)
			switch took := time.Since(began); {
			case err != nil:
				t.Errorf("request %d, after %s: %v", n, took, err)
			case n%coldEvery != 0:
				hits.add(took)
			case n%slowEvery != 0:
				cold.add(took)
			}
		})
	}
}

type latencies struct {
	mu    sync.Mutex
	taken []time.Duration
}

func (l *latencies) add(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.taken = append(l.taken, d)
}

func (l *latencies) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	slices.Sort(l.taken)
	var said []string
	for _, q := range []float64{0.5, 0.99, 0.999, 1} {
		if i := int(q*float64(len(l.taken))) - 1; i >= 0 {
			said = append(said, fmt.Sprintf("p%v %s", 100*q, l.taken[i].Round(10*time.Microsecond)))
		}
	}
	return strings.Join(said, ", ")
}
