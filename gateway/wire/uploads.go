package wire

import (
	"sync"
	"time"

	"assay.dev/contracts"
)

// How many uploads and large answers a gateway has at once, of all tenants and of one: each is held in memory, and a
// client may send or read it slowly. An answer is large from largeBody bytes on.
const (
	largeBody        = 1 << 20
	maxUploads       = 16
	maxTenantUploads = 4
)

// uploadRetry is when a client should come back that was one too many.
const uploadRetry = 2 * time.Second

// How many requests wait at a gateway for something to happen, of all tenants and of one.
const (
	maxWaits       = 8192
	maxTenantWaits = 4
)

// bound counts requests of a kind that are under way, of all tenants and of each.
type bound struct {
	most, mostOfTenant int
	ofOne              *contracts.Error // the refusal where the tenant has too many

	mu       sync.Mutex
	total    int
	ofTenant map[string]int
}

func newUploadBound() *bound {
	return &bound{
		most: maxUploads, mostOfTenant: maxTenantUploads, ofTenant: map[string]int{},
		ofOne: contracts.Errorf(contracts.RateLimited, "at most %d uploads or large answers of a tenant at once; send "+
			"the requests one after the other", maxTenantUploads).After(uploadRetry),
	}
}

func newWaitBound() *bound {
	return &bound{
		most: maxWaits, mostOfTenant: maxTenantWaits, ofTenant: map[string]int{},
		ofOne: contracts.Errorf(contracts.RateLimited, "at most %d requests of a tenant wait at once",
			maxTenantWaits).After(uploadRetry),
	}
}

// enter takes one request of a tenant. The caller calls leave when it is answered. One too many is refused.
func (u *bound) enter(tenant string) (leave func(), err error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	switch {
	case u.ofTenant[tenant] == u.mostOfTenant:
		return nil, u.ofOne
	case u.total == u.most:
		return nil, contracts.Errorf(contracts.SourceUnavailable,
			"we have too many such requests of all clients at once; retry").After(uploadRetry)
	}
	u.total++
	u.ofTenant[tenant]++
	return func() { u.leave(tenant) }, nil
}

func (u *bound) leave(tenant string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.total--
	if u.ofTenant[tenant]--; u.ofTenant[tenant] == 0 {
		delete(u.ofTenant, tenant)
	}
}
