package kept

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/kv"
	"assay.dev/platform/webhook"
)

const (
	// MaxWebhooks is how many endpoints of webhooks a tenant may keep.
	MaxWebhooks = 20
	// bothSecrets is for how long a secret that was replaced signs too.
	bothSecrets = 24 * time.Hour
	// maxSecrets is how many sign at once at most.
	maxSecrets = 3
)

// webhookEntry is an endpoint in the list of them.
type webhookEntry struct {
	ID string `json:"id"`
}

// Webhooks keeps the endpoints of webhooks. The courier delivers to them.
type Webhooks struct {
	*shelf[webhookEntry]
	js     jetstream.JetStream
	sealer *webhook.Sealer
}

// Create keeps a new endpoint. The secret is told once.
func (s Webhooks) Create(ctx context.Context, o Owner, e webhook.Endpoint, now time.Time) (_ webhook.Endpoint,
	secret string, err error) {
	if s.sealer == nil {
		return e, "", contracts.Errorf(contracts.SourceUnavailable, "webhooks are not set up here").After(time.Hour)
	}
	e.ID, e.CreatedAt = strings.ToLower(rand.Text()), now.UTC().Truncate(time.Second)
	secret, sealed := s.sealer.New(s.key(o, e.ID))
	e.Secrets = []webhook.Sealed{sealed}
	document, err := json.Marshal(e)
	if err != nil {
		return e, "", err
	}
	return e, secret, s.put(ctx, o, e.ID, document, func(all []webhookEntry) ([]webhookEntry, error) {
		if len(all) >= MaxWebhooks {
			return nil, contracts.Invalid("body", "url", "too_many",
				"%d webhooks are kept already; delete one first", MaxWebhooks)
		}
		return append(all, webhookEntry{e.ID}), nil
	})
}

// Get is the endpoint of an id. The error is NOT_FOUND where there is none.
func (s Webhooks) Get(ctx context.Context, o Owner, id string) (webhook.Endpoint, error) {
	return read(ctx, s.shelf, o, id, "a webhook", func(e *webhook.Endpoint) bool { return e.ID == id })
}

// List are the tenant's endpoints, the oldest first.
func (s Webhooks) List(ctx context.Context, o Owner) (list []webhook.Endpoint, err error) {
	all, err := s.entries(ctx, o)
	for _, entry := range all {
		e, err := s.Get(ctx, o, entry.ID)
		switch {
		case contracts.CodeOf(err) == contracts.NotFound:
			continue // it is being made or deleted
		case err != nil:
			return nil, err
		}
		list = append(list, e)
	}
	return list, err
}

// Change edits an endpoint.
func (s Webhooks) Change(ctx context.Context, o Owner, id string,
	edit func(*webhook.Endpoint) error) (e webhook.Endpoint, err error) {
	defer reached(&err)
	ctx, cancel := context.WithTimeout(ctx, storeTime)
	defer cancel()
	err = kv.Change(ctx, s.bucket, s.key(o, id), func(old []byte) ([]byte, error) {
		if e = (webhook.Endpoint{}); old == nil {
			return nil, s.missing(id)
		}
		if err := json.Unmarshal(old, &e); err != nil || e.ID != id {
			return nil, s.damaged("a webhook cannot be understood")
		}
		if err := edit(&e); err != nil {
			return nil, err
		}
		return json.Marshal(e)
	})
	return e, err
}

// Rotate gives an endpoint a new secret, which is told once. Those before go on signing for a day.
func (s Webhooks) Rotate(ctx context.Context, o Owner, id string, now time.Time) (e webhook.Endpoint,
	secret string, err error) {
	if s.sealer == nil {
		return e, "", contracts.Errorf(contracts.SourceUnavailable, "webhooks are not set up here").After(time.Hour)
	}
	secret, sealed := s.sealer.New(s.key(o, id))
	e, err = s.Change(ctx, o, id, func(e *webhook.Endpoint) error {
		until := now.Add(bothSecrets).UTC()
		left := slices.DeleteFunc(e.Secrets, func(old webhook.Sealed) bool { // the new one is there after a lost reply
			return old.Until != nil && now.After(*old.Until) || bytes.Equal(old.Box, sealed.Box)
		})
		for i := range left {
			left[i].Until = cmp.Or(left[i].Until, &until)
		}
		e.Secrets = append([]webhook.Sealed{sealed}, left[:min(len(left), maxSecrets-1)]...)
		return nil
	})
	return e, secret, err
}

// Remove removes an endpoint, and what became of its deliveries.
func (s Webhooks) Remove(ctx context.Context, o Owner, id string) (err error) {
	if err := s.Delete(ctx, o, id); err != nil {
		return err
	}
	defer reached(&err)
	rollup := nats.NewMsg(contracts.DeliverySubject(s.key(o, id)).Name)
	rollup.Header.Set(jetstream.MsgRollup, jetstream.MsgRollupSubject)
	return kv.Retry(ctx, func(ctx context.Context) error {
		_, err := s.js.PublishMsg(ctx, rollup)
		return err
	})
}

// Deliveries are what became of the endpoint's deliveries in the last seven days, the newest first.
func (s Webhooks) Deliveries(ctx context.Context, o Owner, id string) (all []webhook.Noted, err error) {
	if _, err := s.Get(ctx, o, id); err != nil {
		return nil, err
	}
	defer reached(&err)
	ctx, cancel := context.WithTimeout(ctx, storeTime)
	defer cancel()
	consumer, err := s.js.CreateConsumer(ctx, contracts.DeliveriesStream.Name, jetstream.ConsumerConfig{
		AckPolicy: jetstream.AckNonePolicy, FilterSubject: contracts.DeliverySubject(s.key(o, id)).Name, MemoryStorage: true,
		InactiveThreshold: storeTime, Replicas: 1,
	})
	if err != nil {
		return nil, err
	}
	batch, err := consumer.FetchNoWait(int(contracts.DeliveriesStream.PerSubject))
	if err != nil {
		return nil, err
	}
	n := uint64(0)
	for msg := range batch.Messages() {
		var d webhook.Noted
		if json.Unmarshal(msg.Data(), &d) == nil { // else what is left of a deletion
			all = append(all, d)
		}
		n++
	}
	if err = batch.Error(); errors.Is(err, jetstream.ErrNoMessages) {
		err = nil
	}
	if err == nil && n < consumer.CachedInfo().NumPending {
		err = errors.New("not all deliveries came") // a silence of a second ends a batch as its end does
	}
	slices.Reverse(all)
	return all, err
}
