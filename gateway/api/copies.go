package api

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"assay.dev/contracts"
	"assay.dev/gateway/answers"
	"assay.dev/platform/telemetry"
)

// copyQuestion asks the copies of registers about many things. of are the things of each state, by their places; a
// request asks about as many as most. ask makes a request, and take takes its answer, each about a chunk of them. miss
// is told of each that is not answered.
type copyQuestion[A any] struct {
	span string
	most int
	of   map[contracts.State][]int
	ask  func(contracts.State, []int) (contracts.Subject, any)
	take func(A, []int) (contracts.RegisterEdition, error)
	miss func(contracts.State, int)
}

// asksAtOnce is how many requests to workers a question makes at once.
const asksAtOnce = 4

var errNoCopy = contracts.Errorf(contracts.SourceUnavailable, "there is no copy of the register just now; retry later")

// askCopies asks the workers of the states and names the editions that answered. A state that failed is not asked
// again. The error is for a question that no state answers.
func askCopies[A any](ctx context.Context, a *API,
	q copyQuestion[A]) (editions []contracts.RegisterEdition, failure error) {
	ctx, span := telemetry.StartSpan(ctx, "assay.dev/gateway/api", q.span)
	defer span.End()
	ctx, cancel := context.WithTimeout(ctx, SlowMaxTime)
	defer cancel()
	var mu sync.Mutex
	var asking errgroup.Group
	asking.SetLimit(asksAtOnce)
	for _, state := range contracts.States {
		failed := new(atomic.Bool)
		for chunk := range slices.Chunk(q.of[state], q.most) {
			asking.Go(func() error {
				var edition contracts.RegisterEdition
				var err error = errNoCopy
				if !failed.Load() {
					var answer A
					to, request := q.ask(state, chunk)
					if answer, err = answers.Ask[A](ctx, a.Answers, to, request, FastMaxTime); err == nil {
						edition, err = q.take(answer, chunk)
					}
				}
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					failed.Store(true)
					failure = cmp.Or(failure, err)
					for _, i := range chunk {
						q.miss(state, i)
					}
				} else {
					editions = addEditions(editions, edition)
				}
				return nil // what fails is noted with its things
			})
		}
	}
	_ = asking.Wait()
	if len(editions) > 0 {
		failure = nil
	}
	return editions, failure
}

// addEditions adds copies to those that were looked in, each once, in the order of the states.
func addEditions(all []contracts.RegisterEdition, more ...contracts.RegisterEdition) []contracts.RegisterEdition {
	for _, e := range more {
		if !slices.ContainsFunc(all,
			func(o contracts.RegisterEdition) bool { return o.State == e.State && o.ReadAt.Equal(e.ReadAt) }) {
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, func(x, y contracts.RegisterEdition) int {
		return slices.Index(contracts.States, x.State) - slices.Index(contracts.States, y.State)
	})
	return all
}
