package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	client "assay.dev/clients/go"
	"assay.dev/contracts"
)

// object is a JSON object.
type object = map[string]any

// callArguments are those of all calls.
type callArguments struct {
	Since         string                 `json:"since"`
	Product       []contracts.Product    `json:"product"`
	Source        []string               `json:"source"`
	Type          []contracts.ChangeType `json:"type"`
	Wait          int                    `json:"wait"`
	Carrier       contracts.Carrier      `json:"carrier"`
	Carriers      []contracts.Carrier    `json:"carriers"`
	Weeks         int                    `json:"weeks"`
	AsOf          contracts.Date         `json:"as_of"`
	From          contracts.Date         `json:"from"`
	To            contracts.Date         `json:"to"`
	KnownAt       string                 `json:"known_at"`
	Announced     bool                   `json:"announced"`
	State         contracts.State        `json:"state"`
	LicenseNumber string                 `json:"license_number"`
	contracts.Query
	Limit           int                   `json:"limit"`
	Lines           []client.AuditLine    `json:"lines"`
	Customers       []client.CustomerLine `json:"customers"`
	TolerancePoints string                `json:"tolerance_points"`
	Sender          client.Sender         `json:"sender"`
	Name            string                `json:"name"`

	Licenses []client.PortfolioLicense `json:"licenses"`
	Add      []client.PortfolioLicense `json:"add"`
	Remove   []client.PortfolioLicense `json:"remove"`
	Every    string                    `json:"every"`
	DryRun   bool                      `json:"dry_run"`

	URL       string                 `json:"url"`
	Types     []contracts.ChangeType `json:"types"`
	WebhookID string                 `json:"webhook_id"`
	client.WebhookOrder
}

// callGo makes the call of a case with the Go client.
func callGo(ctx context.Context, c clientCase) (any, error) {
	api, err := client.New(c.options())
	if err != nil {
		return nil, err
	}
	defer api.Close()
	var a callArguments
	if c.Args != nil {
		if err := json.Unmarshal(c.Args, &a); err != nil {
			return nil, err
		}
	}
	weeks := client.Weeks{Last: a.Weeks, AsOf: a.AsOf, From: a.From, To: a.To, KnownAt: a.KnownAt, Announced: a.Announced}
	query := client.Query{State: a.State, Query: a.Query, Limit: a.Limit}
	switch c.Call {
	case "carriers":
		answer, err := api.Carriers(ctx)
		return goOutcome(ctx, api, c, answer, err)
	case "states":
		answer, err := api.States(ctx)
		return goOutcome(ctx, api, c, answer, err)
	case "fuel_surcharge":
		answer, err := api.FuelSurcharge(ctx, a.Carrier, weeks)
		return goOutcome(ctx, api, c, answer, err)
	case "fuel_surcharges":
		answer, err := api.FuelSurcharges(ctx, a.Carriers, weeks)
		return goOutcome(ctx, api, c, answer, err)
	case "fuel_table":
		answer, err := api.FuelTable(ctx, a.Carrier, a.AsOf)
		return goOutcome(ctx, api, c, answer, err)
	case "diesel":
		answer, err := api.Diesel(ctx, a.From, a.To)
		return goOutcome(ctx, api, c, answer, err)
	case "changes":
		answer, err := api.Changes(ctx, client.ChangesQuery{Since: a.Since, Products: a.Product, Sources: a.Source, Types: a.Type, Wait: a.Wait})
		return goOutcome(ctx, api, c, answer, err)
	case "delivery":
		answer, err := api.Delivery(ctx, client.DeliveryQuery{State: a.State, LicenseNumber: a.LicenseNumber})
		return goOutcome(ctx, api, c, answer, err)
	case "match":
		answer, err := api.Match(ctx, a.Customers)
		return goOutcome(ctx, api, c, answer, err)
	case "put_portfolio":
		answer, err := api.PutPortfolio(ctx, a.Name, a.Licenses)
		return goOutcome(ctx, api, c, answer, err)
	case "change_portfolio":
		answer, err := api.ChangePortfolio(ctx, a.Name, a.Add, a.Remove)
		return goOutcome(ctx, api, c, answer, err)
	case "stops":
		answer, err := api.Stops(ctx, a.Name, "", "")
		return goOutcome(ctx, api, c, answer, err)
	case "confirm_portfolio":
		answer, err := api.ConfirmPortfolio(ctx, a.Name, a.Every, a.DryRun)
		return goOutcome(ctx, api, c, answer, err)
	case "license":
		answer, err := api.License(ctx, a.State, a.LicenseNumber)
		return goOutcome(ctx, api, c, answer, err)
	case "search":
		answer, err := api.Search(ctx, query)
		return goOutcome(ctx, api, c, answer, err)
	case "audit":
		answer, err := api.Audit(ctx, a.Lines, client.AuditOptions{TolerancePoints: a.TolerancePoints})
		return goOutcome(ctx, api, c, answer, err)
	case "kept_audit":
		return keptGo(ctx, api, a)
	case "shared_proof":
		return sharedGo(ctx, api, a)
	case "kept_webhook":
		return webhookGo(ctx, api, client.WebhookTarget{URL: a.URL, Types: a.Types})
	case "act_on_webhook":
		answer, err := api.ActOnWebhook(ctx, a.WebhookID, a.WebhookOrder)
		return goOutcome(ctx, api, c, answer, err)
	case "webhook_deliveries":
		answer, err := api.WebhookDeliveries(ctx, a.WebhookID, a.Limit)
		return goOutcome(ctx, api, c, answer, err)
	case "quote_audit":
		answer, err := api.QuoteAudit(ctx, a.Lines, client.AuditOptions{})
		return goOutcome(ctx, api, c, answer, err)
	}
	pages := []contracts.Search{}
	for page, err := range api.SearchPages(ctx, query) {
		if err != nil {
			return nil, err
		}
		pages = append(pages, page.Body)
	}
	return object{"pages": pages}, nil
}

