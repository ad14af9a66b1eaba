package api

import (
	"testing"
	"time"

	"assay.dev/contracts"
)

// A revision of an evening is of that day in New York, as known_at has it.
func TestTheDayOfARevision(t *testing.T) {
	var seen contracts.ObservedWeek
	seen.Revised = new(time.Date(2026, time.December, 2, 2, 30, 0, 0, time.UTC))
	if week := auditWeek(contracts.HistoryAnswer{}, seen); week.Revised != "2026-12-01" {
		t.Errorf("revised on %s", week.Revised)
	}
}
