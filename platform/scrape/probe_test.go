package scrape_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

func TestProbeTriesEveryPath(t *testing.T) {
	path := func(name string, clean int, err error) scrape.Path[string, int] {
		return scrape.Path[string, int]{Name: name, Method: contracts.StructuredParse, Read: func(ctx context.Context, q string) (scrape.Reading[int], error) {
			if _, ok := ctx.Deadline(); !ok {
				t.Errorf("path %s may take for ever", name)
			}
			scrape.Notef(ctx, "%s asked for %s", name, q)
			return scrape.Reading[int]{Value: 42, Tally: contracts.Tally{Clean: clean, Required: 3}, EvidenceURL: "https://evidence.test/"}, err
		}}
	}
	good, doubtful := path("good", 3, nil), path("doubtful", 1, nil)
	broken := path("broken", 0, errors.New("no answer"))
	report := scrape.ProbeReport[int]{
		Title: "the question", Paths: scrape.Probe(t.Context(), "q", []scrape.Path[string, int]{broken, good, doubtful}),
		Show: func(w io.Writer, n int) { fmt.Fprintf(w, "  value %d\n", n) },
	}
	if len(report.Failed()) > 0 || scrape.KindOf(report.Paths[2].Err) != scrape.Changed {
		t.Errorf("%+v", report)
	}
	var text strings.Builder
	report.Write(&text)
	for _, part := range []string{
		"the question\n", "path broken (structured_parse)", "FAILED  no answer", "https://evidence.test/",
		"confidence  1.00 (3 of 3", "value 42", "FAILED  changed", "doubtful asked for q",
	} {
		if strings.Count(text.String(), part) != 1 {
			t.Errorf("the report does not say %q once:\n%s", part, text.String())
		}
	}
	if report.Paths = scrape.Probe(t.Context(), "q", []scrape.Path[string, int]{broken, doubtful}); strings.Join(report.Failed(), ", ") != "broken, doubtful" {
		t.Errorf("no path could read: %v", report.Failed())
	}
	report.Apart = scrape.Probe(t.Context(), "q", []scrape.Path[string, int]{good, path("apart", 0, errors.New("no list"))})
	if got := strings.Join(report.Failed(), ", "); got != "broken, doubtful, apart" {
		t.Errorf("what reads something else makes up for it: %s", got)
	}
	report.Paths = scrape.Probe(t.Context(), "q", []scrape.Path[string, int]{broken, good})
	if got := strings.Join(report.Failed(), ", "); got != "apart" {
		t.Errorf("a path apart has no stand-in: %s", got)
	}
}
