package archive

import (
	"context"
	"fmt"
	"slices"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/kv"
)

// Doubt marks clean values as doubtful, for example after a mistaken acceptance, and returns the weeks that it marked,
// oldest first. Only what is judged after at clears them again.
func (a *Archive) Doubt(ctx context.Context, c contracts.Carrier, at time.Time,
	rests func(Value) bool) (weeks []contracts.Date, err error) {
	err = kv.RetryConflicts(ctx, func() error {
		read, err := a.load(ctx, c)
		if err != nil {
			return err
		}
		for key, e := range read {
			if e.value == nil || !e.value.IsClean() || !rests(*e.value) {
				continue
			}
			if err := a.putValue(ctx, key, e.value.doubted(at.UTC()), read); err != nil {
				return err
			}
			weeks = append(weeks, e.date)
		}
		return nil
	})
	slices.Sort(weeks)
	if err != nil {
		return weeks, fmt.Errorf("the weeks of %s that rest on it: %w", c, err)
	}
	return slices.Compact(weeks), nil
}

// doubted is the value as it was before it was believed.
func (v Value) doubted(at time.Time) Value {
	if v.TallyBefore != nil {
		v.Tally = *v.TallyBefore
	}
	v.Clean = min(v.Clean, v.Required-1)
	if v.Last.At.After(at) { // the worker's clock is ahead of ours
		at = v.Last.At
	}
	v.TallyBefore, v.CleanFrom, v.DoubtedAt = nil, nil, &at
	return v
}
