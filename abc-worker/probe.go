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

// ProbeReport is what every path of a state's recipe gave when it was tried.
type ProbeReport struct {
	State    contracts.State
	Question Question // its number in normal form
	Paths    []ProbedPath
}

// ProbedPath is one path's outcome: Records and what else the reading says, or Err.
type ProbedPath struct {
	Name   string
	Method contracts.Method
	Took   time.Duration
	contracts.Tally
	EvidenceURL string
	ReadAt      time.Time
	// Total counts all matches; of a lookup it is 0 when the path proved that there is no such license.
	Total   int
	Records []contracts.LicenseRecord
	Err     error
	// Transcript is every step of the path.
	Transcript *scrape.Transcript
}

// Failed tells whether no path could read the state.
func (r ProbeReport) Failed() bool {
	for _, p := range r.Paths {
		if p.Err == nil {
			return false
		}
	}
	return true
}

// Probe asks a state by every path of its recipe, one after the other, without NATS, cache or breakers; bulk files are
// downloaded for it and not kept. Its error is a question or a configuration that cannot work; a path's failure is in the
// report. What needs captcha-worker (solves, renders) fails as unavailable.
func Probe(ctx context.Context, cfg Config, s contracts.State, ask Question, log *slog.Logger) (ProbeReport, error) {
	cfg = cfg.withDefaults()
	report := ProbeReport{State: s, Question: ask}
	if (ask.Number == "") == (ask.Query == contracts.Query{}) {
		return report, errors.New("ask for a license number, or for at least one of dba_name, owner_name and address")
	}
	if ask.Number != "" {
		number, err := contracts.NormalLicenseNumber(s, ask.Number)
		if err != nil {
			return report, err
		}
		report.Question.Number = number
	}
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
	report.Paths = probeAll(ctx, recipe, report.Question)
	return report, ctx.Err()
}

func probeAll(ctx context.Context, recipe state.Recipe, ask Question) []ProbedPath {
	var paths []ProbedPath
	if ask.Number == "" {
		for _, p := range recipe.Search {
			paths = append(paths, probe(ctx, p, ask.Query, func(f state.Found) (int, []contracts.LicenseRecord) { return f.Total, f.Records }))
		}
		return paths
	}
	for _, p := range recipe.Lookup {
		paths = append(paths, probe(ctx, p, ask.Number, func(r *contracts.LicenseRecord) (int, []contracts.LicenseRecord) {
			if r == nil {
				return 0, nil
			}
			return 1, []contracts.LicenseRecord{*r}
		}))
	}
	return paths
}

func probe[Q, T any](ctx context.Context, p scrape.Path[Q, T], q Q, records func(T) (int, []contracts.LicenseRecord)) ProbedPath {
	timeout := p.Timeout
	if timeout == 0 {
		timeout = 15 * time.Second
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	ctx, transcript := scrape.WithTranscript(ctx)
	start := time.Now()
	reading, err := p.Read(ctx, q)
	if err == nil {
		err = reading.Doubt()
	}
	probed := ProbedPath{
		Name: p.Name, Method: p.Method, Took: time.Since(start), Tally: reading.Tally, EvidenceURL: reading.EvidenceURL,
		ReadAt: reading.ReadAt, Err: err, Transcript: transcript,
	}
	if err == nil {
		probed.Total, probed.Records = records(reading.Value)
	}
	return probed
}

// Write prints the report for people, with the transcripts.
func (r ProbeReport) Write(w io.Writer) {
	fmt.Fprintf(w, "%s %s%s%s%s\n", r.State, r.Question.Number, r.Question.Query.DBAName, r.Question.Query.OwnerName, r.Question.Query.Address)
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

// shown is how many records of a search are printed.
const shown = 5

func (p ProbedPath) write(w io.Writer) {
	fmt.Fprintf(w, "  read_at     %s\n  evidence    %s\n  confidence  %.2f (%d of %d required fields clean)\n  found       %d\n",
		p.ReadAt.UTC().Format(time.RFC3339), p.EvidenceURL, p.Confidence(), p.Clean, p.Required, p.Total)
	for i, record := range p.Records {
		if i == shown {
			fmt.Fprintf(w, "  … and %d more\n", p.Total-shown)
			break
		}
		text, _ := json.MarshalIndent(record, "  ", "  ") // texts, dates and slices of them
		fmt.Fprintf(w, "  %s\n", text)
	}
}
