package courier

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/kv"
	"assay.dev/platform/webhook"
)

// tell notes what came of an attempt, for people. A note that is lost is one less.
func (c *courier) tell(e *endpoint, d *webhook.Noted) {
	doc, err := json.Marshal(d)
	if err == nil {
		err = c.js.Conn().Publish(contracts.DeliverySubject(e.key).Name, doc)
	}
	if err != nil {
		c.log.Warn("what came of an attempt is not noted", "endpoint", e.key, "error", err)
	}
}

// errGone ends the change of an endpoint that was deleted.
var errGone = errors.New("the endpoint is gone")

// save notes how far an endpoint came, with an edit. Where that fails, both are noted before anything more is sent.
func (c *courier) save(ctx context.Context, e *endpoint, edit func(*webhook.Endpoint)) error {
	if edit != nil {
		e.edit = edit
	}
	var next webhook.Endpoint
	var revision uint64
	err := kv.RetryConflicts(ctx, func() error {
		value, old, err := kv.Get(ctx, c.bucket, e.key)
		if err == nil && value == nil {
			err = errGone
		}
		if err == nil {
			next = webhook.Endpoint{}
			err = json.Unmarshal(value, &next)
		}
		if err != nil {
			return err
		}
		if next.Cursor.Epoch != e.handled.Epoch || next.Cursor.Sequence < e.handled.Sequence {
			next.Cursor = e.handled
		}
		if e.edit != nil {
			e.edit(&next)
		}
		if value, err = json.Marshal(next); err != nil {
			return err
		}
		return kv.Retry(ctx, func(ctx context.Context) error {
			revision, err = c.bucket.Update(ctx, e.key, value, old)
			return err
		})
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case errors.Is(err, errGone):
		c.forget(e)
		return nil
	case err != nil:
		e.isAhead, e.mustSave = true, true
		return err
	}
	e.saved, e.isAhead, e.mustSave, e.edit = time.Now(), false, false, nil
	if revision > e.revision {
		e.stored, e.revision = next, revision
	}
	return nil
}

// saveAll notes the places that are not noted yet, before another courier goes on.
func (c *courier) saveAll(ctx context.Context) {
	const saveTime = 2 * time.Second
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(min(c.grace, saveTime), saveTime))
	defer cancel()
	c.mu.Lock()
	endpoints := slices.Collect(maps.Values(c.endpoints)) // those that are gone are taken from c.endpoints meanwhile
	c.mu.Unlock()
	var all sync.WaitGroup
	slots := make(chan struct{}, maxInFlight)
	for _, e := range endpoints {
		if !e.isAhead {
			continue
		}
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			if err := c.save(ctx, e, nil); err != nil {
				c.log.WarnContext(ctx, "an endpoint's place is not saved: some changes are delivered twice", "endpoint",
					e.key, "error", err)
			}
		})
	}
	all.Wait()
}
