// Package registertest tests the recipes of states: against sites played on loopback, whose licenses and right readings
// are known (package license of the sandbox).
package registertest

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay.dev/abc-worker/mirror"
	"assay.dev/abc-worker/register"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
	"assay.dev/platform/scrape/scrapetest"
	"assay.dev/sandbox/captcha"
	"assay.dev/sandbox/license"
)

// Deps is what recipes need to read the hosts. Nobody solves CAPTCHAs or renders pages.
func Deps(t testing.TB, hosts map[string]http.Handler, adjust ...func(*scrape.Config)) register.Deps {
	t.Helper()
	cfg := scrapetest.Start(t, hosts).Config()
	cfg.HostConcurrency = 16
	for _, a := range adjust {
		a(&cfg)
	}
	fetcher, err := scrape.NewFetcher(cfg, scrape.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(fetcher.Close)
	return withMirrors(t, fetcher)
}

func withMirrors(t testing.TB, fetcher *scrape.Fetcher) register.Deps {
	t.Helper()
	mirrors, err := mirror.Open(context.Background(), mirror.Deps{Environment: contracts.Test, Fetcher: fetcher})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = mirrors.Close(context.Background()) })
	return register.Deps{Environment: contracts.Test, Fetcher: fetcher, Mirrors: mirrors, Clock: time.Now}
}

// Solver solves the CAPTCHA images that the book has drawn.
func Solver(book *captcha.Book) func(context.Context, string, contracts.SolveJob) (contracts.SolveResult, error) {
	return func(_ context.Context, _ string, job contracts.SolveJob) (contracts.SolveResult, error) {
		text, ok := book.Read(job.Image)
		if !ok {
			return contracts.SolveResult{}, errors.New("not an image of the book")
		}
		return contracts.SolveResult{Text: text}, nil
	}
}

// HasSolver says that there is a service that solves CAPTCHAs.
func HasSolver(context.Context) (contracts.SolverAnswer, error) {
	return contracts.SolverAnswer{Provider: "book"}, nil
}

// EveryLicense looks up all licenses of a state by one path, and compares each with the golden record of its kind of
// path. With provesAbsence, a license that the path does not show must be answered as absent; else it must fail as
// unavailable. One that is shown in a way that nobody can understand must fail as changed.
func EveryLicense(
	t *testing.T, licenses *license.Register, state contracts.State, path register.Asking, golden license.Path,
	provesAbsence bool,
) {
	t.Helper()
	records := licenses.Golden(state, golden) // of a transfer under way, the new owner's
	all := licenses.Of(state)
	if len(all) == 0 {
		t.Fatal("there are no licenses")
	}
	each(all, func(l license.License) {
		want, shown := records[l.Number]
		got, err := path.Read(t.Context(), register.Question{Number: l.Number}.Asked())
		switch {
		case !shown && l.IsUnclear(golden):
			if scrape.KindOf(err) != scrape.Unclear {
				t.Errorf("%s (%s) cannot be understood: %s, %v", l.Number, l.Case, Show(got.Value), err)
			}
		case !shown && provesAbsence:
			if err != nil || len(got.Value.Records) > 0 || got.Confidence() != 1 {
				t.Errorf("%s (%s) is not shown: %s, %v", l.Number, l.Case, Show(got.Value), err)
			}
		case !shown:
			if scrape.KindOf(err) != scrape.Unavailable {
				t.Errorf("%s (%s) is not shown, which proves nothing: %s, %v", l.Number, l.Case, Show(got.Value), err)
			}
		case err != nil || !Same(Found(got), &want) || got.Confidence() < 0.7:
			t.Errorf("%s (%s), confidence %v: %v\n got %s\nwant %s",
				l.Number, l.Case, got.Confidence(), err, Show(got.Value), Show(want))
		}
	})
}

// EveryLicenseByBothPaths is [EveryLicense] by the two paths of a state's lookups, of which the first proves absence.
func EveryLicenseByBothPaths(t *testing.T, licenses *license.Register, state contracts.State, recipe register.Recipe) {
	t.Helper()
	for i, path := range recipe.Paths(register.Lookup) {
		t.Run(path.Name, func(t *testing.T) {
			t.Parallel()
			EveryLicense(t, licenses, state, path, []license.Path{license.Primary, license.Mirror}[i], i == 0)
		})
	}
}

