package abcworker

import (
	"context"
	"math"
	"slices"
	"time"

	"assay.dev/abc-worker/mirror"
	"assay.dev/abc-worker/register"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// Reread asks a state's question again of the pages that it was answered from at a time, the one with the values first.
// It needs no network: the same paths read the pages in place of the sites. There is one reading for each path of the
// method that understands them.
func Reread(
	ctx context.Context, s contracts.State, ask register.Question, method contracts.Method, pages []*scrape.Page,
	at time.Time,
) ([]scrape.Reading[register.Answer], error) {
	op := register.Search
	if ask.Number != "" {
		op = register.Lookup
	}
	recipe, closed, err := replayed(ctx, s, pages, at, register.HoldColumns{})
	if err != nil {
		return nil, err
	}
	defer closed()
	paths := slices.DeleteFunc(recipe.Paths(op), func(p register.JudgedPath) bool { return p.Method != method })
	var readings []scrape.Reading[register.Answer]
	for _, p := range paths {
		p.Timeout = math.MaxInt64 // what a source may take does not count: ctx bounds the reading
		q := ask
		if p.Name != register.Mirror { // what a site gave after the position are the pages at hand
			q.After = contracts.Position{}
		}
		if probed := scrape.Probe(ctx, q.ForOnePass(), []register.JudgedPath{p})[0]; probed.Err == nil {
			readings = append(readings, probed.Reading)
		}
	}
	return readings, ctx.Err()
}

// replayed is the recipe of a state that reads pages in place of the sites, until it is closed.
func replayed(
	ctx context.Context, s contracts.State, pages []*scrape.Page, at time.Time, columns register.HoldColumns,
) (recipe register.Recipe, closed func(), err error) {
	fetcher := scrape.NewReplay(pages)
	mirrors, err := mirror.Open(ctx, mirror.Deps{Environment: contracts.Test, Fetcher: fetcher, Reread: true})
	if err != nil {
		return recipe, nil, err
	}
	recipe = Recipes[s](register.Deps{
		Environment: contracts.Test, Fetcher: fetcher, Mirrors: mirrors, Clock: func() time.Time { return at },
		HoldColumns: columns,
		Solve: func(context.Context, string, contracts.SolveJob) (contracts.SolveResult, error) {
			return contracts.SolveResult{Text: "reread"}, nil // the form's answer is among the pages, whatever is typed
		},
		Render: func(ctx context.Context, _ string, job contracts.RenderJob) (contracts.RenderResult, error) {
			page, err := fetcher.Fetch(ctx, scrape.Request{URL: job.URL})
			if err != nil {
				return contracts.RenderResult{}, err
			}
			return contracts.RenderResult{HTML: page.Body, FinalURL: page.URL}, nil
		},
	})
	return recipe, func() { _ = mirrors.Close(context.WithoutCancel(ctx)) }, nil
}
