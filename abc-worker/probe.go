package abcworker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"assay.dev/abc-worker/mirror"
	"assay.dev/abc-worker/state"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// Question is what a probe asks a state: a license by its number, or a search.
type Question struct {
	Number string
	Query  contracts.Query
}

// Probe asks a state by every path of its recipe, one after the other, without NATS, cache or breakers; bulk files are
// downloaded for it and not kept. Its error is a question or a configuration that cannot work; a path's failure is in the
// report. What needs captcha-worker (solves, renders) fails as unavailable.
func Probe(ctx context.Context, cfg Config, s contracts.State, ask Question, log *slog.Logger) (scrape.ProbeReport[state.Found], error) {
	cfg = cfg.withDefaults()
	report := scrape.ProbeReport[state.Found]{Show: writeFound}
	if (ask.Number == "") == (ask.Query == contracts.Query{}) {
		return report, errors.New("ask for a license number, or for at least one of dba_name, owner_name and address")
	}
	if ask.Number != "" {
		number, err := contracts.NormalLicenseNumber(s, ask.Number)
		if err != nil {
			return report, err
		}
		ask.Number = number
	}
	report.Title = fmt.Sprintf("%s %s%s%s%s", s, ask.Number, ask.Query.DBAName, ask.Query.OwnerName, ask.Query.Address)
	fetcher, err := scrape.NewFetcher(cfg.ScrapeConfig, scrape.Deps{Log: log})
	if err != nil {
		return report, err
	}
	defer fetcher.Close()
	mirrors, err := mirror.Open(ctx, mirror.Deps{Environment: cfg.Environment, Fetcher: fetcher, Log: log})
	if err != nil {
		return report, err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		_ = mirrors.Close(ctx)
	}()
	recipe := state.Recipes[s](state.Deps{
		Environment: cfg.Environment, Fetcher: fetcher, Mirrors: mirrors, SODAToken: cfg.SODAToken.Reveal(), Clock: cfg.Clock,
	})
	if ask.Number == "" {
		report.Paths = scrape.Probe(ctx, ask.Query, recipe.Search)
	} else {
		report.Paths = scrape.Probe(ctx, ask.Number, finding(recipe.Lookup))
	}
	return report, ctx.Err()
}

// finding are lookups that tell what they found as a search does: 0 when there is proof that there is no such license.
func finding(lookups []state.LookupPath) []scrape.Path[string, state.Found] {
	var paths []scrape.Path[string, state.Found]
	for _, p := range lookups {
		paths = append(paths, scrape.Path[string, state.Found]{
			Name: p.Name, Method: p.Method, Timeout: p.Timeout,
			Read: func(ctx context.Context, number string) (state.SearchReading, error) {
				r, err := p.Read(ctx, number)
				found := state.SearchReading{Tally: r.Tally, EvidenceURL: r.EvidenceURL, ReadAt: r.ReadAt}
				if r.Value != nil {
					found.Value = state.Found{Total: 1, Records: []contracts.LicenseRecord{*r.Value}}
				}
				return found, err
			},
		})
	}
	return paths
}

// shown is how many records of a search are printed.
const shown = 5

func writeFound(w io.Writer, found state.Found) {
	fmt.Fprintf(w, "  found       %d\n", found.Total)
	for i, record := range found.Records {
		if i == shown {
			fmt.Fprintf(w, "  … and %d more\n", found.Total-shown)
			break
		}
		text, _ := json.MarshalIndent(record, "  ", "  ") // texts, dates and slices of them
		fmt.Fprintf(w, "  %s\n", text)
	}
}
