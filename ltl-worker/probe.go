package ltlworker

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/carrier"
	"assay.dev/ltl-worker/surcharge"
	"assay.dev/platform/scrape"
	"assay.dev/platform/scrape/browser"
)

// ProbeReport is what every path of a carrier's recipe gave when it was tried.
type ProbeReport struct {
	Carrier contracts.Carrier
	Today   contracts.Date // in New York
	Paths   []ProbedPath
}

// ProbedPath is one path's outcome: a Reading, or Err.
type ProbedPath struct {
	Name    string
	Method  contracts.Method
	Took    time.Duration
	Reading scrape.Reading[surcharge.Reading]
	Err     error
	// Transcript is every step of the path.
	Transcript *scrape.Transcript
}

// Failed tells whether no path could read the carrier.
func (r ProbeReport) Failed() bool {
	for _, p := range r.Paths {
		if p.Err == nil {
			return false
		}
	}
	return true
}

// Probe reads a carrier by every path of its recipe, one after the other, without NATS, cache, archive or breakers. Its
// error is a configuration that cannot work; a path's failure is in the report. Renders by a rendering service need
// captcha-worker and are not tried.
func Probe(ctx context.Context, cfg Config, c contracts.Carrier, log *slog.Logger) (ProbeReport, error) {
	cfg = cfg.withDefaults()
	r, closeAll, err := newReader(cfg, c, log)
	if err != nil {
		return ProbeReport{}, err
	}
	defer closeAll()
	report := ProbeReport{Carrier: c, Today: carrier.Today(cfg.Clock())}
	for _, p := range r.paths() {
		report.Paths = append(report.Paths, probe(ctx, p, report.Today))
	}
	return report, ctx.Err()
}

// newReader makes a reader that stands alone, and what closes it.
func newReader(cfg Config, c contracts.Carrier, log *slog.Logger) (*reader, func(), error) {
	deps := scrape.Deps{Log: log}
	fetcher, err := scrape.NewFetcher(cfg.ScrapeConfig, deps)
	if err != nil {
		return nil, nil, err
	}
	chromium := browser.New(cfg.BrowserConfig, fetcher, deps)
	return &reader{Recipe: cfg.Recipe(c), fetcher: fetcher, browser: chromium}, func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_ = chromium.Close(ctx)
		fetcher.Close()
	}, nil
}

func probe(ctx context.Context, p path, today contracts.Date) ProbedPath {
	ctx, cancel := context.WithTimeout(ctx, p.Timeout)
	defer cancel()
	ctx, transcript := scrape.WithTranscript(ctx)
	start := time.Now()
	found, err := p.Read(ctx, today)
	if err == nil {
		err = found.Doubt()
	}
	return ProbedPath{
		Name: p.Name, Method: p.Method, Took: time.Since(start), Reading: found, Err: err, Transcript: transcript,
	}
}

// Write prints the report for people, field by field, with the transcripts.
func (r ProbeReport) Write(w io.Writer) {
	fmt.Fprintf(w, "%s on %s\n", r.Carrier, r.Today)
	for _, p := range r.Paths {
		fmt.Fprintf(w, "\npath %s (%s), %d ms\n", p.Name, p.Method, p.Took.Milliseconds())
		if p.Err != nil {
			fmt.Fprintf(w, "  FAILED  %v\n", p.Err)
		} else {
			p.write(w)
		}
		fmt.Fprintf(w, "  transcript\n%s", p.Transcript)
	}
}

func (p ProbedPath) write(w io.Writer) {
	fmt.Fprintf(w, "  read_at     %s\n  evidence    %s\n  confidence  %.2f (%d of %d required fields clean)\n",
		p.Reading.ReadAt.UTC().Format(time.RFC3339), p.Reading.EvidenceURL, p.Reading.Confidence(), p.Reading.Clean, p.Reading.Required)
	fmt.Fprintf(w, "  %-14s  %18s  %20s  %s\n", "effective_date", "fuel_surcharge_pct", "doe_diesel_price_usd", "clean")
	for _, week := range p.Reading.Value.Coming {
		writeWeek(w, week, "to come")
	}
	for _, week := range p.Reading.Value.Weeks {
		writeWeek(w, week, "")
	}
}

func writeWeek(w io.Writer, week contracts.ObservedWeek, remark string) {
	diesel := "null"
	if week.DieselUSD != nil {
		diesel = fmt.Sprintf("%.3f", *week.DieselUSD)
	}
	fmt.Fprintf(w, "  %-14s  %18.2f  %20s  %d/%d %s\n", week.EffectiveDate, week.Percent, diesel, week.Clean, week.Required, remark)
}
