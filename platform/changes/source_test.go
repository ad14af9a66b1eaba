package changes_test

import (
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/changes"
	"assay.dev/platform/clock/clocktest"
)

// A source has two troubles at once, of its copy and of its paths. The end of the one is not told as the end of the other, whichever
// began first and whichever ends first.
func TestTheTroublesOfASourceAreTwo(t *testing.T) {
	past, soon := time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	well, away := contracts.SourceHealth{LastSuccess: &soon}, contracts.SourceHealth{LastSuccess: &soon, FallbackSince: &past}
	for name, c := range map[string]struct{ steps, want string }{
		"the paths first, the copy last":      {"away held well taken well", "away degraded, held degraded, taken recovered"},
		"the paths first, the paths last":     {"away held taken later away well", "away degraded, held degraded, taken recovered, away degraded, well recovered"},
		"the copy first, the copy last":       {"held away well taken well", "held degraded, taken recovered"},
		"the copy first, the paths last":      {"held away taken away well", "held degraded, taken recovered, away degraded, well recovered"},
		"a trouble that goes on is told once": {"held held away taken taken away away well well", "held degraded, taken recovered, away degraded, well recovered"},
		"no trouble":                          {"well taken", ""},
	} {
		t.Run(name, func(t *testing.T) {
			js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
			published, err := changes.NewCounter(prometheus.NewRegistry())
			if err != nil {
				t.Fatal(err)
			}
			l := &changes.Log{JetStream: js, Environment: contracts.Test, Product: contracts.ABC, Source: "CA",
				Group: contracts.SourceDegraded.Group(), Published: published}
			var told []string
			for i, step := range strings.Fields(c.steps) {
				at := past.Add(time.Duration(i+1) * time.Minute)
				err := map[string]func() error{
					"away": func() error { return l.TellHealth(t.Context(), away) },
					"well": func() error { return l.TellHealth(t.Context(), well) },
					"later": func() error { // what is told is named by its second
						now := time.Now().Unix()
						clocktest.Await(t, "the next second", func() bool { return time.Now().Unix() > now })
						return nil
					},
					"held": func() error {
						return l.TellSource(t.Context(), contracts.SourceDegraded, at, contracts.ChangeValues{Since: &at, Why: "held"})
					},
					"taken": func() error {
						return l.TellSource(t.Context(), contracts.SourceRecovered, at, contracts.ChangeValues{Since: &at})
					},
				}[step]()
				last, lastErr := l.Last(t.Context())
				if err != nil || lastErr != nil {
					t.Fatal(err, lastErr)
				}
				if n := int(last.Sequence); n > len(told) {
					told = append(told, step+" "+strings.TrimPrefix(string(last.Type), "source."))
				}
			}
			if got := strings.Join(told, ", "); got != c.want {
				t.Errorf("told %q, want %q", got, c.want)
			}
		})
	}
}
