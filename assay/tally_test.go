package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// tally is what became of a load's requests, by what they asked for.
type tally struct{ hits, cold, slow replies }

// of are the replies to requests such as the nth.
func (s *tally) of(n int64) *replies {
	switch {
	case n%slowEvery == 0:
		return &s.slow
	case n%coldEvery == 0:
		return &s.cold
	}
	return &s.hits
}

func (s *tally) failed() (failed []reply) {
	for _, r := range []*replies{&s.hits, &s.cold, &s.slow} {
		failed = append(failed, r.failed()...)
	}
	return failed
}

func (s *tally) count() int { return s.hits.count() + s.cold.count() + s.slow.count() }

// reply is what became of one request.
type reply struct {
	number int64
	began  time.Time
	took   time.Duration
	err    error // nil after 200
}

func (r reply) String() string {
	return fmt.Sprintf("request %d, after %s: %v", r.number, r.took, r.err)
}

// status is 0 when nothing was answered.
func (r reply) status() int { return statusOf(r.err) }

func statusOf(err error) int {
	if err == nil {
		return http.StatusOK
	}
	if refused, ok := asRefusal(err); ok {
		return refused.status
	}
	return 0
}

func asRefusal(err error) (refused *refusal, ok bool) {
	ok = errors.As(err, &refused)
	return refused, ok
}

// refusal is an answer that is no 200.
type refusal struct {
	status     int
	path, body string
	header     http.Header
}

func (r *refusal) Error() string { return fmt.Sprintf("%s: %d %s", r.path, r.status, r.body) }

type replies struct {
	mu  sync.Mutex
	all []reply
}

func (r *replies) add(one reply) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, one)
}

func (r *replies) list() []reply {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.all)
}

func (r *replies) count() int { return len(r.list()) }

func (r *replies) failed() []reply {
	return slices.DeleteFunc(r.list(), func(r reply) bool { return r.err == nil })
}

// since are the replies to requests that were made at or after the moment, and before the end where there is one.
func (r *replies) since(moment, end time.Time) *replies {
	return &replies{all: slices.DeleteFunc(r.list(), func(r reply) bool {
		return r.began.Before(moment) || !end.IsZero() && !r.began.Before(end)
	})}
}

// slowest is the longest time that a reply with that status took.
func (r *replies) slowest(status int) (most time.Duration) {
	for _, one := range r.list() {
		if one.status() == status {
			most = max(most, one.took)
		}
	}
	return most
}

// firstAnswer is how long after the first request the first answer came.
func (r *replies) firstAnswer() time.Duration {
	all := r.list()
	began := slices.MinFunc(all, func(a, b reply) int { return a.began.Compare(b.began) }).began
	ended := slices.MinFunc(all, func(a, b reply) int { return a.began.Add(a.took).Compare(b.began.Add(b.took)) })
	return ended.began.Add(ended.took).Sub(began)
}

// above counts replies that took longer.
func (r *replies) above(d time.Duration) (n int) {
	for _, one := range r.list() {
		if one.took > d {
			n++
		}
	}
	return n
}

// quantile is of all replies, whatever their status.
func (r *replies) quantile(q float64) time.Duration {
	all := r.list()
	slices.SortFunc(all, func(a, b reply) int { return cmp.Compare(a.took, b.took) })
	if len(all) == 0 {
		return 0
	}
	return all[int(q*float64(len(all)-1))].took
}

// mostWithin is the largest number of replies whose requests were all made and answered within one window of that length.
func (r *replies) mostWithin(window time.Duration) (most int) {
	all := r.list()
	for _, from := range all {
		n := 0
		for _, one := range all {
			if !one.began.Before(from.began) && one.began.Add(one.took).Before(from.began.Add(window)) {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

// statuses counts replies by status; 0 are those that were not answered.
func (r *replies) statuses() map[int]int {
	counts := map[int]int{}
	for _, one := range r.list() {
		counts[one.status()]++
	}
	return counts
}

// String says how many answers of each status there were, and how long each status took.
func (r *replies) String() string {
	var said []string
	counts := r.statuses()
	for _, status := range slices.Sorted(maps.Keys(counts)) {
		said = append(said, fmt.Sprintf("%d × %s (%s)", counts[status], statusName(status), r.quantiles(status)))
	}
	if said == nil {
		return "none"
	}
	return strings.Join(said, ", ")
}

func statusName(status int) string {
	if status == 0 {
		return "no answer"
	}
	return fmt.Sprint(status)
}

func (r *replies) quantiles(status int) string {
	var taken []time.Duration
	for _, one := range r.list() {
		if one.status() == status {
			taken = append(taken, one.took)
		}
	}
	slices.Sort(taken)
	var said []string
	for _, q := range []float64{0.5, 0.99, 1} {
		if i := int(q*float64(len(taken))) - 1; i >= 0 {
			said = append(said, fmt.Sprintf("p%v %s", 100*q, milliseconds(taken[i])))
		}
	}
	return strings.Join(said, ", ")
}

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
}
