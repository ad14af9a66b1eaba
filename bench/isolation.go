package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"sync"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/clock"
	"assay.dev/sandbox/license"
)

const (
	// solving is how many Texas lookups are sent at the same time.
	solving = 40
	// isolationRounds bounds the rounds, because each takes as long as the solves.
	isolationRounds = 3
	// turnsAlone is how many licenses of each state are read in a run without Texas.
	turnsAlone = 100
	// turnPause lies between two turns. Without it a state would run out of licenses before the last of Texas is solved.
	turnPause = 30 * time.Millisecond
)

// neighbours are the states that the solves must not slow down, in the order in which they are read, with the method
// of the first path of each.
var neighbours = []struct {
	state  contracts.State
	method contracts.Method
}{{contracts.CA, contracts.StructuredParse}, {contracts.NY, contracts.APIMirror},
	{contracts.FL, contracts.StructuredParse}}

// measureIsolation measures how long reads of California, New York and Florida take while 40 Texas lookups wait for
// CAPTCHAs, and how long they take before and after. It asks for no license twice, except for those of Texas: their
// second answer comes from the cache, and its time is a figure too.
func measureIsolation(ctx context.Context, o options) ([]figure, error) {
	s, err := startSubject(ctx, o.binary)
	if err != nil {
		return nil, err
	}
	defer func() { _ = s.stop() }()
	l, err := newLookups(ctx, s)
	if err != nil {
		return nil, err
	}
	if _, err := l.alone(ctx); err != nil { // warms the connections
		return nil, err
	}
	var rounds []round
	for range min(o.rounds, isolationRounds) {
		r, err := l.round(ctx)
		if err != nil {
			return nil, err
		}
		rounds = append(rounds, r)
	}
	return isolated(rounds), nil
}

func isolated(rounds []round) (figures []figure) {
	var solves, again []float64
	for _, r := range rounds {
		solves, again = append(solves, r.solves), append(again, r.again...)
	}
	fmt.Printf("isolation %d Texas lookups at once took %.1f s\n", solving, solves)
	for _, n := range neighbours {
		var idle, beside, ratios []float64
		for _, r := range rounds {
			a, b := median(r.idle[n.state]), median(r.beside[n.state])
			idle, beside, ratios = append(idle, a), append(beside, b), append(ratios, b/a)
		}
		fmt.Printf("isolation %s alone %.2f ms, beside Texas %.2f ms\n", n.state, idle, beside)
		figures = append(figures, figure{
			name: fmt.Sprintf("%s read, beside %d of Texas ÷ alone", n.state, solving), value: median(ratios), unit: "×",
			target: 1.2,
			detail: fmt.Sprintf("medians of %.2f ms ÷ %.2f ms, cold, each license once", median(beside), median(idle)),
		})
	}
	return append(figures, figure{
		name: "Texas, again", value: median(again), unit: "ms", target: 5,
		detail: fmt.Sprintf("from the cache; %d at once took %.1f s without it", solving, median(solves)),
	})
}

// timesOf holds the times of each state's lookups, in milliseconds.
type timesOf map[contracts.State][]float64

func (t timesOf) add(s contracts.State, ms float64) { t[s] = append(t[s], ms) }

// lookups asks for licenses that were not asked for before.
type lookups struct {
	*subject
	key   string
	fresh map[contracts.State][]string
}

func newLookups(ctx context.Context, s *subject) (*lookups, error) {
	key, err := s.unlimitedKey(ctx)
	l := &lookups{subject: s, key: key, fresh: map[contracts.State][]string{}}
	register := license.New(contracts.DateOf(time.Now()), license.Small())
	for _, state := range contracts.States {
		l.fresh[state] = slices.Sorted(maps.Keys(register.Golden(state, license.Primary)))
	}
	return l, err
}

// takeFresh returns n licenses that were not asked for before.
func (l *lookups) takeFresh(state contracts.State, n int) ([]string, error) {
	all := l.fresh[state]
	if len(all) < n {
		return nil, fmt.Errorf("all licenses of %s have been asked for: want fewer rounds", state)
	}
	l.fresh[state] = all[n:]
	return all[:n], nil
}

// lookUp returns the time of one lookup in milliseconds. It fails when the license was not read by method.
func (l *lookups) lookUp(
	ctx context.Context, state contracts.State, number string, method contracts.Method,
) (float64, error) {
	began := time.Now()
	body, err := l.ask(ctx, l.key, "/v1/abc/license/"+url.PathEscape(number)+"?state="+string(state))
	took := milliseconds(began)
	var answer contracts.License
	if err == nil {
		err = json.Unmarshal(body, &answer)
	}
	if by := answer.Verifiability.ExtractionMethod; err == nil && by != method {
		err = fmt.Errorf("%s %s was read by %s", state, number, by)
	}
	return took, err
}

// turn looks up one license of each neighbour, adds their times to times, and pauses.
func (l *lookups) turn(ctx context.Context, times timesOf) error {
	for _, n := range neighbours {
		numbers, err := l.takeFresh(n.state, 1)
		if err != nil {
			return err
		}
		ms, err := l.lookUp(ctx, n.state, numbers[0], n.method)
		if err != nil {
			return err
		}
		times.add(n.state, ms)
	}
	return clock.Sleep(ctx, turnPause)
}

func (l *lookups) alone(ctx context.Context) (timesOf, error) {
	times := timesOf{}
	for range turnsAlone {
		if err := l.turn(ctx, times); err != nil {
			return nil, err
		}
	}
	return times, nil
}

// round holds the times of one run beside Texas, and those of the two runs before and after it.
type round struct {
	idle, beside timesOf
	solves       float64 // seconds until the last lookup of Texas was answered
	again        []float64
}

func (l *lookups) round(ctx context.Context) (r round, err error) {
	texans, err := l.takeFresh(contracts.TX, solving)
	if err != nil {
		return r, err
	}
	if r.idle, err = l.alone(ctx); err != nil {
		return r, err
	}
	if r.beside, r.solves, err = l.beside(ctx, texans); err != nil {
		return r, err
	}
	after, err := l.alone(ctx)
	for state, times := range after {
		r.idle[state] = append(r.idle[state], times...)
	}
	for _, number := range texans {
		ms, askErr := l.lookUp(ctx, contracts.TX, number, contracts.StructuredParse)
		r.again, err = append(r.again, ms), errors.Join(err, askErr)
	}
	return r, err
}

// beside reads the neighbours until all Texas lookups are answered, which takes some seconds.
func (l *lookups) beside(ctx context.Context, texans []string) (timesOf, float64, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	times, began, answered := timesOf{}, time.Now(), make(chan error, 1)
	go func() { answered <- l.atOnce(ctx, texans) }()
	for {
		select {
		case err := <-answered:
			return times, time.Since(began).Seconds(), err
		default:
		}
		if err := l.turn(ctx, times); err != nil {
			cancel()
			return nil, 0, errors.Join(err, <-answered)
		}
	}
}

func (l *lookups) atOnce(ctx context.Context, texans []string) error {
	errs := make([]error, len(texans))
	var asking sync.WaitGroup
	for i, number := range texans {
		asking.Go(func() { _, errs[i] = l.lookUp(ctx, contracts.TX, number, contracts.StructuredParse) })
	}
	asking.Wait()
	return errors.Join(errs...)
}
