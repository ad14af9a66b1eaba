package main

import (
	"flag"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"assay.dev/contracts"
)

// `make rolling` and `make faults` set both for a long run.
var (
	loadRate     = flag.Int("rate", 200, "requests a second while services are replaced")
	loadRequests = flag.Int64("requests", 2000, "how many requests each part of the test sends at least")
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
	path := cachedPath
	switch {
	case n%slowEvery == 0:
		path = l.license(contracts.TX, n/slowEvery)
	case n%coldEvery == 0:
		path = l.license(quickStates[n/coldEvery%3], n/coldEvery/3)
	}
	return askEither(*l.gateways.Load(), n, path, l.fleet.key)
}

// cachedPath is what most requests of the load ask for.
const cachedPath = "/v1/ltl/fuel-surcharge?carriers=ODFL"

func (l *load) license(s contracts.State, i int64) string {
	all := l.licenses[s]
	return fmt.Sprintf("/v1/abc/license/%s?state=%s", all[int(i)%len(all)], s)
}

// observe sends load while f runs, and longer until least requests were sent. It returns what became of them, also of those that
// were answered later.
func (l *load) observe(least int64, f func()) *tally {
	sent := &tally{}
	var sender sync.WaitGroup
	stop := make(chan struct{})
	sender.Go(func() { l.send(sent, least, stop) })
	func() {
		defer close(stop) // also when f ends the test
		f()
	}()
	sender.Wait()
	return sent
}

// send returns when stop is closed and enough was sent, and everything is answered.
func (l *load) send(sent *tally, least int64, stop <-chan struct{}) {
	var requests sync.WaitGroup
	defer requests.Wait()
	tick := time.NewTicker(time.Second / time.Duration(*loadRate))
	defer tick.Stop()
	for n := int64(0); ; n++ {
		select {
		case <-stop:
			if n >= least {
				return
			}
		default:
		}
		<-tick.C
		turn := l.turn.Add(1)
		requests.Go(func() {
			began := time.Now()
			err := l.ask(turn)
			sent.of(turn).add(reply{turn, began, time.Since(began), err})
		})
	}
}
