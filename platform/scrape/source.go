package scrape

import (
	"context"
	"time"

	"assay.dev/contracts"
)

// Reading is what a path read: the value, how cleanly, from where and when.
type Reading[T any] struct {
	Value T
	contracts.Tally
	// EvidenceURL is what a person opens to see the same.
	EvidenceURL string
	ReadAt      time.Time
}

// Path is one way to the facts. Read returns
//   - a Reading; one with a confidence below 0.50 counts as a failure of kind changed;
//   - a *[Failure]: the next path is tried. Kind unavailable (not set up here) and refused (our own doing) do not
//     count against the path;
//   - a *[contracts.Error] that is an answer, such as NOT_FOUND or CAPTCHA_SOLVER_NOT_CONFIGURED: it ends the read as
//     it is, no further path is tried, and it counts as a success of the path. Codes that say the work could not be
//     done (INTERNAL, SOURCE_UNAVAILABLE, TIMEOUT, BUSY, NO_WORKER) are failures instead; BUSY and NO_WORKER do not
//     count against the path.
type Path[Q, T any] struct {
	// Name is the path's label in metrics and traces.
	Name   string
	Method contracts.Method
	// Timeout bounds one Read; 0 means 15 s. A path before the last also leaves time for those after it.
	Timeout time.Duration
	Read    func(ctx context.Context, q Q) (Reading[T], error)
}

// Result is a Reading and the path that read it.
type Result[T any] struct {
	Reading[T]
	Method contracts.Method
	Path   string
}

// Source answers questions of type Q with a T by the first of its paths that works.
type Source[Q, T any] struct {
	name  string
	deps  Deps
	paths []Path[Q, T]
}

// NewSource makes a source of at least one path, in order of preference. Its name is a label from a closed set.
func NewSource[Q, T any](name string, deps Deps, paths ...Path[Q, T]) *Source[Q, T] {
	return &Source[Q, T]{name: name, deps: deps, paths: paths}
}

// Read asks the paths in order. When none works the error is SOURCE_UNAVAILABLE with the time after which a retry
// makes sense.
func (s *Source[Q, T]) Read(ctx context.Context, q Q) (Result[T], error) {
	return Result[T]{}, contracts.Errorf(contracts.SourceUnavailable, "not built yet")
}

// Health is the live part of a listing: the last success of any path and the state of the first path's breaker.
func (s *Source[Q, T]) Health() contracts.SourceHealth { return contracts.SourceHealth{} }
