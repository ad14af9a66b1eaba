package edition

import (
	"context"
	"slices"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/changes"
)

// mark adds to an edition that takes the place of another what is to be told of it. Both were read as a whole, and
// neither shows just part of the other's rows: that is a poorer reading.
func (a *Archive) mark(c contracts.Carrier, known []Edition, now *Edition) {
	var before *Edition
	for i := range known {
		e := &known[i]
		switch {
		case !e.isClean():
		case e.number == now.number: // told already, or never to be
			return
		case before == nil || !e.isPartOf(before):
			before = e
		}
	}
	if a.Outdate == nil || before == nil || !now.isClean() || now.isPartOf(before) {
		return
	}
	now.Untold = &contracts.Change{
		ID:   changes.ID(string(c), "table", now.number),
		Type: contracts.TableReplaced, OccurredAt: now.LastSeen.UTC().Truncate(time.Second), Product: contracts.LTL,
		Source:   string(c),
		Data:     contracts.ChangeData{Before: before.told(), After: now.told()},
		Evidence: contracts.ChangeEvidence{Before: orNone(before.Evidence), After: orNone(now.Evidence)},
	}
}

func (e *Edition) isClean() bool { return e.Required > 0 && e.Clean == e.Required }

// isPartOf tells whether all rows are those of another table, as far as they show the same.
func (e *Edition) isPartOf(other *Edition) bool {
	return !slices.ContainsFunc(e.Rows, func(row contracts.Bracket) bool {
		return !slices.ContainsFunc(other.Rows, func(o contracts.Bracket) bool {
			return o.AtLeastUSD == row.AtLeastUSD && o.LessThanUSD == row.LessThanUSD && o.Percent == row.Percent &&
				(o.TruckloadPercent == nil || row.TruckloadPercent == nil || *o.TruckloadPercent == *row.TruckloadPercent)
		})
	})
}

func (e *Edition) told() *contracts.ChangeValues {
	first, last := e.FirstSeen.UTC().Truncate(time.Second), e.LastSeen.UTC().Truncate(time.Second)
	return &contracts.ChangeValues{Edition: &contracts.Edition{FirstSeen: &first, LastSeen: &last}}
}

func orNone(all []contracts.Evidence) []contracts.Evidence {
	return append([]contracts.Evidence{}, all...)
}

// writeEditions writes editions, and tells what is to be told of them. The last change is read before: so whatever is
// in the way of one was told after that, and none is told twice, also when a worker dies between any two steps.
func (a *Archive) writeEditions(ctx context.Context, c contracts.Carrier, all []Edition) error {
	log := changes.Log{
		JetStream: a.js, Environment: a.env, Product: contracts.LTL, Source: string(c),
		Group: contracts.TableReplaced.Group(), Published: a.Published,
	}
	var last changes.Last
	if slices.ContainsFunc(all, func(e Edition) bool { return e.Untold != nil }) {
		var err error
		if last, err = log.Last(ctx); err != nil {
			return err
		}
	}
	for i := range all {
		e := &all[i]
		if err := a.put(ctx, c, e); err != nil {
			return err
		}
		if e.Untold == nil {
			continue
		}
		if err := a.Outdate(ctx, e.Untold); err != nil {
			return err
		}
		if err := log.Append(ctx, &last, *e.Untold); err != nil {
			return err
		}
		e.Untold = nil
		if err := a.put(ctx, c, e); err != nil {
			return err
		}
	}
	return nil
}
