package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"time"

	"assay.dev/contracts"
)

// ShareRequest says what is to be proven to somebody without a key (contract §4.22): an answer, a line of a kept audit,
// or that a lookup found no such license.
type ShareRequest struct {
	// Answer is the answer of one carrier's fuel surcharge or of a lookup, as it came. Week chooses a week of it by its
	// first day.
	Answer json.RawMessage `json:"answer,omitempty"`
	Week   contracts.Date  `json:"week,omitempty"`
	// AuditID and Line are a line of an audit, by its number in the file.
	AuditID string `json:"audit_id,omitempty"`
	Line    int    `json:"line,omitempty"`
	// State, LicenseNumber and EvidenceSHA256 are those of a lookup that found nothing.
	State          contracts.State `json:"state,omitempty"`
	LicenseNumber  string          `json:"license_number,omitempty"`
	EvidenceSHA256 string          `json:"evidence_sha256,omitempty"`
	// Days is for how long, 1 to 400; 0 for 90.
	Days int `json:"days,omitempty"`
}

// ShareEntry is a proof that you share.
type ShareEntry struct {
	ID        string    `json:"id"`
	Kind      string    `json:"kind"`
	Claim     string    `json:"claim"`
	CreatedAt time.Time `json:"created_at"`
	ExpiresAt time.Time `json:"expires_at"`
	AuditID   string    `json:"audit_id,omitempty"`
}

// Shared is a proof that was made. Its address is told this once.
type Shared struct {
	ShareEntry
	Token string `json:"token"`
	URL   string `json:"url"`
}

// Shares are the proofs that you share, the newest first.
type Shares struct {
	Shares []ShareEntry `json:"shares"`
}

const sharesPath = "/v1/shares"

// Share gives a proof an address that anybody opens. What the documents do not say is refused. It is free.
func (c *Client) Share(ctx context.Context, of ShareRequest) (*Answer[Shared], error) {
	return send[Shared](ctx, c, http.MethodPost, sharesPath, of)
}

// Shares lists the proofs that you share.
func (c *Client) Shares(ctx context.Context) (*Answer[Shares], error) {
	return ask[Shares](ctx, c, get(sharesPath, nil))
}

// RevokeShare ends a proof, by its token or id.
func (c *Client) RevokeShare(ctx context.Context, tokenOrID string) error {
	return c.remove(ctx, sharesPath+"/"+url.PathEscape(tokenOrID))
}
