package weeks

import (
	"context"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/tariffs"
)

// holdToBrackets makes the percent of the newest week one that is not clean when the carrier's table says another
// one. Older weeks are not held against it: tables are reissued.
func (s *Source) holdToBrackets(ctx context.Context, a *contracts.SurchargeAnswer, table func() tariffs.KnownTable) {
	w := &a.Weeks[0]
	if s.Table == nil || w.Archived != nil || w.DieselUSD == nil || w.EffectiveDate < s.recipe.Table.Effective {
		return
	}
	known := table()
	if !known.OK {
		return
	}
	if note := tariffs.Differs(known.FuelTableAnswer, *w); note != nil {
		w.Clean = min(w.Clean, w.Required-1)
		a.Notes = append(a.Notes, *note)
		s.log.WarnContext(ctx, "a percent is not that of its bracket", "carrier", s.recipe.Code, "week", w.EffectiveDate, "percent", w.Percent)
		s.metrics.bracketDiffers(s.recipe.Code)
	}
}
