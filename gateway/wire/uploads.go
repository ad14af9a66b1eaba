package wire

import (
	"sync"
	"time"

	"assay.dev/contracts"
)

// How many uploads a gateway takes at once, of all tenants and of one: each holds its body in memory, and a client may
// send it slowly.
const (
	maxUploads       = 16
	maxTenantUploads = 4
)

// uploadRetry is when a client should come back that was one too many.
const uploadRetry = 2 * time.Second

// uploadBound counts the uploads under way.
type uploadBound struct {
	mu       sync.Mutex
	total    int
	ofTenant map[string]int
}

// enter takes one upload of a tenant. The caller calls leave when it is answered. One too many is BUSY.
func (u *uploadBound) enter(tenant string) (leave func(), err error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.total == maxUploads || u.ofTenant[tenant] == maxTenantUploads {
		return nil, contracts.Errorf(contracts.Busy, "too many uploads at once; send them one after the other").After(uploadRetry)
	}
	u.total++
	u.ofTenant[tenant]++
	return func() { u.leave(tenant) }, nil
}

func (u *uploadBound) leave(tenant string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.total--
	if u.ofTenant[tenant]--; u.ofTenant[tenant] == 0 {
		delete(u.ofTenant, tenant)
	}
}
