package site

import (
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/portfolio"
)

// A file of the evening is of the day in its states, and not of the day of UTC, which is the next one.
func TestDaysOf(t *testing.T) {
	t.Parallel()
	in := func(all ...contracts.State) (licenses []portfolio.License) {
		for _, state := range all {
			licenses = append(licenses, portfolio.License{State: state})
		}
		return licenses
	}
	for name, c := range map[string]struct {
		at   string
		of   []portfolio.License
		want string
	}{
		"evening in California": {"2026-11-27T01:00:00Z", in(contracts.CA), "2026-11-26"},
		"evening in New York":   {"2026-11-27T00:30:00Z", in(contracts.NY, contracts.CA), "2026-11-26"},
		"midnight between them": {"2026-11-27T06:00:00Z", in(contracts.NY, contracts.CA, contracts.NY), "2026-11-26-and-2026-11-27"},
		"morning":               {"2026-11-27T12:00:00Z", in(contracts.CA, contracts.TX), "2026-11-27"},
	} {
		now, err := time.Parse(time.RFC3339, c.at)
		if got := daysOf(c.of, now); err != nil || got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
