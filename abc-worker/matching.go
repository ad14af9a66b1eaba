package abcworker

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"assay.dev/abc-worker/match"
	"assay.dev/abc-worker/mirror"
	"assay.dev/abc-worker/register"
	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/cache"
)

// matches finds the licenses of customers in the copy of a state's register. No source is read for a customer.
func (w *worker) matches(s *source) bus.Endpoint {
	return bus.Handle("match-"+string(s.state), contracts.MatchSubject(w.Environment, s.state),
		func(ctx context.Context, r contracts.MatchRequest) (contracts.MatchAnswer, error) {
			if r.State != s.state {
				return contracts.MatchAnswer{}, s.wrongState(r.State)
			}
			c, err := s.copy(ctx)
			if err != nil {
				return contracts.MatchAnswer{}, err
			}
			started := time.Now()
			found, err := matched(ctx, c, s.state, r.Customers)
			if err != nil {
				return contracts.MatchAnswer{}, err
			}
			a := contracts.MatchAnswer{Edition: editionOf(s.state, s.recipe, c), Matches: found}
			s.log.InfoContext(ctx, "matched customers", "state", s.state, "customers", len(r.Customers), "dur_ms",
				time.Since(started).Milliseconds())
			return a, nil
		})
}

// matchings bounds how many are worked out at once in a process: lookups need processors, too.
var matchings = make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2))

