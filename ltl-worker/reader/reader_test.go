package reader

import (
	"errors"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

func TestWhatARenderingServiceBrings(t *testing.T) {
	const page = "https://www.carrier.example/fuel"
	rendered := time.Now().Add(-8 * time.Minute) // for another read
	cases := []struct {
		name   string
		result contracts.RenderResult
		want   scrape.Kind
	}{
		{"the page", contracts.RenderResult{FinalURL: page, HTML: []byte("<table></table>"), ReadAt: rendered}, ""},
		{"no final address", contracts.RenderResult{HTML: []byte("<table></table>")}, ""},
		{"another host of the same owner", contracts.RenderResult{FinalURL: "https://ltl.carrier.example/fuel"}, ""},
		{"another owner", contracts.RenderResult{FinalURL: "https://carrier.example.net/fuel"}, scrape.Changed},
		{"no address at all", contracts.RenderResult{FinalURL: "about:blank"}, scrape.Changed},
		{"a robot check", contracts.RenderResult{FinalURL: page,
			HTML: []byte("<html><head><title>Just a moment...</title></head></html>")}, scrape.Blocked},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := renderedPage(page, c.result)
			if scrape.KindOf(err) != c.want {
				t.Errorf("%v, want kind %q", err, c.want)
			}
			if at := c.result.ReadAt; got != nil && (got.ReadAt.IsZero() || !at.IsZero() && !got.ReadAt.Equal(at)) {
				t.Errorf("read at %s, rendered at %s", got.ReadAt, at)
			}
		})
	}
}

func TestAttemptsAreMadeInTurn(t *testing.T) {
	one, two := errors.New("one"), errors.New("two")
	cases := []struct {
		name     string
		outcomes []error
		made     int
		want     error
	}{
		{"the first reads", []error{nil, two}, 1, nil},
		{"the second reads", []error{one, nil}, 2, nil},
		{"none reads: the first failure is told", []error{one, two}, 2, one},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			made := 0
			_, err := firstOf(t.Context(), c.outcomes, func(outcome error) (Reading, error) {
				made++
				return Reading{}, outcome
			})
			if made != c.made || !errors.Is(err, c.want) {
				t.Errorf("%d attempts, %v", made, err)
			}
		})
	}
}