// goOutcome is what became of a call.
func goOutcome[Body any](ctx context.Context, api *client.Client, c clientCase, a *client.Answer[Body], err error) (any, error) {
	if err == nil {
		err = a.Require(c.Require...)
	}
	if err != nil {
		return nil, err
	}
	outcome := object{"body": a.Body, "environment": a.Environment, "request_id": a.RequestID, "age": nil}
	if age := a.Header.Get("Age"); age != "" {
		outcome["age"] = age
	}
	if !c.Documents {
		return outcome, nil
	}
	documents := []object{}
	for _, e := range a.Blocks[0].Evidence {
		d, err := api.Evidence(ctx, e)
		if err != nil {
			return nil, err
		}
		documents = append(documents, object{"name": d.Name, "size": len(d.Bytes)})
	}
	outcome["documents"] = documents
	return outcome, nil
}

// goFailure is an error as the cases write it.
func goFailure(err error) object {
	var failed *client.Error
	var unsure *client.ConfidenceError
	var member *client.MemberError
	var unreachable *client.UnreachableError
	var foreign *client.ForeignError
	switch {
	case errors.As(err, &failed):
		var retry any
		if failed.RetryAfter >= 0 {
			retry = failed.RetryAfter.Seconds()
		}
		return object{
			"error": "api", "code": failed.Code, "message": failed.Message, "advice": failed.Advice, "request_id": failed.RequestID,
			"status": failed.Status, "retry_after": retry, "reason": failed.Reason, "is_proof_of_absence": failed.IsProofOfAbsence(),
			"has_proof": failed.Proof != nil, "cursor": failed.Cursor, "raw": string(failed.Raw),
		}
	case errors.As(err, &unsure):
		return object{"error": "confidence", "confidence": unsure.Confidence, "required": unsure.Required, "notes": unsure.Notes}
	case errors.As(err, &member):
		return object{"error": "member", "member": member.Member, "why": member.Why}
	case errors.As(err, &unreachable):
		return object{"error": "unreachable"}
	case errors.As(err, &foreign):
		return object{"error": "foreign", "status": foreign.Status}
	}
	return object{"error": "other", "message": err.Error()}
}

