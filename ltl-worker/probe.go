package ltlworker

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/carrier"
	"assay.dev/ltl-worker/reader"
	"assay.dev/platform/scrape"
	"assay.dev/platform/scrape/browser"
)

// Probe reads a carrier by every path of its recipe, or by those named, one after the other, without NATS, cache,
// archive or breakers. The failure of a path is in the report; the error is about settings that cannot work. The path
// "scraper" fails without cfg.Render.
func Probe(
	ctx context.Context, cfg Config, c contracts.Carrier, log *slog.Logger, paths ...string,
) (scrape.ProbeReport[reader.Found], error) {
	cfg = cfg.withDefaults()
	today := contracts.Today(cfg.Clock())
	report := scrape.ProbeReport[reader.Found]{Title: fmt.Sprintf("%s on %s", c, today), Show: writeWeeks}
	r, closeAll, err := newReader(cfg, cfg.Recipe(c), log)
	if err != nil {
		return report, err
	}
	defer closeAll()
	all := slices.DeleteFunc(r.Paths(),
		func(p reader.Path) bool { return len(paths) > 0 && !slices.Contains(paths, p.Name) })
	report.Paths = scrape.Probe(ctx, today, all)
	return report, ctx.Err()
}

// newReader makes a reader with a fetcher and a browser of its own. closeAll closes both.
func newReader(cfg Config, recipe carrier.Recipe, log *slog.Logger) (r *reader.Reader, closeAll func(), err error) {
	deps := scrape.Deps{Log: log}
	fetcher, err := scrape.NewFetcher(cfg.ScrapeConfig, deps)
	if err != nil {
		return nil, nil, err
	}
	chromium := browser.New(cfg.BrowserConfig, fetcher, deps)
	return &reader.Reader{Recipe: recipe, Fetcher: fetcher, Browser: chromium, Render: cfg.Render}, func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_ = chromium.Close(ctx)
		fetcher.Close()
	}, nil
}

func writeWeeks(w io.Writer, read reader.Found) {
	fmt.Fprintf(w, "  %-14s  %18s  %20s  %s\n", "effective_date", "fuel_surcharge_pct", "doe_diesel_price_usd", "clean")
	for _, week := range read.Coming {
		writeWeek(w, week, "to come")
	}
	for _, week := range read.Weeks {
		writeWeek(w, week, "")
	}
}

func writeWeek(w io.Writer, week contracts.ObservedWeek, remark string) {
	diesel := "null"
	if week.DieselUSD != nil {
		diesel = fmt.Sprintf("%.3f", *week.DieselUSD)
	}
	fmt.Fprintf(w, "  %-14s  %18.2f  %20s  %d/%d %s\n",
		week.EffectiveDate, week.Percent, diesel, week.Clean, week.Required, remark)
}
