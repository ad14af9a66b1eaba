package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"assay.dev/abc-worker/register"
	captchaworker "assay.dev/captcha-worker"
	"assay.dev/contracts"
	"assay.dev/ltl-worker/reader"
	"assay.dev/platform/scrape"
)

// probeResult is what a probe found, for people and for scripts.
type probeResult struct {
	Title string              `json:"title"`
	Paths []probedPath        `json:"paths"`
	Spent captchaworker.Spent `json:"spent"`

	failed []string
	write  func(io.Writer)
}

// probedPath is the outcome of one path: either Error is set, or what was read is.
type probedPath struct {
	Name        string           `json:"path"`
	Method      contracts.Method `json:"extraction_method"`
	TookMillis  int64            `json:"took_ms"`
	Error       string           `json:"error,omitempty"`
	ReadAt      time.Time        `json:"read_at,omitzero"`
	EvidenceURL string           `json:"evidence_url,omitempty"`
	Confidence  float64          `json:"confidence"`
	Clean       int              `json:"clean_fields"`
	Required    int              `json:"required_fields"`
	Found       any              `json:"found,omitempty"`
	Transcript  []string         `json:"transcript"`
}

// resultOf takes over a report. What a path read is told by facts.
func resultOf[T any](r scrape.ProbeReport[T], facts func(T) any) probeResult {
	result := probeResult{Title: r.Title, Paths: []probedPath{}, failed: r.Failed(), write: r.Write}
	for _, p := range r.All() {
		path := probedPath{Name: p.Name, Method: p.Method, TookMillis: p.Took.Milliseconds(), Transcript: []string{}}
		for _, step := range p.Transcript.Steps() {
			path.Transcript = append(path.Transcript, fmt.Sprintf("%d ms  %s", step.At.Milliseconds(), step.Text))
		}
		if p.Err != nil {
			path.Error = p.Err.Error()
		} else {
			path.ReadAt, path.EvidenceURL, path.Confidence = p.ReadAt.UTC(), p.EvidenceURL, p.Confidence()
			path.Clean, path.Required, path.Found = p.Clean, p.Required, facts(p.Value)
		}
		result.Paths = append(result.Paths, path)
	}
	return result
}

func weeksRead(r reader.Found) any {
	return struct {
		Weeks  []contracts.ObservedWeek `json:"weeks"`
		Coming []contracts.ObservedWeek `json:"coming,omitempty"`
	}{r.Weeks, r.Coming}
}

func licensesRead(a register.Answer) any {
	return struct {
		Total    int                       `json:"total_results"`
		Complete bool                      `json:"complete"`
		Notes    []contracts.Note          `json:"notes"`
		Records  []contracts.LicenseRecord `json:"results"`
	}{a.Total, a.Complete, a.Notes, a.Records}
}

// print prints the result, and fails when something of the source could not be read by any path.
func (r probeResult) print(c *console, asJSON bool) error {
	if asJSON {
		if err := printJSON(c, r); err != nil {
			return err
		}
	} else {
		r.write(c.out)
		fmt.Fprintf(c.out, "\nspent: %d credits (renders: %d), %.4f USD (solves: %d)\n",
			r.Spent.RenderCredits, r.Spent.Renders, r.Spent.SolveUSD, r.Spent.Solves)
	}
	if len(r.failed) > 0 {
		return fmt.Errorf("%s is not read: %s failed; the report says why of each path", r.Title,
			strings.Join(r.failed, ", "))
	}
	return nil
}
