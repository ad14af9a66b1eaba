package wire

import (
	"fmt"
	"testing"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
)

// Whose requests are too many is told so: no source is down.
func TestWhoHasTooManyUploads(t *testing.T) {
	u := newUploadBound()
	for i := range maxUploads {
		if _, err := u.enter(fmt.Sprint("tenant", i/maxTenantUploads)); err != nil {
			t.Fatal(err)
		}
	}
	for tenant, want := range map[string]contracts.Code{
		"tenant0": contracts.RateLimited, "another": contracts.SourceUnavailable,
	} {
		_, err := u.enter(tenant)
		public := api.PublicError(err)
		if public.Code != want || public.Message != contracts.AsError(err).Message || public.RetryAfter != uploadRetry {
			t.Errorf("%s: %+v, want %s", tenant, public, want)
		}
	}
}
