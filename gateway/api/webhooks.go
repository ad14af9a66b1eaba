package api

import (
	"context"
	"crypto/rand"
	"regexp"
	"slices"
	"strings"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/feed"
	"assay.dev/platform/webhook"
)

// Webhook is the body of an endpoint of webhooks.
type Webhook struct {
	ID             string                 `json:"id"`
	URL            string                 `json:"url"`
	Types          []contracts.ChangeType `json:"types" jsonschema:"The types of changes that it gets; none for all."`
	Portfolio      string                 `json:"portfolio,omitempty" jsonschema:"The portfolio of which it gets the changes alone."`
	Status         webhook.EndpointStatus `json:"status" jsonschema:"failing: the last attempt failed. disabled: given up; resume begins again."`
	DisabledReason string                 `json:"disabled_reason,omitempty"`
	FailingSince   *time.Time             `json:"failing_since" jsonschema:"Since when every attempt failed, UTC; null where the last one did not."`
	OpenRetries    int                    `json:"open_retries" jsonschema:"How many deliveries wait to be tried again, at most 100."`
	CreatedAt      time.Time              `json:"created_at"`
	Secret         string                 `json:"secret,omitempty" jsonschema:"In the answers to create and rotate only: what signatures are made with. It is told once."`
	EventID        string                 `json:"event_id,omitempty" jsonschema:"In the answers to test and replay: the event that is sent now."`
}

// Webhooks is the body of the list of them.
type Webhooks struct {
	Webhooks []Webhook `json:"webhooks" jsonschema:"The oldest first."`
}

// WebhookDeliveries is the body of what became of deliveries.
type WebhookDeliveries struct {
	Deliveries []webhook.DeliveryAttempt `json:"deliveries" jsonschema:"The newest first."`
}

// WebhookTarget is the body that a webhook is made with.
type WebhookTarget struct {
	URL       string                 `json:"url" jsonschema:"https on port 443, of the public internet."`
	Types     []contracts.ChangeType `json:"types,omitempty" jsonschema:"The types of changes that are wanted; none for all."`
	Portfolio string                 `json:"portfolio,omitempty" jsonschema:"The name of a portfolio of yours: the changes of its licenses, and source.* of their states."`
}

// WebhookActions are what can be done with a webhook.
var WebhookActions = []WebhookAction{"test", "pause", "resume", "rotate", "replay"}

// WebhookAction is one of [WebhookActions].
type WebhookAction string

// WebhookOrder is the body that something is done with a webhook with.
type WebhookOrder struct {
	Action  WebhookAction `json:"action"`
	EventID string        `json:"event_id,omitempty" jsonschema:"Of replay: the event, as deliveries list it. One of a product of which no key of yours is good is passed over."`
}

const maxWebhookBody = 8 << 10

// webhookEndpoints tell tenants what changed (contract §4.21). They cost nothing, and belong to no product.
var webhookEndpoints = []*Endpoint{
	{
		Path: "/v1/webhooks", ID: "listWebhooks", Summary: "Your webhooks",
		Description: "Each with how it stands. It costs nothing.",
		Bodies:      bodyType[Webhooks](), Answer: listWebhooks,
	}, {
		Path: "/v1/webhooks", ID: "createWebhook", Method: "POST", Creates: true, Summary: "Have changes sent to you",
		Description: "Each change from now on is sent to the URL as the feed has it, signed by Standard Webhooks 1.0 " +
			"with the `secret` of the answer. Reply 2xx within 15 seconds. What fails is tried again for 3 days, and " +
			"longer while nothing arrives. At most 20. It costs nothing.",
		Failures: []*Failure{ProductNotEnabled, NoPortfolio, MalformedBody, UnsupportedMediaType, NotAcceptable, Unavailable},
		Upload:   jsonUpload[WebhookTarget](maxWebhookBody, "Where to."),
		Bodies:   bodyType[Webhook](), Answer: createWebhook,
	}, {
		Path: "/v1/webhooks/{id}", ID: "getWebhook", Summary: "A webhook", Description: "How it stands. It costs nothing.",
		Parameters: []*Parameter{webhookID.Parameter}, Failures: []*Failure{NoWebhook},
		Bodies: bodyType[Webhook](), Answer: getWebhook,
	}, {
		Path: "/v1/webhooks/{id}", ID: "actOnWebhook", Method: "POST",
		Summary: "Test, pause, resume or replay, or rotate the secret",
		Description: "`test` sends an event of the type webhook.test, and `replay` one event again, once each, " +
			"also while paused. `resume` goes on where the deliveries stopped. After `rotate` both secrets sign for " +
			"24 hours. It costs nothing.",
		Parameters: []*Parameter{webhookID.Parameter}, Failures: []*Failure{NoWebhook, MalformedBody, UnsupportedMediaType,
			NotAcceptable, Unavailable},
		Upload: jsonUpload[WebhookOrder](maxWebhookBody, "What is to be done."),
		Bodies: bodyType[Webhook](), Answer: actOnWebhook,
	},
	deletion("/v1/webhooks/{id}", "deleteWebhook", "Delete a webhook", webhookID.Parameter, NoWebhook,
		func(ctx context.Context, a *API, r *Request) (string, error) {
			id := webhookID.of(r)
			return id, a.Webhooks.Remove(ctx, r.owner(), id)
		}),
	{
		Path: "/v1/webhooks/{id}/deliveries", ID: "listDeliveries", Summary: "What became of deliveries",
		Description: "The attempts of the last 7 days, at most the newest 1,000. It costs nothing.",
		Parameters:  []*Parameter{webhookID.Parameter, deliveriesLimit.Parameter}, Failures: []*Failure{NoWebhook},
		Bodies: bodyType[WebhookDeliveries](), Answer: listDeliveries,
	},
}

