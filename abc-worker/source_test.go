package abcworker

import (
	"testing"
	"time"

	"assay.dev/abc-worker/register"
	"assay.dev/platform/scrape"
)

// An answer is kept for a day; one that may contradict what was told meanwhile, for minutes.
func TestAnAnswerFromAPastCopyIsKeptForMinutes(t *testing.T) {
	s := &source{recipe: register.Recipe{Search: []register.Path{{Name: register.Mirror}}}}
	for isPast, least := range map[bool]time.Duration{false: 23 * time.Hour, true: 0} {
		result := scrape.Result[register.Answer]{Path: register.Mirror}
		result.ReadAt, result.Value.IsPast = time.Now(), isPast
		p := s.provenance(t.Context(), register.Search, register.Question{}, result)
		if left := time.Until(p.ExpiresAt); left <= least || left > least+time.Hour {
			t.Errorf("past %t: kept for %s", isPast, left)
		}
	}
}
