package kept

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/share"
)

// MaxShares is how many proofs a tenant may share at once.
const MaxShares = 1000

// Shares keeps shared proofs. A proof is found by its token alone, whoever shares it.
type Shares struct{ *shelf[share.ProofEntry] }

// Put keeps a proof.
func (s Shares) Put(ctx context.Context, o Owner, p share.Share) error {
	document, err := json.Marshal(p)
	if err != nil {
		return err
	}
	err = s.put(ctx, o, p.ID, document, func(all []share.ProofEntry) ([]share.ProofEntry, error) {
		all = append([]share.ProofEntry{p.ProofEntry}, current(all, p.CreatedAt)...)
		if len(all) > MaxShares {
			return nil, contracts.Invalid("body", "answer", "too_many",
				"%d proofs are shared already; revoke one first", MaxShares)
		}
		return all, nil
	})
	return err
}

// current are the entries of proofs that have not ended.
func current(all []share.ProofEntry, now time.Time) []share.ProofEntry {
	return slices.DeleteFunc(all, func(e share.ProofEntry) bool { return !now.Before(e.ExpiresAt) })
}

// Open is the proof with a token. The error is NOT_FOUND for one that never was, has ended or was revoked, and the same
// for all.
func (s Shares) Open(ctx context.Context, token string, now time.Time) (p share.Share, err error) {
	id := share.IDOf(token)
	p, err = read(ctx, s.shelf, Owner{}, id, "a shared proof", func(p *share.Share) bool { return p.ID == id })
	if err == nil && !now.Before(p.ExpiresAt) {
		return share.Share{}, s.missing(id)
	}
	return p, err
}

// List are the proofs that the tenant shares, the newest first.
func (s Shares) List(ctx context.Context, o Owner, now time.Time) ([]share.ProofEntry, error) {
	all, err := s.entries(ctx, o)
	return current(all, now), err
}

// Revoke ends a proof of the tenant's, by its token or id. The error is NOT_FOUND where the tenant shares no such
// proof.
func (s Shares) Revoke(ctx context.Context, o Owner, tokenOrID string) (id string, err error) {
	if id = tokenOrID; share.Tokens.MatchString(tokenOrID) {
		id = share.IDOf(tokenOrID)
	}
	return id, s.revoke(ctx, o, func(e share.ProofEntry) bool { return e.ID == id }, s.missing(id))
}

// RevokeOf ends the proofs of the tenant's that are of an audit.
func (s Shares) RevokeOf(ctx context.Context, o Owner, audit string) error {
	return s.revoke(ctx, o, func(e share.ProofEntry) bool { return e.AuditID == audit }, nil)
}

// revoke ends those of the tenant's proofs that are meant. Without any the error is none.
func (s Shares) revoke(ctx context.Context, o Owner, isMeant func(share.ProofEntry) bool, none error) error {
	all, err := s.entries(ctx, o) // only what is in the tenant's own list
	if err != nil {
		return err
	}
	for _, e := range all {
		if !isMeant(e) {
			continue
		}
		if none = s.Delete(ctx, o, e.ID); none != nil {
			return none
		}
	}
	return none
}