// EveryMatch searches by one path, answer after answer as callers do for further pages. The answers together must hold
// what the register holds, each license once and in order, and each must count all of them.
func EveryMatch(
	t *testing.T, licenses *license.Register, state contracts.State, path register.Asking, golden license.Path, q contracts.Query,
) {
	t.Helper()
	want := licenses.Search(state, golden, q)
	var got []contracts.LicenseRecord
	asked := Query(q)
	for whole := false; !whole && len(got) <= len(want); {
		a, err := path.Read(t.Context(), asked)
		if err != nil {
			t.Fatalf("%+v after %d: %v", q, len(got), err)
		}
		if a.Value.Total != len(want) || len(a.Value.Records) > contracts.MaxKept {
			t.Errorf("%+v after %d: %d of %d, want %d", q, len(got), len(a.Value.Records), a.Value.Total, len(want))
		}
		got = append(got, a.Value.Records...)
		if whole = a.Value.Whole; !whole {
			asked.After = got[len(got)-1].Position()
		}
	}
	if !slices.EqualFunc(got, want, func(g, w contracts.LicenseRecord) bool { return Same(&g, &w) }) {
		t.Errorf("%+v: %d matches, want %d", q, len(got), len(want))
	}
	t.Logf("%+v: %d matches", q, len(got))
}

// Found is the first record of a reading; nil when there is none.
func Found(r scrape.Reading[register.Answer]) *contracts.LicenseRecord {
	if len(r.Value.Records) == 0 {
		return nil
	}
	return &r.Value.Records[0]
}

// Number and Query are questions.
func Number(number string) register.Question { return register.Question{Number: number}.Asked() }

// Query is a search.
func Query(q contracts.Query) register.Question { return register.Question{Query: q}.Asked() }

// each runs f for all licenses, eight at a time.
func each(all []license.License, f func(license.License)) {
	var running sync.WaitGroup
	queue := make(chan license.License)
	for range 8 {
		running.Go(func() {
			for l := range queue {
				f(l)
			}
		})
	}
	for _, l := range all {
		queue <- l
	}
	close(queue)
	running.Wait()
}

// Same compares records in what they say of the license.
func Same(got, want *contracts.LicenseRecord) bool {
	if got == nil || want == nil {
		return got == nil && want == nil
	}
	return Show(withoutMarks(*got)) == Show(withoutMarks(*want))
}

// withoutMarks leaves out how the members are known.
func withoutMarks(r contracts.LicenseRecord) contracts.LicenseRecord {
	r.NotReported, r.Inferred = nil, nil
	return r
}

// Show is v as JSON.
func Show(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}

// Table is an open-data service written by hand: it answers a query by the part of it that is a key of answers, and one
// without such a part by no rows. An answer that is an object, not a list, comes with status 400.
func Table(answers map[string]string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		query, _ := url.QueryUnescape(r.URL.RawQuery)
		w.Header().Set("Content-Type", "application/json;charset=utf-8")
		for part, answer := range answers {
			if strings.Contains(r.URL.Path+"?"+query, part) {
				if strings.HasPrefix(answer, "{") {
					w.WriteHeader(http.StatusBadRequest)
				}
				_, _ = io.WriteString(w, answer)
				return
			}
		}
		_, _ = io.WriteString(w, "[]")
	}
}

// Page is a page of that text, for parsers.
func Page(address, body string) *scrape.Page {
	return &scrape.Page{
		URL: address, Status: http.StatusOK, Header: http.Header{"Content-Type": {"text/html"}}, Body: []byte(body),
	}
}

// Sane checks what holds of every record that was understood, whatever it was read from.
func Sane(t *testing.T, state contracts.State, r register.Record) {
	t.Helper()
	switch r.Status {
	case contracts.Active, contracts.Suspended, contracts.Expired, contracts.Revoked:
	default:
		t.Errorf("status %q", r.Status)
	}
	if _, err := contracts.NormalLicenseNumber(state, r.LicenseNumber); err != nil {
		t.Errorf("%+v", r)
	}
	if r.ExpirationDate != "" {
		if _, err := contracts.ParseDate(string(r.ExpirationDate)); err != nil {
			t.Error(err)
		}
	}
}
