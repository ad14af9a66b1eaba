// Package registertest is what tests of the recipes of states share: sites that are played on loopback, and questions.
package registertest

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"assay.dev/abc-worker/mirror"
	"assay.dev/abc-worker/register"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
	"assay.dev/platform/scrape/scrapetest"
)

// Deps is what recipes need to read the hosts. Nobody solves CAPTCHAs or renders pages.
func Deps(t testing.TB, hosts map[string]http.Handler, adjust ...func(*scrape.Config)) register.Deps {
	t.Helper()
	cfg := scrapetest.Start(t, hosts).Config()
	cfg.HostConcurrency = 16
	for _, a := range adjust {
		a(&cfg)
	}
	return Through(t, cfg)
}

// Through is what recipes need to read sites by a configuration.
func Through(t testing.TB, cfg scrape.Config) register.Deps {
	t.Helper()
	fetcher, err := scrape.NewFetcher(cfg, scrape.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(fetcher.Close)
	mirrors, err := mirror.Open(context.Background(), mirror.Deps{Environment: contracts.Test, Fetcher: fetcher})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = mirrors.Close(context.Background()) })
	return register.Deps{Environment: contracts.Test, Fetcher: fetcher, Mirrors: mirrors, Clock: time.Now}
}

// Solver solves the CAPTCHA images that read knows the text of.
func Solver(read func(image []byte) (text string, known bool)) func(context.Context, string,
	contracts.SolveJob) (contracts.SolveResult, error) {
	return func(_ context.Context, _ string, job contracts.SolveJob) (contracts.SolveResult, error) {
		text, ok := read(job.Image)
		if !ok {
			return contracts.SolveResult{}, errors.New("not an image of the sandbox")
		}
		return contracts.SolveResult{Text: text}, nil
	}
}

// HasSolver says that there is a service that solves CAPTCHAs.
func HasSolver(context.Context) (contracts.SolverAnswer, error) {
	return contracts.SolverAnswer{Provider: "book"}, nil
}

// Found is the first record of a reading; nil when there is none.
func Found(r scrape.Reading[register.Answer]) *contracts.LicenseRecord {
	if len(r.Value.Records) == 0 {
		return nil
	}
	return &r.Value.Records[0]
}

// Number and Query are questions.
func Number(number string) register.Question { return register.Question{Number: number}.ForOnePass() }

// Query is a search.
func Query(q contracts.Query) register.Question { return register.Question{Query: q}.ForOnePass() }

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