// NoWebhook is what an id is answered with under which the tenant has no webhook.
var NoWebhook = coded("NoWebhook", "reason NAME: you have no webhook of that id, or it was not sent that event.",
	contracts.Missing(contracts.NameUnknown, "you have no webhook of that id; GET /v1/webhooks lists yours"))

var (
	webhookIDs = regexp.MustCompile(`^[a-z2-7]{26}$`)
	webhookID  = patternParam(Parameter{
		Name: "id", InPath: true, Segment: true, Required: true, Description: "The webhook's id.",
		Example: "4rqjxw2hdk7mzb5c3vntfgy6ae",
	}, webhookIDs, "an id has 26 of a to z and 2 to 7")
	deliveriesLimit = integerParam(Parameter{Name: "limit", Description: "How many are listed at most."},
		"attempt", 1, 1000, 100)
)

// CheckWebhookID refuses what is no id of a webhook.
func CheckWebhookID(text string) error {
	if !webhookIDs.MatchString(text) {
		return NoWebhook.Example
	}
	return nil
}

func webhookBody(e webhook.Endpoint) Webhook {
	return Webhook{
		ID: e.ID, URL: e.URL, Types: append([]contracts.ChangeType{}, e.Types...), Portfolio: e.Portfolio, Status: e.Status(),
		DisabledReason: e.Reason(),
		FailingSince:   e.FailingSince, OpenRetries: len(e.Retries), CreatedAt: e.CreatedAt,
	}
}

func listWebhooks(ctx context.Context, a *API, r *Request) (Reply, error) {
	all, err := a.Webhooks.List(ctx, r.owner())
	body := Webhooks{[]Webhook{}}
	for _, e := range all {
		body.Webhooks = append(body.Webhooks, webhookBody(e))
	}
	return keptReply(body, err)
}

func createWebhook(ctx context.Context, a *API, r *Request) (Reply, error) {
	var given WebhookTarget
	if err := readObject(r.Body, "url", "no webhook", &given); err != nil {
		return Reply{}, err
	}
	if wrong := webhook.CheckURL(given.URL, a.WebhookLoopback); wrong != "" {
		return Reply{}, contracts.Invalid(inBody, "url", "url", "%s", wrong)
	}
	for _, t := range given.Types {
		if !slices.Contains(contracts.ChangeTypes, t) {
			return Reply{}, contracts.Invalid(inBody, "types", "enum", "%q is no type of a change; the types are %s",
				contracts.Printable(string(t)), strings.Join(contracts.Texts(contracts.ChangeTypes), ", "))
		}
	}
	if given.Portfolio != "" {
		if !portfolioNames.MatchString(given.Portfolio) {
			return Reply{}, contracts.Invalid(inBody, "portfolio", "string_pattern_mismatch", wrongPortfolioName)
		}
		if _, err := a.Portfolios.Get(ctx, r.owner(), given.Portfolio); err != nil {
			return Reply{}, err
		}
	}
	err := checkReach(&feed.Filter{Types: given.Types}, r.Products, given.Portfolio, inBody, "types")
	if err != nil {
		return Reply{}, err
	}
	newest, err := a.Feed.Newest()
	if err != nil {
		return Reply{}, err
	}
	if a.ChangesRead != nil {
		a.ChangesRead(r.Environment)
	}
	slices.Sort(given.Types)
	e, secret, err := a.Webhooks.Create(ctx, r.owner(), webhook.Endpoint{
		URL: given.URL, Types: slices.Compact(given.Types), Portfolio: given.Portfolio,
		Products: slices.Clone(r.Products), Cursor: newest,
	}, time.Now())
	body := webhookBody(e)
	body.Secret = secret
	return madeReply(body, true, "/v1/webhooks/"+e.ID, err)
}

