package abcworker

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"testing"
	"time"

	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/register/registertest"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
	"assay.dev/sandbox/california"
	"assay.dev/sandbox/captcha"
	"assay.dev/sandbox/florida"
	"assay.dev/sandbox/illinois"
	"assay.dev/sandbox/license"
	"assay.dev/sandbox/newyork"
	"assay.dev/sandbox/opendata"
	"assay.dev/sandbox/texas"
)

// everyCase is a register that has every case at least once, with all its sites.
func everyCase(t *testing.T) (*license.Register, register.Deps) {
	t.Helper()
	sizes := license.Sizes{}
	for _, s := range contracts.States {
		sizes[s] = 60
	}
	return everySite(t, sizes)
}

// everySite is a register of that size, with all its sites.
func everySite(t *testing.T, sizes license.Sizes) (*license.Register, register.Deps) {
	t.Helper()
	licenses, book := license.New(contracts.DateOf(time.Now()), sizes), captcha.NewBook(1)
	deps := registertest.Deps(t, map[string]http.Handler{
		california.Host:     california.New(licenses, time.Now),
		texas.Host:          texas.New(licenses, book, texas.Options{}),
		texas.DataHost:      opendata.NewSoda(time.Now(), texas.Dataset(licenses)),
		newyork.DataHost:    opendata.NewSoda(time.Now(), newyork.Datasets(licenses)...),
		newyork.MapHost:     newyork.Map(licenses),
		florida.Host:        florida.New(licenses),
		florida.ExtractHost: florida.NewExtracts(licenses, time.Now),
		illinois.Host:       illinois.New(licenses, func(*http.Request) bool { return false }, time.Now),
	})
	deps.Solver, deps.Solve = registertest.HasSolver, registertest.Solver(book.Read)
	deps.Render = rendersAs(illinois.New(licenses, func(*http.Request) bool { return true }, time.Now))
	return licenses, deps
}

// rendersAs has pages rendered by asking their site.
func rendersAs(site http.Handler) func(context.Context, string, contracts.RenderJob) (contracts.RenderResult, error) {
	return func(ctx context.Context, _ string, job contracts.RenderJob) (contracts.RenderResult, error) {
		page, err := url.Parse(job.URL)
		if err != nil {
			return contracts.RenderResult{}, err
		}
		w := httptest.NewRecorder()
		site.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, page.RequestURI(), http.NoBody))
		return contracts.RenderResult{HTML: w.Body.Bytes(), FinalURL: job.URL}, nil
	}
}

// Whatever path answers, an answer at 0.90 or more says nothing that the regulator knows otherwise, unless it names the member
// as inferred or not reported; and it never denies or leaves out a license that there is.
func TestNoMisleadingAnswer(t *testing.T) {
	t.Parallel()
	licenses, deps := everyCase(t)
	for _, s := range contracts.States {
		recipe := Recipes[s](deps)
		truth := map[string]contracts.LicenseRecord{}
		for _, l := range licenses.Of(s) {
			if l.Truth != nil && l.Case != "transfer, the old owner" {
				truth[l.Number] = *l.Truth
			}
		}
		for _, path := range recipe.Paths(register.Lookup) {
			t.Run(fmt.Sprintf("%s/lookup/%s", s, path.Name), func(t *testing.T) {
				t.Parallel()
				for _, l := range licenses.Of(s) {
					a, err := path.Read(t.Context(), registertest.Number(l.Number))
					truthful(t, s, l.Number, a, err, truth, func(r contracts.LicenseRecord) bool { return r.LicenseNumber == l.Number })
				}
			})
		}
		for _, path := range recipe.Paths(register.Search) {
			t.Run(fmt.Sprintf("%s/search/%s", s, path.Name), func(t *testing.T) {
				t.Parallel()
				for i, l := range licenses.Of(s) {
					q := []contracts.Query{
						{DBAName: l.DBA}, {OwnerName: l.Owner}, {Address: l.Premises.City + " " + l.Premises.Street}, {DBAName: "cafe", OwnerName: l.Owner},
					}[i%4]
					if q == (contracts.Query{}) {
						continue
					}
					a, err := path.Read(t.Context(), registertest.Query(q))
					truthful(t, s, registertest.Show(q), a, err, truth, func(r contracts.LicenseRecord) bool { return register.Matches(q, r) })
				}
			})
		}
	}
}

