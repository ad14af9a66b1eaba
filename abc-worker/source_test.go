package abcworker

import (
	"testing"
	"time"

	"assay.dev/abc-worker/register"
	"assay.dev/platform/scrape"
)

// An answer is not kept for long that may contradict what was told meanwhile.
func TestAnAnswerFromAPastCopyIsKeptForMinutes(t *testing.T) {
	s := &source{recipe: register.Recipe{Search: []register.Path{{Name: register.Mirror}}}}
	for _, isPast := range []bool{false, true} {
		result := scrape.Result[register.Answer]{Path: register.Mirror}
		result.ReadAt, result.Value.IsPast = time.Now(), isPast
		p := s.provenance(t.Context(), register.Search, register.Question{}, result)
		if left := time.Until(p.ExpiresAt); isPast != (left <= leastKept) {
			t.Errorf("past %t: kept for %s", isPast, left)
		}
	}
}
