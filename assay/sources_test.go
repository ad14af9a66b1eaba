package main

import (
	"bytes"
	"strings"
	"testing"

	"assay.dev/contracts"
	ltlworker "assay.dev/ltl-worker"
	"assay.dev/ltl-worker/trust"
)

// Paths that show the same have one table, under the name of each.
func TestWhatPathsShowAlikeIsPrintedOnce(t *testing.T) {
	t.Parallel()
	look := func(path string, percent float64) ltlworker.Look {
		return ltlworker.Look{Source: contracts.SAIA, SHA256: "hash of " + path, Reading: trust.Reading{
			Path: path, Weeks: []contracts.SurchargeWeek{{EffectiveDate: "2026-11-25", Percent: percent}},
		}}
	}
	for name, c := range map[string]struct {
		looks  []ltlworker.Look
		tables int
	}{
		"alike":     {[]ltlworker.Look{look("page", 45.62), look("rendered", 45.62)}, 1},
		"different": {[]ltlworker.Look{look("page", 45.62), look("rendered", 45.63)}, 2},
		"of three":  {[]ltlworker.Look{look("api", 45.63), look("page", 45.62), look("rendered", 45.62)}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			printLooks(&out, c.looks, lookBody)
			if got := strings.Count(out.String(), "WEEK OF"); got != c.tables {
				t.Errorf("%d tables, want %d:\n%s", got, c.tables, &out)
			}
			for _, l := range c.looks {
				if !strings.Contains(out.String(), "SAIA by "+l.Reading.Path+", read") || !strings.Contains(out.String(), l.SHA256) {
					t.Errorf("%s is not named:\n%s", l.Reading.Path, &out)
				}
			}
		})
	}
}
