package keys

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/kv"
)

// Store is the keys' bucket as an operator uses it.
type Store struct {
	js     jetstream.JetStream
	bucket jetstream.KeyValue
}

// OpenStore opens the bucket. It tries again as [kv.Retry] does. It fails with a *[kv.Damaged] when the bucket holds
// less than was seen of it.
func OpenStore(ctx context.Context, js jetstream.JetStream) (s *Store, err error) {
	err = kv.Retry(ctx, func(ctx context.Context) error {
		bucket, err := kv.Open(ctx, js, contracts.KeysBucket)
		s = &Store{js, bucket}
		return err
	})
	if err != nil {
		return nil, err
	}
	return s, kv.Retry(ctx,
		func(ctx context.Context) error { return kv.CheckStream(ctx, js, contracts.KeysBucket.Stream()) })
}

// attest makes sure that a change that was just stored cannot be lost in silence.
func (s *Store) attest(ctx context.Context) error {
	err := kv.Retry(ctx,
		func(ctx context.Context) error { return kv.Attest(ctx, s.js, contracts.KeysBucket.Stream(), nil) })
	if err != nil {
		return fmt.Errorf("the change is stored, but its loss would not be noticed: %w", err)
	}
	return nil
}

// Confirm says that keys that were restored from a backup may be used: gateways answer 503 until then, because a key
// that was revoked since the backup is good again.
func (s *Store) Confirm(ctx context.Context) error {
	return kv.Retry(ctx, func(ctx context.Context) error { return kv.Confirm(ctx, s.js, contracts.KeysBucket.Stream()) })
}

// Listed is a key as operators see it.
type Listed struct {
	ID string `json:"id"`
	Record
}

// Create issues a key and returns it, once it can be read back as a gateway reads it. Nothing else ever shows the key
// again. A Limit of 0 means [DefaultLimit].
func (s *Store) Create(ctx context.Context, r Record) (string, error) {
	key := generate(r.Environment)
	r.Imported = false
	if err := r.begin(key); err != nil {
		return "", err
	}
	err := s.addKey(ctx, key, r)
	if err == nil {
		err = s.readBack(ctx, hashOf(key))
	}
	if err != nil {
		return "", fmt.Errorf("nobody is given this key: %w\nIt may be stored all the same: once stores can be "+
			"written, `assay keys revoke %s`",
			err, hashOf(key).ID())
	}
	return key, nil
}

func (s *Store) readBack(ctx context.Context, h Hash) error {
	return kv.Retry(ctx, func(ctx context.Context) error {
		if _, _, err := kv.Trust(ctx, s.js, contracts.KeysBucket.Stream()); err != nil {
			return err
		}
		e, err := s.bucket.Get(ctx, h.String())
		if err != nil {
			return err
		}
		_, err = newHeld(e)
		return err
	})
}

// begin completes the record of a new key.
func (r *Record) begin(key string) error {
	r.Last4, r.CreatedAt = key[len(key)-4:], thisSecond()
	r.Limit = cmp.Or(r.Limit, DefaultLimit)
	return r.validate()
}

func (s *Store) addKey(ctx context.Context, key string, r Record) error {
	value, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if _, err = s.bucket.Create(ctx, hashOf(key).String(), value); err != nil {
		return err
	}
	return s.attest(ctx)
}

// Import makes a key of the marketplace a key of tenant's for product p. When the tenant has the key already, for
// another product, Import adds p. It fails when the key belongs to another tenant.
func (s *Store) Import(ctx context.Context, key, tenant string, p contracts.Product) error {
	h, err := parseForeign(key)
	if err != nil {
		return fmt.Errorf("a marketplace key has %d to %d visible characters", minForeign, maxForeign)
	}
	if strings.HasPrefix(key, string(contracts.Live)+"_") || strings.HasPrefix(key, string(contracts.Test)+"_") {
		return errors.New("this is a key in the form that assay issues, not a marketplace key")
	}
	r := Record{Tenant: tenant, Environment: contracts.Live, Products: []contracts.Product{p}, Imported: true}
	if err := r.begin(key); err != nil {
		return err
	}
	if err = s.addKey(ctx, key, r); !kv.Conflict(err) {
		return err
	}
	return s.change(ctx, h.String(), func(r *Record) error {
		if r.Tenant != tenant {
			return fmt.Errorf("the key belongs to tenant %s", r.Tenant)
		}
		if !r.Allows(p) {
			r.Products = append(r.Products, p)
		}
		return nil
	})
}

