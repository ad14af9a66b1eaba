package courier

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/kv"
)

// tenantKey is what the courier knows of a key.
type tenantKey struct {
	Tenant      string                `json:"tenant"`
	Environment contracts.Environment `json:"environment"`
	Products    []contracts.Product   `json:"products"`
	ExpiresAt   time.Time             `json:"expires_at"`
	RevokedAt   time.Time             `json:"revoked_at"`
}

// keyring has the tenants' keys, by the owners of endpoints and the keys' names. The courier's lock guards it.
type keyring struct {
	owners map[string]map[string]tenantKey
	known  bool // all keys were here at least once
}

// followKeys keeps the keyring current until ctx ends. Keys that were restored count once an operator confirmed them.
func (c *courier) followKeys(ctx context.Context) {
	_ = kv.Follower{
		JS: c.js, KV: c.keysBucket, Bucket: contracts.KeysBucket, Pattern: ">",
		Take: func(entries ...jetstream.KeyValueEntry) error { return c.takeKeys(ctx, entries) },
		Complete: func(is bool) {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.keys.known = c.keys.known || is
		},
		Failed: func(err error) { c.log.WarnContext(ctx, "the keys are not followed at the moment", "error", err) },
	}.Follow(ctx) // it ends with ctx
}

func (c *courier) takeKeys(ctx context.Context, entries []jetstream.KeyValueEntry) error {
	w, err := kv.ReadWitness(ctx, c.js, contracts.KeysBucket.Stream())
	if err == nil {
		err = w.Unconfirmed(contracts.KeysBucket.Stream())
	}
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, entry := range entries {
		var k tenantKey
		if entry.Operation() != jetstream.KeyValuePut || json.Unmarshal(entry.Value(), &k) != nil {
			continue // keys are not deleted, and one that cannot be read permits what it did
		}
		owner := contracts.OwnerKey(k.Environment, k.Tenant)
		if c.keys.owners[owner] == nil {
			c.keys.owners[owner] = map[string]tenantKey{}
		}
		c.keys.owners[owner][entry.Key()] = k
	}
	return nil
}

// permitted are those of the products for which a key of the owner's is good; all for a tenant that never had a key of
// ours, as on a marketplace that lists us. isKnown is false before the keys were read.
func (c *courier) permitted(owner string, products []contracts.Product) (left []contracts.Product, isKnown bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	all, now := c.keys.owners[owner], time.Now()
	if len(all) == 0 {
		return products, c.keys.known
	}
	for _, p := range products {
		for _, k := range all {
			if k.RevokedAt.IsZero() && (k.ExpiresAt.IsZero() || now.Before(k.ExpiresAt)) && slices.Contains(k.Products, p) {
				left = append(left, p)
				break
			}
		}
	}
	return left, c.keys.known
}
