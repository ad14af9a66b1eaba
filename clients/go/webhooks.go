package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"assay.dev/contracts"
)

// WebhookTarget says where changes are sent (contract §4.21): of the types that are named, or all, and of the licenses
// of a portfolio, or all.
type WebhookTarget struct {
	URL       string                 `json:"url"`
	Types     []contracts.ChangeType `json:"types,omitempty"`
	Portfolio string                 `json:"portfolio,omitempty"`
}

// Webhook is one of yours. Status is active, failing, paused or disabled.
type Webhook struct {
	ID             string                 `json:"id"`
	URL            string                 `json:"url"`
	Types          []contracts.ChangeType `json:"types"`
	Portfolio      string                 `json:"portfolio,omitempty"`
	Status         string                 `json:"status"`
	DisabledReason string                 `json:"disabled_reason,omitempty"`
	FailingSince   *time.Time             `json:"failing_since"`
	OpenRetries    int                    `json:"open_retries"`
	CreatedAt      time.Time              `json:"created_at"`
	// Secret is told once, by create and rotate. EventID is what test and replay send.
	Secret  string `json:"secret,omitempty"`
	EventID string `json:"event_id,omitempty"`
}

// Webhooks are yours, the oldest first.
type Webhooks struct {
	Webhooks []Webhook `json:"webhooks"`
}

// WebhookOrder is what is done with a webhook: test, pause, resume, rotate, or replay with the event's id.
type WebhookOrder struct {
	Action  string `json:"action"`
	EventID string `json:"event_id,omitempty"`
}

// DeliveryAttempt is what became of an attempt to deliver. Status is 0 where there was no reply.
type DeliveryAttempt struct {
	EventID      string               `json:"event_id"`
	Type         contracts.ChangeType `json:"type"`
	At           time.Time            `json:"at"`
	Attempt      int                  `json:"attempt"`
	ByHand       bool                 `json:"by_hand"`
	Status       int                  `json:"status"`
	Error        string               `json:"error"`
	Reply        string               `json:"reply"`
	Milliseconds int64                `json:"milliseconds"`
	NextAt       *time.Time           `json:"next_at"`
}

// WebhookDeliveries are the attempts of the last 7 days, the newest first.
type WebhookDeliveries struct {
	Deliveries []DeliveryAttempt `json:"deliveries"`
}

const webhooksPath = "/v1/webhooks"

func webhookPath(id string) string { return webhooksPath + "/" + url.PathEscape(id) }

// Webhooks lists yours.
func (c *Client) Webhooks(ctx context.Context) (*Answer[Webhooks], error) {
	return ask[Webhooks](ctx, c, get(webhooksPath, nil))
}

// Webhook is the webhook of an id.
func (c *Client) Webhook(ctx context.Context, id string) (*Answer[Webhook], error) {
	return ask[Webhook](ctx, c, get(webhookPath(id), nil))
}

// CreateWebhook has each change sent to a URL from now on. The answer has the secret, once.
func (c *Client) CreateWebhook(ctx context.Context, target WebhookTarget) (*Answer[Webhook], error) {
	return send[Webhook](ctx, c, http.MethodPost, webhooksPath, target)
}

// ActOnWebhook tests a webhook, pauses or resumes it, rotates its secret, or sends an event again.
func (c *Client) ActOnWebhook(ctx context.Context, id string, order WebhookOrder) (*Answer[Webhook], error) {
	return send[Webhook](ctx, c, http.MethodPost, webhookPath(id), order)
}

// DeleteWebhook deletes a webhook.
func (c *Client) DeleteWebhook(ctx context.Context, id string) error {
	return c.remove(ctx, webhookPath(id))
}

// WebhookDeliveries lists what became of deliveries, at most limit; 0 is the API's default of 100.
func (c *Client) WebhookDeliveries(ctx context.Context, id string, limit int) (*Answer[WebhookDeliveries], error) {
	query := url.Values{}
	if limit != 0 {
		query.Set("limit", strconv.Itoa(limit))
	}
	return ask[WebhookDeliveries](ctx, c, get(webhookPath(id)+"/deliveries", query))
}
