package kept

import (
	"context"
	"encoding/json"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/audit"
)

// MaxContracts is how many contracts a tenant may keep.
const MaxContracts = 50

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

// Contracts keeps contracts.
type Contracts struct{ *shelf[ContractEntry] }

// Put keeps a contract that was checked, in place of the one of its name. created tells that there was none.
func (s Contracts) Put(
	ctx context.Context, o Owner, c audit.Contract, now time.Time,
) (kept KeptContract, created bool, err error) {
	kept = KeptContract{c, now.UTC().Truncate(time.Second)}
	value, err := json.Marshal(kept)
	if err != nil {
		return KeptContract{}, false, err
	}
	err = s.put(ctx, o, c.Name, value, func(all []ContractEntry) ([]ContractEntry, error) {
		created = s.entryIndex(all, c.Name) < 0
		if all = s.listed(all, ContractEntry{c.Name, len(c.Terms), kept.UpdatedAt}); len(all) > MaxContracts {
			return nil, contracts.Invalid("path", "name", "too_many",
				"%d contracts are kept already; delete one first", MaxContracts)
		}
		return all, nil
	})
	return kept, created, err
}

// Get is the contract of a name. The error is NOT_FOUND where there is none.
func (s Contracts) Get(ctx context.Context, o Owner, name string) (KeptContract, error) {
	return read(ctx, s.shelf, o, name, "a contract", func(c *KeptContract) bool { return c.Name == name })
}

// List are the tenant's contracts, by their names.
func (s Contracts) List(ctx context.Context, o Owner) ([]ContractEntry, error) {
	return s.entries(ctx, o)
}
