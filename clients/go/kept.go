package client

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"assay.dev/contracts"
)

// Audits are those that are kept (contract §4.16), the newest first.
type Audits struct {
	Audits []AuditEntry `json:"audits"`
}

// AuditEntry is an audit that is kept, without its results.
type AuditEntry struct {
	ID        string              `json:"id"`
	KeptAt    time.Time           `json:"kept_at"`
	ExpiresAt time.Time           `json:"expires_at"`
	Contract  string              `json:"contract,omitempty"`
	Carriers  []contracts.Carrier `json:"carriers"`
	AuditSums
}

const auditsPath = "/v1/ltl/audits"

// Audits lists the audits that you keep.
func (c *Client) Audits(ctx context.Context) (*Answer[Audits], error) {
	return ask[Audits](ctx, c, get(auditsPath, nil))
}

// KeptAudit is the audit with an id, as it was answered. It is free.
func (c *Client) KeptAudit(ctx context.Context, id string) (*Answer[Audit], error) {
	return ask[Audit](ctx, c, get(auditsPath+"/"+url.PathEscape(id), nil))
}

// DeleteAudit deletes an audit.
func (c *Client) DeleteAudit(ctx context.Context, id string) error {
	_, err := ask[struct{}](ctx, c, request{method: http.MethodDelete, path: auditsPath + "/" + url.PathEscape(id)})
	return err
}
