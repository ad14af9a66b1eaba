package archive

import (
	"cmp"
	"context"
	"slices"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/changes"
)

// takeOver is how long a change may wait for the worker that wrote it to tell it. Then another one does.
const takeOver = 30 * time.Second

// mark adds to the values that clean readings changed what is to be told of them. It is written with the value, so that
// it is told also when this worker dies, and taken away when it is told. known are the weeks before the observation. A
// carrier's first clean reading marks nothing, nor does a week before the oldest clean one: it is new to us and did not
// change.
func (a *Archive) mark(known []Week, added []change, o Observation) {
	oldest := oldestClean(known)
	if a.outdate == nil || oldest == "" {
		return
	}
	for i := range added {
		was := Week{Date: added[i].EffectiveDate}
		if at, ok := find(known, was.Date); ok {
			was = known[at]
		}
		is := Week{Date: was.Date, Values: was.with(added[i].Value)}
		before, wasClean := was.Clean()
		after, isClean := is.Clean()
		isSame := wasClean == isClean && (!isClean || Same(before.SurchargeWeek, after.SurchargeWeek))
		if isSame || was.Date < oldest {
			continue
		}
		v := &added[i].Value
		v.Told = max(v.number, 1+slices.MaxFunc(is.Values, func(a, b Value) int { return cmp.Compare(a.Told, b.Told) }).Told)
		c := contracts.Change{
			ID:   changes.ID(string(o.Carrier), string(was.Date), v.Told),
			Type: contracts.SurchargeRevised, OccurredAt: o.At, Product: contracts.LTL, Source: string(o.Carrier),
			Evidence: contracts.ChangeEvidence{Before: []contracts.Evidence{}, After: []contracts.Evidence{}},
		}
		isComing := was.Date > contracts.Today(o.At)
		switch {
		case !wasClean && isComing:
			c.Type = contracts.SurchargeAnnounced
		case !wasClean:
			c.Type = contracts.SurchargePublished
		}
		c.Data.Before, c.Evidence.Before = was.told(before, wasClean, isComing)
		c.Data.After, c.Evidence.After = is.told(after, isClean, isComing)
		v.Untold = &c
	}
}

// oldestClean is the first day of the oldest week that a clean reading saw; "" where none did.
func oldestClean(known []Week) contracts.Date {
	for _, w := range slices.Backward(known) {
		if slices.ContainsFunc(w.Values, Value.IsClean) {
			return w.Date
		}
	}
	return ""
}

// told is a value of the week as a change has it, and the document in which it was seen last.
func (w Week) told(v Value, isClean, isComing bool) (*contracts.ChangeValues, []contracts.Evidence) {
	if !isClean {
		return nil, []contracts.Evidence{}
	}
	week := v.SurchargeWeek
	week.FirstSeen, week.Revised, week.Announced = w.FirstSeen(), w.RevisedAt(Known{Value: v}), isComing
	week.EvidenceSHA256 = v.Last.EvidenceSHA256
	documents := []contracts.Evidence{}
	if e, isKept := v.Last.Document(); isKept {
		documents = append(documents, e)
	}
	return &contracts.ChangeValues{Week: &week}, documents
}

// untold are the values of which a change was written and, as far as the entries show, not told, in the order of
// telling.
func (es entries) untold() (all []change) {
	for _, e := range es {
		if e.value != nil && e.value.Untold != nil {
			all = append(all, change{Value: *e.value, outcome: again})
		}
	}
	slices.SortFunc(all, func(a, b change) int {
		return cmp.Or(a.Untold.OccurredAt.Compare(b.Untold.OccurredAt), cmp.Compare(a.EffectiveDate, b.EffectiveDate),
			cmp.Compare(a.Told, b.Told))
	})
	return all
}

func (a *Archive) changes(c contracts.Carrier) *changes.Log {
	return &changes.Log{
		JetStream: a.js, Environment: a.env, Product: contracts.LTL, Source: string(c),
		Group: contracts.SurchargePublished.Group(), Published: a.published,
	}
}

// lastTold is the last change of a carrier's weeks that was told. It is read before the values are written. A change
// that then conflicts was told by another worker, and is not told again.
func (a *Archive) lastTold(ctx context.Context, c contracts.Carrier, all []change) (last changes.Last, err error) {
	if slices.ContainsFunc(all, func(c change) bool { return c.Untold != nil }) {
		last, err = a.changes(c).Last(ctx)
	}
	return last, err
}

// tell publishes what is to be told of values that were just written. The stored answers that are wrong by it end
// before.
func (a *Archive) tell(ctx context.Context, c contracts.Carrier, last changes.Last, written entries) error {
	if a.outdate == nil {
		return nil
	}
	for _, v := range written.untold() {
		if err := a.outdate(ctx, v.Untold); err != nil {
			return err
		}
		if err := a.changes(c).Append(ctx, &last, *v.Untold); err != nil {
			return err
		}
		v.Untold = nil
		if err := a.putValue(ctx, a.key(c, v.Value), v.Value, written); err != nil {
			return err
		}
	}
	return nil
}
