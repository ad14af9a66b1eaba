package courier

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"slices"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"

	"assay.dev/contracts"
	"assay.dev/platform/feed"
	"assay.dev/platform/webhook"
)

// turn makes one attempt for an endpoint, if one is due, and says when the next turn is.
func (c *courier) turn(ctx context.Context, e *endpoint) (next time.Time, err error) {
	c.mu.Lock()
	stored := e.stored
	c.mu.Unlock()
	now := time.Now()
	if e.mustSave {
		return now, c.save(ctx, e, nil)
	}
	left, isKnown := c.permitted(e.owner, stored.Products)
	switch {
	case !isKnown:
		return now, errKeysUnknown
	case stored.Keyless != (len(left) == 0):
		return now, c.save(ctx, e, func(stored *webhook.Endpoint) {
			stored.Keyless, stored.FailingSince = len(left) == 0, nil
		})
	case stored.Keyless:
		return time.Time{}, nil // it is looked at again now and then
	}
	stored.Products = left
	byHand, retry := first(stored.ByHand), first(stored.Retries)
	switch {
	case byHand != nil && !byHand.Due.After(now):
		return now, c.sendByHand(ctx, e, &stored, *byHand)
	case !stored.Takes():
		return due(byHand, nil), nil
	case retry != nil && !retry.Due.After(now):
		return now, c.sendAgain(ctx, e, &stored, *retry)
	case len(stored.Retries) >= webhook.MaxRetries:
		return due(byHand, retry), nil
	}
	switch more, err := c.readOn(ctx, e, &stored); {
	case err != nil:
		return now, err
	case len(e.waiting) > 0:
		return now, c.sendNew(ctx, e, &stored, e.waiting[0])
	case !more.IsZero():
		return more, nil
	}
	next = due(byHand, retry)
	if e.isAhead {
		at := e.saved.Add(saveEvery)
		if !at.After(now) {
			return next, c.save(ctx, e, nil)
		}
		if next.IsZero() || at.Before(next) {
			next = at
		}
	}
	return next, nil
}

// judge says when the next turn is after one that may have failed. One that fails for a minute is warned of.
func (c *courier) judge(ctx context.Context, e *endpoint, next time.Time, err error) time.Time {
	if err == nil {
		e.failing = time.Time{}
		return next
	}
	now, level := time.Now(), slog.LevelDebug
	if e.failing = cmp.Or(e.failing, now); now.Sub(e.failing) >= idle {
		e.failing, level = now, slog.LevelWarn
	}
	c.log.Log(ctx, level, "an endpoint is looked at again later", "endpoint", e.key, "error", err)
	return now.Add(again)
}

var errKeysUnknown = errors.New("the keys are not known yet")

// readOn reads what follows of the changes, unless something of it waits, and says when more may be read; zero where
// nothing follows yet.
func (c *courier) readOn(ctx context.Context, e *endpoint, stored *webhook.Endpoint) (more time.Time, err error) {
	place, err := c.feed.Place(e.read)
	if err != nil {
		return more, err
	}
	if place != e.read { // the stream is another one, or what follows is gone
		e.read, e.handled, e.waiting = place, place, nil
	}
	if len(e.waiting) > 0 {
		return more, nil
	}
	newest, err := c.feed.Newest()
	if err != nil || newest == e.read {
		return more, err
	}
	filter := &feed.Filter{Environment: e.env, Products: stored.Products, Types: stored.Types}
	if stored.Portfolio != "" {
		if more, err = c.lookUp(ctx, e, stored.Portfolio, newest); err != nil || !more.IsZero() {
			return more, err
		}
		filter.Licenses = e.licenses
	}
	page, err := c.feed.Read(ctx, filter, e.read, pageSize)
	if err != nil {
		return more, err
	}
	for i, doc := range page.Changes {
		e.waiting = append(e.waiting, eventOf(page.Sequences[i], doc))
	}
	// That nothing concerned an endpoint is noted now and then: it costs little to find out again.
	if e.read = page.Next; len(e.waiting) == 0 {
		e.handled = page.Next
		e.isAhead = e.isAhead || e.handled.Sequence-min(stored.Cursor.Sequence, e.handled.Sequence) >= unsaved
	}
	if e.read.Sequence < newest.Sequence {
		more = time.Now() // nothing of what was read may concern it
	}
	return more, nil
}

