package client

import (
	"context"
	"encoding/json"
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
	return c.remove(ctx, auditsPath+"/"+url.PathEscape(id))
}

// Sender is who claims from a carrier; the address has 1 to 6 lines.
type Sender struct {
	Name    string   `json:"name"`
	Address []string `json:"address"`
}

// Packet is a ZIP for a carrier. Name is a name for its file, such as claim-ODFL-2026-11-25.zip, without a directory.
type Packet struct {
	Name  string
	Bytes []byte
}

// Packet makes of an audit that is kept what goes to a carrier: the letter, the lines that may be contested, and the
// documents. It is free.
func (c *Client) Packet(ctx context.Context, id string, carrier contracts.Carrier, s Sender) (*Packet, error) {
	body, err := json.Marshal(map[string]any{"carrier": carrier, "sender": s})
	if err != nil {
		return nil, err
	}
	response, err := c.exchange(ctx, request{
		method: http.MethodPost, path: auditsPath + "/" + url.PathEscape(id) + "/packet", body: body,
		header: http.Header{"Content-Type": {"application/json"}},
	})
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	content, err := c.readBody(response)
	if err != nil {
		return nil, err
	}
	return &Packet{Name: fileName(response.Header.Get("Content-Disposition"), "packet.zip"), Bytes: content}, nil
}
