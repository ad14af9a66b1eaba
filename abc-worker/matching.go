package abcworker

import (
	"context"
	"slices"
	"time"

	"assay.dev/abc-worker/match"
	"assay.dev/abc-worker/mirror"
	"assay.dev/abc-worker/register"
	"assay.dev/contracts"
	"assay.dev/platform/bus"
)

// matches finds the licenses of customers in the copy of a state's register. No source is read for a customer.
func (w *worker) matches(s *source) bus.Endpoint {
	return bus.Handle("match-"+string(s.state), contracts.MatchSubject(w.Environment, s.state),
		func(ctx context.Context, r contracts.MatchRequest) (contracts.MatchAnswer, error) {
			if r.State != s.state {
				return contracts.MatchAnswer{}, s.wrongState(r.State)
			}
			c, err := s.recipe.Bulk.Copy(ctx)
			if err != nil {
				return contracts.MatchAnswer{}, contracts.Wrap(err, contracts.SourceUnavailable,
					"there is no copy of the register of %s just now; retry later", s.state).After(fullRetry)
			}
			started := time.Now()
			a := contracts.MatchAnswer{Edition: editionOf(s.state, s.recipe, c), Matches: match.All(c, s.state, r.Customers)}
			s.log.InfoContext(ctx, "matched customers", "state", s.state, "customers", len(r.Customers), "dur_ms", time.Since(started).Milliseconds())
			return a, nil
		})
}

func editionOf(state contracts.State, recipe register.Recipe, c *mirror.Copy) contracts.RegisterEdition {
	e := contracts.RegisterEdition{State: state, ReadAt: c.ReadAt.UTC().Truncate(time.Second), Licenses: c.Len(), Evidence: []contracts.Evidence{}}
	if at := c.PublishedAt(); !at.IsZero() {
		at = at.UTC()
		e.PublishedAt = &at
	}
	for _, f := range c.Files {
		if f.Evidence != nil {
			e.Evidence = append(e.Evidence, *f.Evidence)
		}
	}
	paths := slices.Concat(recipe.Search, recipe.Lookup)
	if i := slices.IndexFunc(paths, func(p register.Path) bool { return p.Name == register.Mirror }); i >= 0 {
		e.Misses = paths[i].Misses
	}
	return e
}
