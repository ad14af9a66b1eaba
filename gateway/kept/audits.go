package kept

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"slices"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/audit"
	"assay.dev/gateway/lines"
	"assay.dev/platform/kv"
)

const (
	// MaxAudits is how many audits a tenant keeps. The oldest go.
	MaxAudits = 200
	// repeated is for how long the request of an audit may be repeated and is answered with what was kept. It is less than
	// the day for which it is remembered that it was charged.
	repeated = 23 * time.Hour
	// atOnce is how far apart two equal requests may be that are answered at the same time.
	atOnce = time.Minute
)

// ErrTwice is the failure of an audit that an equal request has kept meanwhile.
var ErrTwice error = contracts.Errorf(contracts.SourceUnavailable,
	"the same request was just answered; retry to get the audit that it kept").After(time.Second)

// AuditEntry is an audit in a list.
type AuditEntry struct {
	ID        string              `json:"id"`
	KeptAt    time.Time           `json:"kept_at" jsonschema:"When it was made, UTC."`
	ExpiresAt time.Time           `json:"expires_at" jsonschema:"When it goes by itself, UTC. It goes earlier where newer ones need its room."`
	Contract  string              `json:"contract,omitempty" jsonschema:"The contract that it went by; absent for what carriers published."`
	Carriers  []contracts.Carrier `json:"carriers" jsonschema:"Those of the lines with a verdict."`
	audit.Sums
}

// Audit is an audit as it is kept.
type Audit struct {
	AuditEntry
	Found   *lines.Found    `json:"found"`
	Results []audit.Audited `json:"results"`
	// Grounds are what the right percents were computed from; none in audits of versions that did not keep them.
	Grounds []audit.Ground `json:"grounds,omitempty"`
}

// GroundOf is what the right percent of a line rests on, by the line's number; nil where that is not kept.
func (a Audit) GroundOf(number int) *audit.Ground {
	i := slices.IndexFunc(a.Results, func(r audit.Audited) bool { return r.Number == number && r.Verdict.IsResolved() })
	if i < 0 {
		return nil
	}
	r := a.Results[i]
	for i := range a.Grounds {
		g := &a.Grounds[i]
		switch isIts := g.Carrier == contracts.Carrier(r.Carrier); {
		case g.Week != nil && isIts && g.Week.Weeks[0].EffectiveDate == r.EffectiveDate:
			return g
		case g.Week == nil && r.EffectiveDate == "" && (isIts || g.Carrier == "") && len(g.Evidence) > 0:
			return g
		}
	}
	return nil
}

// auditEntry is what the tenant's entry says of an audit besides: how large it is, and the hash of the request that
// made it.
type auditEntry struct {
	AuditEntry
	Bytes   int    `json:"bytes"`
	Request string `json:"request,omitempty"`
}

// Audits keeps audits.
type Audits struct{ *shelf[auditEntry] }

// AuditIDs are the ids that audits may have, and replies.
var AuditIDs = regexp.MustCompile(`^[0-9a-f]{32}$`)

// newID is an id that cannot be guessed.
func newID() string {
	var id [16]byte
	_, _ = rand.Read(id[:]) // it never fails
	return hex.EncodeToString(id[:])
}

// NewAudit makes an audit of results and what they rest on, with an id that cannot be guessed.
func NewAudit(found *lines.Found, results []audit.Audited, grounds []audit.Ground, contract string,
	now time.Time) Audit {
	now = now.UTC().Truncate(time.Second)
	a := Audit{
		AuditEntry: AuditEntry{
			ID: newID(), KeptAt: now, ExpiresAt: now.Add(contracts.AuditsBucket.TTL), Contract: contract,
			Carriers: []contracts.Carrier{},
		},
		Found: found, Results: results, Grounds: grounds,
	}
	totals := audit.NewTotals()
	for _, r := range results {
		totals.Add(r.Result)
		if c := contracts.Carrier(r.Carrier); r.Verdict.IsResolved() && !slices.Contains(a.Carriers, c) {
			a.Carriers = append(a.Carriers, c)
		}
	}
	slices.Sort(a.Carriers)
	a.Sums = totals.Sums
	return a
}

// Put keeps an audit. request is the hash of the request that made it; empty for one that is not told from others. An
// audit that is larger than the store takes is refused, and by [ErrTwice] one whose request has just kept another.
func (s Audits) Put(ctx context.Context, o Owner, a Audit, request string) error {
	document, err := json.Marshal(a)
	if err != nil {
		return err
	}
	if len(document) > kv.MaxExpanded {
		return contracts.Errorf(contracts.RequestTooLarge, "the result has %d bytes, and one of %d at most is "+
			"kept; send fewer lines at once", len(document), kv.MaxExpanded)
	}
	document = kv.Compress(document)
	entry := auditEntry{a.AuditEntry, len(document), request}
	err = s.put(ctx, o, a.ID, document, func(all []auditEntry) ([]auditEntry, error) {
		for _, e := range all {
			if request != "" && e.Request == request && e.ID != a.ID && a.KeptAt.Sub(e.KeptAt) < atOnce {
				return nil, ErrTwice
			}
		}
		return newest(append([]auditEntry{entry}, all...), MaxAudits, s.room(), func(e auditEntry) (int, bool) {
			return e.Bytes, a.KeptAt.Before(e.ExpiresAt)
		}), nil
	})
	if err != nil {
		_ = s.Delete(context.WithoutCancel(ctx), o, a.ID) // the audit was not told of; what is left of it goes by itself
	}
	return err
}

// lasting are the entries whose audits are not too old. The bucket drops those by itself, but after a restore later.
func lasting(all []auditEntry, now time.Time) []auditEntry {
	return slices.DeleteFunc(all, func(e auditEntry) bool { return !now.Before(e.ExpiresAt) })
}

// Get is the audit with an id. The error is NOT_FOUND where there is none.
func (s Audits) Get(ctx context.Context, o Owner, id string, now time.Time) (a Audit, err error) {
	if !AuditIDs.MatchString(id) {
		return Audit{}, s.missing(id)
	}
	a, err = read(ctx, s.shelf, o, id, "an audit", func(a *Audit) bool { return a.ID == id })
	if err == nil && !now.Before(a.ExpiresAt) {
		return Audit{}, s.missing(id)
	}
	return a, err
}

// Repeated is the audit that a request made within a day; ok is false where there is none.
func (s Audits) Repeated(ctx context.Context, o Owner, request string, now time.Time) (a Audit, ok bool, err error) {
	all, err := s.entries(ctx, o)
	for _, e := range all {
		if e.Request == request && now.Sub(e.KeptAt) < repeated {
			a, err = s.Get(ctx, o, e.ID, now)
			if contracts.CodeOf(err) == contracts.NotFound {
				return Audit{}, false, nil
			}
			return a, err == nil, err
		}
	}
	return Audit{}, false, err
}

// Delete removes an audit. The error is NOT_FOUND where there is none.
func (s Audits) Delete(ctx context.Context, o Owner, id string) error {
	if !AuditIDs.MatchString(id) {
		return s.missing(id)
	}
	return s.shelf.Delete(ctx, o, id)
}

// List are the tenant's audits, the newest first.
func (s Audits) List(ctx context.Context, o Owner, now time.Time) ([]AuditEntry, error) {
	all, err := s.entries(ctx, o)
	list := []AuditEntry{}
	for _, e := range lasting(all, now) {
		list = append(list, e.AuditEntry)
	}
	return list, err
}
