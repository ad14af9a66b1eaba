package scrape

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"assay.dev/contracts"
)

// ProbeReport is what every path to some facts gave when it was tried.
type ProbeReport[T any] struct {
	// Title says what was asked.
	Title string
	Paths []ProbedPath[T]
	// Apart are paths to other facts, for which none of the others stands in.
	Apart []ProbedPath[T]
	// Show prints what a path read.
	Show func(io.Writer, T)
}

// ProbedPath is one path's outcome: a Reading, or Err.
type ProbedPath[T any] struct {
	Reading[T]
	Name   string
	Method contracts.Method
	Took   time.Duration
	Err    error
	// Transcript is every step of the path.
	Transcript *Transcript
}

type probeProgressKey struct{}

// WithProbeProgress gives a context in which [Probe] tells begun of each path before it tries it. A path may take a
// minute.
func WithProbeProgress(ctx context.Context, begun func(path string, method contracts.Method)) context.Context {
	return context.WithValue(ctx, probeProgressKey{}, begun)
}

// Probe asks q by every path, one after the other, without breakers. A path fails as it does in [Source.Read].
func Probe[Q, T any](ctx context.Context, q Q, paths []Path[Q, T]) []ProbedPath[T] {
	begun, _ := ctx.Value(probeProgressKey{}).(func(string, contracts.Method))
	var all []ProbedPath[T]
	for _, p := range paths {
		if begun != nil {
			begun(p.Name, p.Method)
		}
		all = append(all, probe(ctx, q, p))
	}
	return all
}

func probe[Q, T any](ctx context.Context, q Q, p Path[Q, T]) ProbedPath[T] {
	if p.Timeout <= 0 {
		p.Timeout = defaultTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, p.Timeout)
	defer cancel()
	ctx, transcript := WithTranscript(ctx)
	start := time.Now()
	reading, err := p.Read(ctx, q)
	if err == nil {
		err = reading.Doubt()
	}
	if reading.ReadAt.IsZero() {
		reading.ReadAt = time.Now()
	}
	return ProbedPath[T]{
		Reading: reading, Name: p.Name, Method: p.Method, Took: time.Since(start), Err: err, Transcript: transcript,
	}
}

// All are all paths.
func (r ProbeReport[T]) All() []ProbedPath[T] { return slices.Concat(r.Paths, r.Apart) }

// Failed names the paths for want of which something is not read: all of Paths where none could read, and those apart
// that could not.
func (r ProbeReport[T]) Failed() (names []string) {
	isRead := slices.ContainsFunc(r.Paths, func(p ProbedPath[T]) bool { return p.Err == nil })
	for i, p := range r.All() {
		if p.Err != nil && (i >= len(r.Paths) || !isRead) {
			names = append(names, p.Name)
		}
	}
	return names
}

// Write prints the report for people, with the transcripts.
func (r ProbeReport[T]) Write(w io.Writer) {
	fmt.Fprintln(w, r.Title)
	for _, p := range r.All() {
		fmt.Fprintf(w, "\npath %s (%s), %d ms\n", p.Name, p.Method, p.Took.Milliseconds())
		if p.Err != nil {
			fmt.Fprintf(w, "  FAILED  %v\n", p.Err)
		} else {
			fmt.Fprintf(w, "  read_at     %s\n  evidence    %s\n  confidence  %.2f (%d of %d required fields clean)\n",
				p.ReadAt.UTC().Format(time.RFC3339), p.EvidenceURL, p.Confidence(), p.Clean, p.Required)
			r.Show(w, p.Value)
		}
		fmt.Fprintf(w, "  transcript\n%s", p.Transcript)
	}
}