// A file that does not say how old it is grows old from when it was read.
func TestFilesWithoutADateGrowOld(t *testing.T) {
	t.Parallel()
	licenses := license.New(contracts.DateOf(time.Now()), license.Sizes{contracts.FL: 150, contracts.IL: 150})
	deps := registertest.Deps(t, map[string]http.Handler{
		florida.ExtractHost: undated(florida.NewExtracts(licenses, time.Now)),
		illinois.Host:       undated(illinois.New(licenses, func(*http.Request) bool { return false }, time.Now)),
	})
	later := time.Duration(0)
	deps.Clock = func() time.Time { return time.Now().Add(later) }
	all := licenses.Of(contracts.FL)
	plain := all[slices.IndexFunc(all, func(l license.License) bool { return l.Case == "plain" })].Number
	for _, tt := range []struct {
		state  contracts.State
		number string
		days   int
		kind   scrape.Kind
		old    bool
	}{
		{contracts.FL, plain, 0, "", false}, {contracts.FL, plain, 5, "", true}, {contracts.FL, plain, 60, scrape.Changed, false},
		{contracts.IL, "1A-9999999", 0, "", false}, {contracts.IL, "1A-9999999", 5, scrape.Unavailable, false},
		{contracts.IL, "1A-9999999", 60, scrape.Changed, false},
	} {
		later = time.Duration(tt.days) * 24 * time.Hour
		byCopy := Recipes[tt.state](deps).Paths(register.Lookup)[1]
		a, err := byCopy.Read(t.Context(), registertest.Number(tt.number))
		isOld := slices.ContainsFunc(a.Value.Notes, func(n contracts.Note) bool { return n.Code == contracts.NoteSourceOld })
		if scrape.KindOf(err) != tt.kind || isOld != tt.old || isOld && a.Confidence() >= contracts.MinConfidence ||
			a.Value.PublishedAt != nil {
			t.Errorf("%s after %d days: %s, confidence %v, %v", tt.state, tt.days, registertest.Show(a.Value), a.Confidence(), err)
		}
	}
}

// undated is a site that does not say how old its files are.
func undated(site http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		site.ServeHTTP(answer, r)
		answer.Header().Del("Last-Modified")
		maps.Copy(w.Header(), answer.Header())
		w.WriteHeader(answer.Code)
		_, _ = w.Write(answer.Body.Bytes())
	})
}

// truthful compares an answer with what the regulator knows.
func truthful(
	t *testing.T, s contracts.State, asked string, a scrape.Reading[register.Answer], err error,
	truth map[string]contracts.LicenseRecord, matches func(contracts.LicenseRecord) bool,
) {
	t.Helper()
	if err != nil || a.Confidence() < 0.9 {
		return
	}
	found := map[string]bool{}
	for _, r := range a.Value.Records {
		found[r.LicenseNumber] = true
		want, ok := truth[r.LicenseNumber]
		if !ok {
			t.Errorf("%s %s: %s is no license", s, asked, r.LicenseNumber)
		}
		for _, member := range differing(r, want) {
			if !slices.Contains(r.Inferred, member) && !slices.Contains(r.NotReported, member) {
				t.Errorf("%s %s, confidence %v: %s is\n got %s\nwant %s", s, asked, a.Confidence(), member, registertest.Show(r), registertest.Show(want))
			}
		}
	}
	for number, r := range truth {
		if matches(r) && !found[number] {
			t.Errorf("%s %s, confidence %v: %s (%s) is denied or left out", s, asked, a.Confidence(), number, r.Status)
		}
	}
}

// differing are the members in which two records differ. The text of an address is each source's own.
func differing(got, want contracts.LicenseRecord) (members []string) {
	for _, member := range register.Members {
		same := register.Text(got, member) == register.Text(want, member)
		switch member {
		case register.Raw:
			same = got.Address.Raw != ""
		case register.Suspensions:
			same = slices.Equal(got.Suspensions, want.Suspensions)
		}
		if !same {
			members = append(members, member)
		}
	}
	return members
}