// Rotate issues a key with the same rights as the key that ref names, and makes the old key expire after overlap.
func (s *Store) Rotate(ctx context.Context, ref string, overlap time.Duration) (string, error) {
	name, r, err := s.findKey(ctx, ref)
	if err != nil {
		return "", err
	}
	if err := r.Usable(); err != nil {
		return "", err
	}
	successor := r
	successor.ExpiresAt = time.Time{}
	key, err := s.Create(ctx, successor)
	if err != nil {
		return "", err
	}
	return key, s.change(ctx, name, func(r *Record) error {
		if end := thisSecond().Add(overlap); r.ExpiresAt.IsZero() || end.Before(r.ExpiresAt) {
			r.ExpiresAt = end
		}
		return nil
	})
}

// Revoke revokes the key that ref names. Every gateway that reaches NATS refuses the key within 5 s. Revoke tries
// again as [kv.Retry] does. After an error other than [ErrUnknown] the key may still be good: call Revoke again.
func (s *Store) Revoke(ctx context.Context, ref string) error {
	name, _, err := s.findKey(ctx, ref)
	if err != nil {
		return err
	}
	return s.change(ctx, name, func(r *Record) error {
		if r.RevokedAt.IsZero() {
			r.RevokedAt = thisSecond()
		}
		return nil
	})
}

// List returns all keys, ordered by tenant and age. It fails when a record cannot be read or is missing.
func (s *Store) List(ctx context.Context) ([]Listed, error) {
	entries, err := kv.Entries(ctx, s.js, s.bucket, jetstream.AllKeys)
	if err != nil {
		return nil, err
	}
	all := []Listed{}
	for _, e := range entries {
		if e.Operation() != jetstream.KeyValuePut {
			continue
		}
		h, r, err := decode(e.Key(), e.Value())
		if err != nil {
			return nil, unreadable(e, err)
		}
		all = append(all, Listed{ID: h.ID(), Record: r})
	}
	slices.SortFunc(all, func(a, b Listed) int {
		return cmp.Or(strings.Compare(a.Tenant, b.Tenant), a.CreatedAt.Compare(b.CreatedAt))
	})
	return all, nil
}

// unreadable returns the damage for an entry that is not a record. It names the entry by its number, not by its key.
func unreadable(e jetstream.KeyValueEntry, err error) *kv.Damaged {
	return &kv.Damaged{
		Stream: contracts.KeysBucket.Stream(), What: fmt.Sprintf("entry %d cannot be understood: %v", e.Revision(), err),
	}
}

// findKey returns the name and the record of a key. ref is the key itself or its ID, which must not be that of two
// keys.
func (s *Store) findKey(ctx context.Context, ref string) (name string, r Record, err error) {
	if h, err := Parse(ref); err == nil {
		value, _, err := kv.Get(ctx, s.bucket, h.String())
		if value == nil && err == nil {
			return "", r, ErrUnknown
		}
		if err == nil {
			_, r, err = decode(h.String(), value)
		}
		return h.String(), r, err
	}
	entries, err := kv.Entries(ctx, s.js, s.bucket, jetstream.AllKeys)
	if err != nil {
		return "", r, err
	}
	for _, e := range entries {
		if len(ref) != idLength || !strings.HasPrefix(e.Key(), ref) || e.Operation() != jetstream.KeyValuePut {
			continue
		}
		if name != "" {
			return "", Record{}, ErrShared
		}
		name = e.Key()
		if _, r, err = decode(name, e.Value()); err != nil {
			return "", r, err
		}
	}
	if name == "" {
		return "", r, ErrUnknown
	}
	return name, r, nil
}

// change applies edit to a record, and applies it again when another writer changed the record first. That writer may
// be change's own earlier try, of which the answer was lost, so a second edit must do no harm.
func (s *Store) change(ctx context.Context, name string, edit func(*Record) error) error {
	err := kv.Change(ctx, s.bucket, name, func(old []byte) ([]byte, error) {
		if old == nil {
			return nil, ErrUnknown
		}
		_, r, err := decode(name, old)
		if err != nil {
			return nil, err
		}
		if err := edit(&r); err != nil {
			return nil, err
		}
		return json.Marshal(r)
	})
	if err != nil {
		return err
	}
	return s.attest(ctx)
}

// thisSecond returns the time in UTC, in whole seconds: records hold no more.
func thisSecond() time.Time { return time.Now().UTC().Truncate(time.Second) }
