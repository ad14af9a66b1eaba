// Package answers finds the final bytes of an answer: in the gateway's own copies, in the shared cache, or at a worker.
package answers

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
	"sync/atomic"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/coding"
)

// Tier is where an answer was found.
type Tier string

// The tiers, nearest first.
const (
	Local  Tier = "local"
	Shared Tier = "shared"
	Worker Tier = "worker"
)

// Answer is the body of an answer, ready to send. It is shared: do not change it.
type Answer struct {
	Body []byte
	// Coded gives Body in the codings that clients ask for.
	Coded *coding.Body
	// ETag is strong, with its quotes.
	ETag string
	contracts.Provenance

	absent   *contracts.Error // the source proved that there is nothing
	revision uint64           // of the shared entry; 0 when a worker's reply made this copy
	checkAt  atomic.Int64     // when to compare with the shared entry, Unix ns
}

// Found is an answer with how it was found.
type Found struct {
	*Answer
	Tier Tier
	// Collapsed: another request for the same answer was under way, and this one waited for it.
	Collapsed bool
	// RefreshFailed: a fresh reading was asked for and failed, and this is the copy from before.
	RefreshFailed bool
}

// Question asks for one answer of type A, as workers give it.
type Question[A any] struct {
	// Key is that of the shared entry. View tells apart the bodies that are made of one entry.
	Key  contracts.CacheKey
	View View
	// Fresh: no copy is good enough that was read more than [FreshEnough] ago. Request says the same to the worker.
	Fresh bool
	// RequestID is the id that the client sees: workers that are asked get it.
	RequestID string
	// Subject is where workers answer, Request what they are asked, MaxTime how long they may take.
	Subject contracts.Subject
	Request any
	MaxTime time.Duration
	// Body makes the HTTP body for a view. Its error is a NOT_FOUND that the source proved, or [ErrNoView].
	Body func(a A, view View) (contracts.Provenance, any, error)
	// forgets is what Store.forgets was when the question was asked.
	forgets uint64
}

// ErrNoView tells that the answer does not hold what the view shows; another one may.
var ErrNoView = contracts.Errorf(contracts.Internal, "the answer does not hold what is to be shown")

// View is the part of an answer that a body shows: so many weeks, or so many results after a position.
type View struct {
	Size  int
	After contracts.Position
}

// FreshEnough is how old a copy may be that is served to who asks for a fresh reading (contract §7.1).
const FreshEnough = time.Minute

// name is that of a copy.
type name struct {
	key  contracts.CacheKey
	view View
}

// sought names a look that requests share. Requests for a fresh reading share a look of their own, because that of the
// others may end with a copy that is not fresh enough.
type sought struct {
	name
	fresh bool
}

// isYoung tells whether the answer is as good as a fresh reading.
func (a *Answer) isYoung(now time.Time) bool { return now.Sub(a.ReadAt) < FreshEnough }

// outdates tells whether the answer was read after another one, such as the shared entry while the worker that gave
// this answer has not stored it yet. A reading in doubt does not outdate one that is not.
func (a *Answer) outdates(other *Answer) bool {
	return a.ReadAt.After(other.ReadAt) && (other.InDoubt() || !a.InDoubt())
}

// render makes the copy of an answer.
func render[A any](q Question[A], a A, revision uint64) (*Answer, error) {
	provenance, body, err := q.Body(a, q.View)
	answer := &Answer{Provenance: provenance, revision: revision}
	if !provenance.OfThisVersion() {
		answer.EndBy(time.Now().Add(otherVersionKept))
	}
	if contracts.CodeOf(err) == contracts.NotFound {
		answer.absent = contracts.AsError(err)
		return answer, nil
	}
	if err != nil {
		return nil, err
	}
	written, err := Marshal(body)
	answer.Body = bytes.Clone(written) // without the room that writing left behind it
	answer.Coded, answer.ETag = coding.NewBody(answer.Body), ETag(answer.Body)
	return answer, err
}

// Marshal is JSON without the escapes that only matter inside HTML, and with those of [contracts.EscapeJSON].
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return contracts.EscapeJSON(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), err
}

// ETag is a strong entity tag of body.
func ETag(body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
}

// MatchesETag tells whether the values of If-None-Match name an entity tag (RFC 9110 §13.1.2: weak comparison, lists,
// *).
func MatchesETag(ifNoneMatch []string, etag string) bool {
	for _, line := range ifNoneMatch {
		for tag := range strings.SplitSeq(line, ",") {
			if tag = strings.TrimSpace(tag); tag == "*" || strings.TrimPrefix(tag, "W/") == etag {
				return true
			}
		}
	}
	return false
}