// webhookGo is a webhook that is made, found, given a new secret, paused and deleted.
func webhookGo(ctx context.Context, api *client.Client, target client.WebhookTarget) (any, error) {
	made, err := api.CreateWebhook(ctx, target)
	if err != nil {
		return nil, err
	}
	id := made.Body.ID
	list, err1 := api.Webhooks(ctx)
	read, err2 := api.Webhook(ctx, id)
	rotated, err3 := api.ActOnWebhook(ctx, id, client.WebhookOrder{Action: "rotate"})
	paused, err4 := api.ActOnWebhook(ctx, id, client.WebhookOrder{Action: "pause"})
	deliveries, err5 := api.WebhookDeliveries(ctx, id, 0)
	if err := errors.Join(err1, err2, err3, err4, err5, api.DeleteWebhook(ctx, id)); err != nil {
		return nil, err
	}
	var gone *client.Error
	if _, err := api.Webhook(ctx, id); !errors.As(err, &gone) {
		return nil, fmt.Errorf("a deleted webhook is answered with %w", err)
	}
	return object{
		"listed": slices.ContainsFunc(list.Body.Webhooks, func(w client.Webhook) bool { return w.ID == id }), "read": read.Body.Types,
		"secret": made.Body.Secret[:6], "rotated": rotated.Body.Secret != made.Body.Secret, "status": paused.Body.Status,
		"deliveries": deliveries.Body.Deliveries, "gone": gone.Reason,
	}, nil
}

// sharedGo is the proof of an answer that is shared, found in the list, and revoked.
func sharedGo(ctx context.Context, api *client.Client, a callArguments) (any, error) {
	answer, err := api.FuelSurcharge(ctx, a.Carrier, client.Weeks{Last: a.Weeks})
	if err != nil {
		return nil, err
	}
	made, err := api.Share(ctx, client.ShareRequest{Answer: answer.Raw, Days: 1})
	if err != nil {
		return nil, err
	}
	list, err1 := api.Shares(ctx)
	if err := errors.Join(err1, api.RevokeShare(ctx, made.Body.Token)); err != nil {
		return nil, err
	}
	address, err := url.Parse(made.Body.URL)
	var gone *client.Error
	if again := api.RevokeShare(ctx, made.Body.ID); err != nil || !errors.As(again, &gone) {
		return nil, fmt.Errorf("a revoked proof is answered with %w, %w", again, err)
	}
	isOurs := func(e client.ShareEntry) bool { return e.ID == made.Body.ID }
	return object{
		"listed": slices.ContainsFunc(list.Body.Shares, isOurs), "address": strings.TrimSuffix(address.Path, made.Body.Token),
		"kind": made.Body.Kind, "gone": gone.Reason,
	}, nil
}

// keptGo is an audit that is kept, found in the list, read, made a packet of, and deleted.
func keptGo(ctx context.Context, api *client.Client, a callArguments) (any, error) {
	made, err := api.Audit(ctx, a.Lines, client.AuditOptions{Keep: true, IdempotencyKey: "kept-" + rand.Text()})
	if err != nil {
		return nil, err
	}
	id := made.Body.AuditID
	list, err1 := api.Audits(ctx)
	read, err2 := api.KeptAudit(ctx, id)
	packet, err3 := api.Packet(ctx, id, a.Carrier, a.Sender)
	again, err4 := api.Packet(ctx, id, a.Carrier, a.Sender)
	if err := errors.Join(err1, err2, err3, err4, api.DeleteAudit(ctx, id)); err != nil {
		return nil, err
	}
	isOurs := func(e client.AuditEntry) bool { return e.ID == id }
	var gone *client.Error
	_, err = api.KeptAudit(ctx, id)
	if !errors.As(err, &gone) {
		return nil, fmt.Errorf("a deleted audit is answered with %w", err)
	}
	return object{
		"listed": slices.ContainsFunc(list.Body.Audits, isOurs), "read": len(read.Body.Results), "packet": string(packet.Bytes[:2]),
		"same": bytes.Equal(packet.Bytes, again.Bytes), "gone": gone.Reason,
	}, nil
}
