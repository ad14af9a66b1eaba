// Package agreements keeps the contracts of tenants with their carriers, in [contracts.AgreementsBucket]: each contract is an entry, and
// one more entry of the tenant lists their names. A contract that is deleted is gone; nothing of it is kept.
package agreements

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/gateway/audit"
	"assay.dev/platform/kv"
)

// MaxContracts is how many contracts a tenant may keep.
const MaxContracts = 50

// Owner is the tenant whose contracts are meant. Nobody else sees them, nor the tenant's keys of the other environment.
type Owner struct {
	Environment contracts.Environment
	Tenant      string
}

// key is the tenant's entry, and of a name that of the contract.
func (o Owner) key(name string) string {
	sum := sha256.Sum256([]byte(o.Tenant))
	key := string(o.Environment) + "." + hex.EncodeToString(sum[:16])
	if name != "" {
		key += "." + name
	}
	return key
}

// KeptContract is a contract as it is kept.
type KeptContract struct {
	audit.Contract
	UpdatedAt time.Time `json:"updated_at" jsonschema:"When it was put there last, UTC."`
}

// ContractEntry is a contract in a list.
type ContractEntry struct {
	Name      string    `json:"name"`
	Terms     int       `json:"terms" jsonschema:"How many terms it has."`
	UpdatedAt time.Time `json:"updated_at" jsonschema:"When it was put there last, UTC."`
}

// entries is the tenant's entry.
type entries struct {
	Tenant    string          `json:"tenant"`
	Contracts []ContractEntry `json:"contracts"`
}

// Store keeps contracts.
type Store struct {
	js     jetstream.JetStream
	bucket jetstream.KeyValue
}

// Open binds the bucket.
func Open(ctx context.Context, js jetstream.JetStream) (*Store, error) {
	bucket, err := kv.Open(ctx, js, contracts.AgreementsBucket)
	return &Store{js, bucket}, err
}

// storeTime bounds a question to the store.
const storeTime = 5 * time.Second

// Put keeps a contract that was checked, in place of the one of its name.
func (s *Store) Put(ctx context.Context, o Owner, c audit.Contract, now time.Time) (KeptContract, error) {
	ctx, cancel := context.WithTimeout(ctx, storeTime)
	defer cancel()
	kept := KeptContract{c, now.UTC().Truncate(time.Second)}
	value, err := json.Marshal(kept)
	if err != nil {
		return KeptContract{}, err
	}
	// The list comes first: a name without a contract is told as none, a contract without a name would be kept unseen.
	err = s.change(ctx, o, func(e *entries) error {
		i := e.find(c.Name)
		if i < 0 && len(e.Contracts) >= MaxContracts {
			return contracts.Invalid("path", "name", "too_many", "%d contracts are kept already; delete one first", MaxContracts)
		}
		entry := ContractEntry{c.Name, len(c.Terms), kept.UpdatedAt}
		if i < 0 {
			e.Contracts = append(e.Contracts, entry)
			slices.SortFunc(e.Contracts, func(a, b ContractEntry) int { return cmp.Compare(a.Name, b.Name) })
			return nil
		}
		e.Contracts[i] = entry
		return nil
	})
	if err != nil {
		return KeptContract{}, err
	}
	return kept, kv.Change(ctx, s.bucket, o.key(c.Name), func([]byte) ([]byte, error) { return value, nil })
}

// Get is the contract of a name. The error is NOT_FOUND where there is none.
func (s *Store) Get(ctx context.Context, o Owner, name string) (KeptContract, error) {
	ctx, cancel := context.WithTimeout(ctx, storeTime)
	defer cancel()
	value, _, err := kv.Get(ctx, s.bucket, o.key(name))
	if err != nil {
		return KeptContract{}, err
	}
	if value == nil {
		return KeptContract{}, missing(name)
	}
	var kept KeptContract
	if err := json.Unmarshal(value, &kept); err != nil || kept.Name != name {
		return KeptContract{}, damaged("a contract cannot be understood")
	}
	return kept, nil
}

// List are the tenant's contracts, by their names.
func (s *Store) List(ctx context.Context, o Owner) ([]ContractEntry, error) {
	ctx, cancel := context.WithTimeout(ctx, storeTime)
	defer cancel()
	value, _, err := kv.Get(ctx, s.bucket, o.key(""))
	if err != nil || value == nil {
		return []ContractEntry{}, err
	}
	e, err := o.decode(value)
	return e.Contracts, err
}

// Delete removes a contract. The error is NOT_FOUND where there is none.
func (s *Store) Delete(ctx context.Context, o Owner, name string) error {
	ctx, cancel := context.WithTimeout(ctx, storeTime)
	defer cancel()
	err := kv.Insist(ctx, func(ctx context.Context) error { return s.bucket.Purge(ctx, o.key(name)) })
	if err != nil {
		return err
	}
	return s.change(ctx, o, func(e *entries) error {
		i := e.find(name)
		if i < 0 {
			return missing(name)
		}
		e.Contracts = slices.Delete(e.Contracts, i, i+1)
		return nil
	})
}

// change edits the tenant's list.
func (s *Store) change(ctx context.Context, o Owner, edit func(*entries) error) error {
	return kv.Change(ctx, s.bucket, o.key(""), func(old []byte) ([]byte, error) {
		e := entries{Tenant: o.Tenant, Contracts: []ContractEntry{}}
		if old != nil {
			var err error
			if e, err = o.decode(old); err != nil {
				return nil, err
			}
		}
		if err := edit(&e); err != nil {
			return nil, err
		}
		return json.Marshal(e)
	})
}

func (o Owner) decode(value []byte) (e entries, err error) {
	if err := json.Unmarshal(value, &e); err != nil || e.Tenant != o.Tenant {
		return entries{}, damaged("a tenant's list of contracts cannot be understood")
	}
	return e, nil
}

func (e *entries) find(name string) int {
	return slices.IndexFunc(e.Contracts, func(c ContractEntry) bool { return c.Name == name })
}

func missing(name string) error {
	return contracts.Missing(contracts.NameUnknown, "no contract is called %q; GET /v1/ltl/contracts lists yours", contracts.Printable(name))
}

func damaged(what string) error {
	return &kv.Damaged{Stream: contracts.AgreementsBucket.Stream(), What: what}
}
