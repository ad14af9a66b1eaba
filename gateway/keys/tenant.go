package keys

import (
	"cmp"
	"slices"
	"strings"
	"unique"

	"assay.dev/contracts"
)

// OfTenant are a tenant's keys in an environment as they are known here, the newest first. Keys of the marketplace's
// proxy secret have none.
func (d *Directory) OfTenant(env contracts.Environment, tenant string) []Listed {
	var all []Listed
	for _, k := range d.heldOf(unique.Make(tenant)) {
		if r := k.record(); !k.gone && r.Environment == env {
			all = append(all, Listed{ID: k.hash.ID(), Record: *r})
		}
	}
	slices.SortFunc(all, func(a, b Listed) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), strings.Compare(a.ID, b.ID))
	})
	return all
}

// LimitOf is the highest limit of the tenant's keys that may be used now for a product, as they are known here; 0 for a
// tenant without one.
func (d *Directory) LimitOf(env contracts.Environment, tenant string, p contracts.Product) (limit int) {
	for _, k := range d.OfTenant(env, tenant) {
		if k.Usable() == nil && k.Allows(p) {
			limit = max(limit, k.Limit)
		}
	}
	return limit
}

func (d *Directory) heldOf(tenant unique.Handle[string]) (found []*heldRecord) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	for _, k := range d.records {
		for ; k != nil; k = k.next {
			if k.tenant == tenant {
				found = append(found, k)
			}
		}
	}
	return found
}
