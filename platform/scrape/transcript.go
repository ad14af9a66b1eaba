package scrape

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"
)

// maxSteps bounds a transcript: a page with a thousand subresources must not fill the memory.
const maxSteps = 400

// Step is one thing a read did.
type Step struct {
	// At is the time since the transcript began.
	At time.Duration
	// Text is one line without secrets.
	Text string
}

// Transcript records what a read did, for people. All methods work on a nil *Transcript, which records nothing.
type Transcript struct {
	start time.Time

	mu      sync.Mutex
	steps   []Step
	dropped int
}

type transcriptKey struct{}

// WithTranscript gives a context whose reads are recorded in the transcript.
func WithTranscript(ctx context.Context) (context.Context, *Transcript) {
	t := &Transcript{start: time.Now()}
	return context.WithValue(ctx, transcriptKey{}, t), t
}

// Notef records a line in the context's transcript, if it has one.
func Notef(ctx context.Context, format string, args ...any) {
	t, _ := ctx.Value(transcriptKey{}).(*Transcript)
	t.Notef(format, args...)
}

// Notef records a line.
func (t *Transcript) Notef(format string, args ...any) {
	if t == nil {
		return
	}
	step := Step{At: time.Since(t.start), Text: fmt.Sprintf(format, args...)}
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.steps) == maxSteps {
		t.dropped++
		return
	}
	t.steps = append(t.steps, step)
}

// Steps is a copy of what was recorded so far.
func (t *Transcript) Steps() []Step {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]Step(nil), t.steps...)
}

// String prints one step a line, each with its time in milliseconds.
func (t *Transcript) String() string {
	var b strings.Builder
	for _, s := range t.Steps() {
		fmt.Fprintf(&b, "%7.1f ms  %s\n", float64(s.At.Microseconds())/1000, s.Text)
	}
	if t != nil && t.dropped > 0 {
		fmt.Fprintf(&b, "            … and %d more steps\n", t.dropped)
	}
	return b.String()
}