func matched(ctx context.Context, c *mirror.Copy, state contracts.State, customers []contracts.Customer) (
	[]contracts.Match, error) {
	select {
	case matchings <- struct{}{}:
		defer func() { <-matchings }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return match.All(ctx, c, state, customers)
}

func (s *source) copy(ctx context.Context) (*mirror.Copy, error) {
	c, err := s.recipe.Bulk.Copy(ctx)
	if err != nil {
		return nil, contracts.Wrap(err, contracts.SourceUnavailable,
			"there is no copy of the register of %s just now; retry later", s.state).After(fullRetry)
	}
	return c, nil
}

func editionOf(state contracts.State, recipe register.Recipe, c *mirror.Copy) contracts.RegisterEdition {
	e := contracts.RegisterEdition{State: state, ReadAt: c.ReadAt.UTC().Truncate(time.Second), Licenses: c.Len(),
		Evidence: []contracts.Evidence{}}
	if at := c.PublishedAt(); !at.IsZero() {
		at = at.UTC()
		e.PublishedAt = &at
	}
	for _, f := range c.Files {
		if f.Kept != nil {
			e.Evidence = append(e.Evidence, *f.Kept)
		}
	}
	paths := slices.Concat(recipe.Search, recipe.Lookup)
	if i := slices.IndexFunc(paths, func(p register.Path) bool { return p.Name == register.Mirror }); i >= 0 {
		e.Misses = paths[i].Misses
	}
	return e
}

// looksAtOnce is how many stored lookups are looked for at once.
const looksAtOnce = 16

// members tells what the copy of a state's register knows of licenses. No source is read for them.
func (w *worker) members(s *source) bus.Endpoint {
	return bus.Handle("members-"+string(s.state), contracts.MembersSubject(w.Environment, s.state),
		func(ctx context.Context, r contracts.MembersRequest) (contracts.MembersAnswer, error) {
			if r.State != s.state {
				return contracts.MembersAnswer{}, s.wrongState(r.State)
			}
			if r.ListsOnly {
				return contracts.MembersAnswer{Lists: s.lists(ctx, r.Numbers, nil)}, nil
			}
			c, err := s.copy(ctx)
			if err != nil {
				return contracts.MembersAnswer{}, err
			}
			on := cmp.Or(r.On, s.state.Today(s.recipe.Clock()))
			a := contracts.MembersAnswer{Edition: editionOf(s.state, s.recipe, c), Members: s.recipe.Members(c, r.Numbers, on)}
			today := map[string]string{}
			for i, m := range a.Members {
				today[r.Numbers[i]] = m.LicenseNumber
			}
			a.Lists = s.lists(ctx, r.Numbers, today)
			var looking errgroup.Group
			looking.SetLimit(looksAtOnce)
			var failed atomic.Bool
			for i := range a.Members {
				if m := &a.Members[i]; m.Verdict == contracts.Unverified || m.Status == nil || s.hides(m) {
					looking.Go(func() error {
						w.lookedUp(ctx, s, c, r.Numbers[i], on, m, &failed)
						return nil
					})
				}
			}
			_ = looking.Wait() // a store that fails leaves what the copy tells
			return a, nil
		})
}

// hides tells whether a lookup of the license may show a suspension that the copy does not.
func (s *source) hides(m *contracts.Member) bool {
	return slices.ContainsFunc(m.Reasons,
		func(r contracts.VerdictReason) bool { return r.Code == contracts.VerdictSuspensionsHidden }) &&
		slices.ContainsFunc(s.recipe.Lookup,
			func(p register.Path) bool { return !slices.Contains(p.NotReported, register.Suspensions) })
}

// lists are what the state's public delinquent lists say of licenses, whose numbers of today are in today. One that
// cannot be read now is left out.
func (s *source) lists(ctx context.Context, numbers []string, today map[string]string) (all []contracts.PublicList) {
	for _, l := range s.recipe.Lists {
		c, err := l.Copy(ctx)
		if err != nil {
			s.log.WarnContext(ctx, "a delinquent list is not read", "state", s.state, "list", l.List, "error", err)
			continue
		}
		all = append(all, l.Of(c, numbers, today))
	}
	return all
}

// isOf tells whether a record is that of the license: a number of CA may be of several, one of each type.
func isOf(r *contracts.LicenseRecord, m *contracts.Member) bool {
	return r != nil && r.LicenseNumber == m.LicenseNumber && r.LicenseTypeCode == m.LicenseTypeCode
}

// lookedUp puts what a stored lookup of the last day says in place of what the copy cannot prove.
func (w *worker) lookedUp(ctx context.Context, s *source, c *mirror.Copy, number string, on contracts.Date,
	m *contracts.Member, failed *atomic.Bool) {
	if failed.Load() {
		return
	}
	a, err := w.newestLookup(ctx, s, number, m)
	if err != nil {
		failed.Store(true)
		return
	}
	// What an edition shows or proves holds as of its own date. What it merely lacks holds as of its download.
	asOf, published := c.Since, c.PublishedAt()
	if isShown := m.Status != nil || m.Verdict == contracts.Fail; isShown && !published.IsZero() {
		asOf = published
	}
	// A newer edition overrules the lookup, except in what no edition shows, such as suspensions.
	isHidden := m.Verdict == contracts.Pass || m.Status != nil && s.state.PrintsNoStatus()
	if a.ReadAt.Before(asOf) && !isHidden || s.recipe.Clock().Sub(a.ReadAt) >= contracts.LicenseTTL {
		return
	}
	found := contracts.MemberAbsent(number, "A lookup of the last day proves that there is no such license.")
	if a.Record != nil {
		found = contracts.MemberOf(a, on)
	}
	// An UNVERIFIED lookup overrules a PASS, unless it used a fallback path: then it knows no more than the copy.
	knowsNoMore := m.Verdict == contracts.Unverified || a.Noted(contracts.NoteFallback)
	if at := a.ReadAt.UTC().Truncate(time.Second); found.Verdict != contracts.Unverified || !knowsNoMore {
		found.LookedUpAt = &at
		*m = found
	}
}

// newestLookup is the newest stored lookup of the license m, asked with or without its type. It is the zero answer
// where none is stored.
func (w *worker) newestLookup(ctx context.Context, s *source, number string, m *contracts.Member) (
	newest contracts.LicenseAnswer, err error) {
	numbers := []string{number}
	if m.Status != nil {
		numbers = append(numbers, m.LicenseNumber)
		if s.state == contracts.CA {
			numbers = append(numbers, m.LicenseTypeCode+"-"+m.LicenseNumber)
		}
		slices.Sort(numbers)
	}
	for _, n := range slices.Compact(numbers) {
		key := contracts.LicenseKey(w.Environment, contracts.LicenseRequest{State: s.state, Number: n})
		stored, err := w.deps.Answers.Get(ctx, key)
		if errors.Is(err, cache.ErrMiss) {
			continue
		}
		if err != nil {
			return newest, err
		}
		a, err := cache.Decode[contracts.LicenseAnswer](key, stored.Value)
		if err != nil || !a.ReadAt.After(newest.ReadAt) || n != number && !isOf(a.Record, m) {
			continue
		}
		if n != number { // whether a type was asked for is another question, which the copy answers
			a.Notes = slices.DeleteFunc(a.Notes,
				func(n contracts.Note) bool { return n.Code == contracts.NoteOtherTypeNotGood })
			if other := m.OtherType(); other != "" {
				a.Notes = append(a.Notes, contracts.Note{Code: contracts.NoteOtherTypeNotGood, Message: other})
			}
		}
		newest = a
	}
	return newest, nil
}