// unsaved is how far the place of an endpoint may be ahead of what was noted.
const unsaved = 1000

// sendNew delivers the first of what waits.
func (c *courier) sendNew(ctx context.Context, e *endpoint, stored *webhook.Endpoint, ev event) error {
	r := webhook.Retry{Event: ev.id, Sequence: ev.sequence}
	edit, err := c.attempt(ctx, e, stored, ev, r, false)
	if err != nil {
		return err
	}
	e.waiting, e.handled.Epoch, e.handled.Sequence, e.isAhead = e.waiting[1:], e.read.Epoch, ev.sequence, true
	if edit == nil && time.Since(e.saved) < saveEvery {
		return nil
	}
	return c.save(ctx, e, edit)
}

// sendAgain makes another attempt. An event that is no more is not.
func (c *courier) sendAgain(ctx context.Context, e *endpoint, stored *webhook.Endpoint, r webhook.Retry) error {
	doc, err := c.feed.At(ctx, r.Sequence)
	if err != nil {
		return err
	}
	drop := func(stored *webhook.Endpoint) { stored.Retries = without(stored.Retries, r) }
	ev := eventOf(r.Sequence, doc)
	if ev.id != r.Event {
		return c.save(ctx, e, drop)
	}
	edit, err := c.attempt(ctx, e, stored, ev, r, false)
	if err != nil {
		return err
	}
	return c.save(ctx, e, func(stored *webhook.Endpoint) {
		if drop(stored); edit != nil {
			edit(stored)
		}
	})
}

// sendByHand makes the one attempt that a person asked for.
func (c *courier) sendByHand(ctx context.Context, e *endpoint, stored *webhook.Endpoint, r webhook.Retry) (err error) {
	var doc []byte
	if r.Sequence > 0 {
		doc, err = c.feed.At(ctx, r.Sequence)
	} else {
		product := stored.Products[0]
		isOfLicenses := func(t contracts.ChangeType) bool {
			return t.Group() == contracts.StatusChanged.Group() || t.Group() == contracts.HoldPlaced.Group()
		}
		if slices.Contains(stored.Products, contracts.ABC) &&
			(stored.Portfolio != "" || slices.ContainsFunc(stored.Types, isOfLicenses)) {
			product = contracts.ABC // whoever tells events apart by their product gets one of those that will come
		}
		doc, err = json.Marshal(contracts.Change{
			ID: r.Event, Type: contracts.WebhookTest, OccurredAt: time.Now().UTC().Truncate(time.Second), Product: product,
			Evidence: contracts.ChangeEvidence{Before: []contracts.Evidence{}, After: []contracts.Evidence{}},
		})
	}
	if err != nil {
		return err
	}
	var edit func(*webhook.Endpoint)
	if ev := eventOf(r.Sequence, doc); ev.id == r.Event {
		if edit, err = c.attempt(ctx, e, stored, ev, r, true); err != nil {
			return err
		}
	}
	return c.save(ctx, e, func(stored *webhook.Endpoint) {
		if stored.ByHand = without(stored.ByHand, r); edit != nil {
			edit(stored)
		}
	})
}

func without(all []webhook.Retry, r webhook.Retry) []webhook.Retry {
	return slices.DeleteFunc(all,
		func(other webhook.Retry) bool { return other.Event == r.Event && other.Due.Equal(r.Due) })
}

