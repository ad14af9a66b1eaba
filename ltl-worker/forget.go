package ltlworker

import (
	"context"
	"fmt"
	"slices"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/archive"
	"assay.dev/ltl-worker/carrier"
	"assay.dev/ltl-worker/reader"
	"assay.dev/ltl-worker/tariffs"
	"assay.dev/ltl-worker/trust"
	"assay.dev/ltl-worker/weeks"
	"assay.dev/platform/cache"
)

// Forgotten is what ended with something that was forgotten.
type Forgotten struct {
	// Count counts the editions that were accepted, or the lines that were learned, that are gone.
	Count int
	// Answer is when the stored answer was read that ended; nil where none was stored.
	Answer *time.Time
	// Weeks were clean by what was forgotten alone, oldest first. They are in doubt now.
	Weeks []contracts.Date
}

// ToForget is what is to be forgotten of a carrier: what was accepted, or learned, of a path or of all for "", at a
// moment or later.
type ToForget struct {
	Path    string
	Learned bool
	From    time.Time
}

func (m ToForget) edition(e trust.Edition) bool {
	return !m.Learned && (m.Path == "" || m.Path == e.Path) && !e.At.Before(m.From)
}

func (m ToForget) line(l trust.Learned) bool {
	return m.Learned && (m.Path == "" || m.Path == l.Path) && !l.First.Before(m.From)
}

// Forget forgets what m says. The weeks that were clean by that alone are in doubt from then on, and the stored answer
// ends. It waits for workers that are writing what they judged before, and doubts that too. When it fails before
// anything is forgotten it can be given again; after that, what is written late may be clean.
func (s *Sources) Forget(ctx context.Context, c contracts.Carrier, m ToForget, wait func(context.Context) error) (
	back Forgotten, err error,
) {
	store, err := cache.Open(ctx, s.js, cache.Deps{})
	if err != nil {
		return back, fmt.Errorf("%w; after an update: was accounts.conf applied?", err)
	}
	defer func() { _ = store.Close(ctx) }()
	known, err := s.Known(ctx, c)
	if err != nil {
		return back, err
	}
	left, since := m.without(known)
	back.Count = len(known.Editions) + len(known.Learned) - len(left.Editions) - len(left.Learned)
	left.Editions = slices.Concat(carrier.Shipped(s.cfg.Environment)(c), left.Editions)
	doubt := func() error {
		rests, err := s.restsOnlyOn(ctx, c, left, since)
		if err != nil || since.IsZero() {
			return err
		}
		doubted, err := s.archive.Doubt(ctx, c, s.cfg.Clock(), rests)
		back.Weeks = append(back.Weeks, doubted...)
		return err
	}
	forget := func() error {
		if m.Learned {
			return s.ForgetLearned(ctx, c, m.line)
		}
		return s.Bucket.Forget(ctx, c, m.edition)
	}
	end := func() error {
		key := contracts.SurchargeKey(s.cfg.Environment, c)
		before := time.Now()
		if e, err := store.Get(ctx, key); err == nil {
			back.Answer = &e.ReadAt
			if !e.ReadAt.Before(before) { // the worker's clock is ahead of ours
				before = e.ReadAt.Add(1)
			}
		}
		return cache.End(ctx, store, key, before)
	}
	for _, step := range []func() error{doubt, forget, end, doubt, func() error { return wait(ctx) }, doubt} {
		if err := step(); err != nil {
			return back, err
		}
	}
	slices.Sort(back.Weeks)
	back.Weeks = slices.Compact(back.Weeks)
	return back, nil
}

// without is the wording after m is forgotten, and since when the first removed part was known; zero for none.
func (m ToForget) without(known trust.Wording) (left trust.Wording, since time.Time) {
	begin := func(goes bool, at time.Time) bool {
		if goes && (since.IsZero() || at.Before(since)) {
			since = at
		}
		return goes
	}
	left.Editions = slices.DeleteFunc(slices.Clone(known.Editions),
		func(e trust.Edition) bool { return begin(m.edition(e), e.At) })
	left.Learned = slices.DeleteFunc(slices.Clone(known.Learned),
		func(l trust.Learned) bool { return begin(m.line(l), l.First) })
	return left, since.Truncate(time.Second) // sightings are to the second
}

// restsOnlyOn tells whether a clean value rests only on what was known since a moment: the wording that is left, held
// against the earlier clean weeks, believes none of its documents.
func (s *Sources) restsOnlyOn(ctx context.Context, c contracts.Carrier, left trust.Wording,
	since time.Time) (func(archive.Value) bool, error) {
	all, err := s.archive.Weeks(ctx, c)
	if err != nil {
		return nil, err
	}
	young := func(v archive.Value) bool { return v.TallyBefore != nil || !v.First.At.Before(since) }
	isYoung := map[contracts.Date]bool{}
	for _, w := range all {
		for _, v := range w.Values {
			isYoung[w.Date] = isYoung[w.Date] || v.IsClean() && young(v)
		}
	}
	recipe := s.cfg.Recipe(c)
	j := weeks.Judge{Recipe: recipe, Archive: s.archive,
		Table: tariffs.ViewTable(recipe, s.editions, s.log), Price: s.price}
	past := j.Past(ctx)
	past.Clean = slices.DeleteFunc(past.Clean, func(w contracts.SurchargeWeek) bool { return isYoung[w.EffectiveDate] })
	r := &reader.Reader{Recipe: recipe}
	judged := map[string]bool{}
	believed := func(seen archive.Sighting) bool {
		e, isKept := seen.Document()
		if !isKept {
			return false
		}
		of := seen.At.String() + e.SHA256
		if _, ok := judged[of]; !ok {
			found, err := r.RereadKept(ctx, s.kept, s.cfg.Environment, e, carrier.Way(seen.Path), seen.At)
			judged[of] = err == nil && len(found.Doubts) == 0 &&
				!trust.Judge(found.Trusted(seen.Path), left.Known(seen.Path, seen.At), past).IsInDoubt()
		}
		return judged[of]
	}
	return func(v archive.Value) bool { return young(v) && !believed(v.First) && !believed(v.Last) }, nil
}
