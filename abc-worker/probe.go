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
	"assay.dev/abc-worker/register"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// Question is what a probe asks a state: a license by its number, or a search.
type Question struct {
	Number string
	Query  contracts.Query
}

// Probe asks a state by every path of its recipe, one after the other, without NATS, cache or breakers. Bulk files are
// downloaded for it and not kept. Its error is about a question or a configuration that cannot work; the failure of a
// path is in the report. Paths that need solves or renders fail as unavailable without cfg.Solve and cfg.Render.
func Probe(
	ctx context.Context, cfg Config, s contracts.State, ask Question, log *slog.Logger,
) (scrape.ProbeReport[register.Answer], error) {
	cfg = cfg.withDefaults()
	report := scrape.ProbeReport[register.Answer]{Show: writeFound}
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
	recipe := Recipes[s](register.Deps{
		Environment: cfg.Environment, Fetcher: fetcher, Mirrors: mirrors,
		SODAToken: cfg.SODAToken.Reveal(), HoldColumns: cfg.HoldColumns, Clock: cfg.Clock, Solve: cfg.Solve,
		Render: cfg.Render,
	})
	op := register.Search
	if ask.Number != "" {
		op = register.Lookup
	}
	q := register.Question{Number: ask.Number, Query: ask.Query}
	report.Paths = scrape.Probe(ctx, q.ForOnePass(), recipe.Paths(op))
	for _, l := range recipe.Lists {
		report.Apart = append(report.Apart, scrape.Probe(ctx, q.ForOnePass(), []register.JudgedPath{l.Path()})...)
	}
	return report, ctx.Err()
}

// maxPrinted is how many records of a search are printed.
const maxPrinted = 5

func writeFound(w io.Writer, found register.Answer) {
	fmt.Fprintf(w, "  found       %d, complete %v\n", found.Total, found.Complete)
	for _, n := range found.Notes {
		fmt.Fprintf(w, "  note        %s: %s\n", n.Code, n.Message)
	}
	for i, record := range found.Records {
		if i == maxPrinted {
			fmt.Fprintf(w, "  … and %d more\n", found.Total-maxPrinted)
			break
		}
		text, _ := json.MarshalIndent(record, "  ", "  ") // texts, dates and slices of them
		fmt.Fprintf(w, "  %s\n", text)
	}
}
