package answers

import (
	"context"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
)

const (
	// maxAsks bounds how often workers are asked while those of another version answer.
	maxAsks = 4
	// otherVersionKept is how long a reply of another version is served.
	otherVersionKept = time.Minute
)

// versioned is an answer that tells whether it is of this version.
type versioned interface{ OfThisVersion() bool }

func ofThisVersion(a any) bool {
	v, ok := a.(versioned)
	return !ok || v.OfThisVersion()
}

// ask asks workers. During a rolling update some of them are of another version, whose replies claim more than they can
// prove: another worker is asked then, a few times, since NATS picks one by chance. If none of this version is met, the
// reply is given after all, and its body says what it is; a reply that finds nothing is SOURCE_UNAVAILABLE.
func ask[A any](ctx context.Context, s *Store, q Question[A]) (a A, err error) {
	for range maxAsks {
		a, err = bus.Call[A](ctx, s.client, q.Subject, q.Request)
		if err != nil || ofThisVersion(a) {
			return a, err
		}
	}
	if findsNothing(a, q.Request) {
		return a, contracts.Errorf(contracts.SourceUnavailable,
			"the service is being updated, and the worker that answered cannot prove that there is nothing; retry in a moment").After(otherVersionRetry)
	}
	return a, nil
}

// otherVersionRetry is when an update will have come further.
const otherVersionRetry = 15 * time.Second

// findsNothing tells of a reply of another version that it would be read as "there is none". One to a request for a
// further page is such a reply: it begins with the first match.
func findsNothing(a, request any) bool {
	switch a := a.(type) {
	case contracts.LicenseAnswer:
		return a.Record == nil
	case contracts.SearchAnswer:
		r, _ := request.(contracts.SearchRequest)
		return len(a.Results) == 0 || r.After != (contracts.Position{})
	}
	return false
}