// attempt sends an event and notes what came of it. One of a product for which no key is good any more is passed over.
// It returns what is to be changed of the endpoint, nil for nothing. The error is for an attempt that was cut off by our
// own stop: nothing is known of it.
func (c *courier) attempt(
	ctx context.Context, e *endpoint, stored *webhook.Endpoint, ev event, r webhook.Retry, byHand bool,
) (edit func(*webhook.Endpoint), err error) {
	if !slices.Contains(stored.Products, ev.product) {
		return nil, nil
	}
	ctx, span := c.tracer.Start(ctx, "webhook.deliver")
	defer span.End()
	now := time.Now()
	res := c.sender.send(ctx, e.key, stored, ev.id, ev.doc)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	d := webhook.Noted{Sequence: ev.sequence, DeliveryAttempt: webhook.DeliveryAttempt{
		EventID: ev.id, Type: ev.kind, At: now.UTC(), Attempt: r.Attempts + 1, ByHand: byHand,
		Status: res.status, Error: res.err,
		Reply: res.reply, Milliseconds: res.took.Milliseconds(),
	}}
	outcome := "delivered"
	if byHand {
		outcome = "by_hand"
	}
	switch {
	case res.ok():
		if since := stored.FailingSince; since != nil {
			edit = func(stored *webhook.Endpoint) {
				if stored.FailingSince = nil; now.Sub(*since) >= longFailing {
					stored.TryAgain(now, len(c.schedule))
				}
			}
		}
	case !byHand:
		r.Attempts++
		if r.Since.IsZero() {
			r.Since = d.At
		}
		// All failed since the first attempt: the endpoint is down, and does not refuse this change.
		isDown := stored.FailingSince != nil && !stored.FailingSince.After(r.Since)
		outcome, edit = c.failed(&d.DeliveryAttempt, r, &res, isDown)
	}
	span.SetAttributes(attribute.String("outcome", outcome), attribute.Int("http.response.status_code", res.status))
	c.metrics.attempts.WithLabelValues(outcome).Observe(res.took.Seconds())
	level := slog.LevelDebug
	if !res.ok() {
		level = slog.LevelInfo
		span.SetStatus(codes.Error, outcome)
	}
	c.log.Log(ctx, level, "delivery", "endpoint", e.key, "event", ev.id, "attempt", d.Attempt, "outcome", outcome,
		"status", res.status, "error", res.err, "cause", res.cause)
	c.tell(e, &d)
	return edit, nil
}

// failed says what follows from an attempt that failed. Nothing is given up of an endpoint that is down: once it is
// disabled for that, it has all of it still.
func (c *courier) failed(d *webhook.DeliveryAttempt, r webhook.Retry, res *result, isDown bool) (outcome string,
	edit func(*webhook.Endpoint)) {
	outcome = "given_up"
	isLast := r.Attempts > len(c.schedule) && !isDown
	if !isLast {
		outcome = "failed"
		pause := c.schedule[min(r.Attempts, len(c.schedule))-1]
		pause += rand.N(pause/10 + 1)
		r.Due = time.Now().Add(max(pause, res.retryAfter)).UTC()
		d.NextAt = &r.Due
	}
	if res.status == http.StatusGone {
		outcome = "gone"
	}
	return outcome, func(stored *webhook.Endpoint) {
		if r.Attempts == 1 && len(stored.Retries) == 0 { // nothing was tried since the last failure
			stored.FailingSince = nil
		}
		stored.FailingSince = cmp.Or(stored.FailingSince, &d.At)
		switch {
		case res.status == http.StatusGone:
			stored.Disabled = "it replied 410 Gone"
		case d.At.Sub(*stored.FailingSince) >= disableAfter:
			stored.Disabled = "all deliveries failed for five days"
		}
		isThere := slices.ContainsFunc(stored.Retries, func(other webhook.Retry) bool { return other.Event == r.Event })
		if !isLast && !isThere {
			stored.Retries = append(stored.Retries, r)
		}
	}
}