func getWebhook(ctx context.Context, a *API, r *Request) (Reply, error) {
	e, err := a.Webhooks.Get(ctx, r.owner(), webhookID.of(r))
	return keptReply(webhookBody(e), err)
}

func listDeliveries(ctx context.Context, a *API, r *Request) (Reply, error) {
	all, err := a.Webhooks.Deliveries(ctx, r.owner(), webhookID.of(r))
	body := WebhookDeliveries{[]webhook.DeliveryAttempt{}}
	for _, d := range all[:min(len(all), deliveriesLimit.of(r))] {
		body.Deliveries = append(body.Deliveries, d.DeliveryAttempt)
	}
	return keptReply(body, err)
}

// actOnWebhook does what the body says. What is to be sent is sent by the courier, which sees it in the endpoint's
// entry.
func actOnWebhook(ctx context.Context, a *API, r *Request) (Reply, error) {
	var order WebhookOrder
	if err := readObject(r.Body, "action", "no order", &order); err != nil {
		return Reply{}, err
	}
	id, now, secret := webhookID.of(r), time.Now(), ""
	send := webhook.Retry{Event: order.EventID, Due: now.UTC()}
	var e webhook.Endpoint
	var err error
	switch order.Action {
	case "pause":
		e, err = a.Webhooks.Change(ctx, r.owner(), id, func(e *webhook.Endpoint) error { e.Paused = true; return nil })
	case "resume":
		e, err = a.Webhooks.Change(ctx, r.owner(), id, func(e *webhook.Endpoint) error {
			e.Paused, e.Disabled, e.FailingSince = false, "", nil
			e.TryAgain(now, 0)
			return nil
		})
	case "rotate":
		e, secret, err = a.Webhooks.Rotate(ctx, r.owner(), id, now)
	case "replay":
		if send.Sequence, err = a.sequenceOf(ctx, r, id, order.EventID); err == nil {
			e, err = a.sendByHand(ctx, r, id, send)
		}
	case "test":
		send.Event = "test." + rand.Text()
		e, err = a.sendByHand(ctx, r, id, send)
	default:
		err = contracts.Invalid(inBody, "action", "enum", "this is none of test, pause, resume, rotate and replay")
	}
	body := webhookBody(e)
	body.Secret = secret
	if order.Action == "test" || order.Action == "replay" {
		body.EventID = send.Event
	}
	return keptReply(body, err)
}

// sequenceOf finds an event among what was delivered.
func (a *API) sequenceOf(ctx context.Context, r *Request, id, event string) (uint64, error) {
	all, err := a.Webhooks.Deliveries(ctx, r.owner(), id)
	for _, d := range all {
		if d.EventID == event && d.Sequence > 0 {
			return d.Sequence, nil
		}
	}
	if err == nil {
		err = contracts.Missing(contracts.NameUnknown, "no such event was sent there in the last 7 days; the "+
			"webhook's deliveries list what was")
	}
	return 0, err
}

// sendByHand has one event sent, once.
func (a *API) sendByHand(ctx context.Context, r *Request, id string, send webhook.Retry) (webhook.Endpoint, error) {
	return a.Webhooks.Change(ctx, r.owner(), id, func(e *webhook.Endpoint) error {
		if len(e.ByHand) >= webhook.MaxByHand {
			return contracts.Errorf(contracts.RateLimited, "%d tests and repetitions wait to be sent already",
				webhook.MaxByHand).After(5 * time.Second)
		}
		e.ByHand = append(e.ByHand, send)
		return nil
	})
}
