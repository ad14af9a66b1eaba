package california_test

import (
	"net/http"
	"testing"
	"time"

	"go.uber.org/goleak"

	"assay.dev/abc-worker/california"
	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/register/registertest"
	"assay.dev/contracts"
	sitecalifornia "assay.dev/sandbox/california"
	"assay.dev/sandbox/license"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestEveryLicense(t *testing.T) {
	licenses := license.New(contracts.DateOf(time.Now()), license.Small())
	deps := registertest.Deps(t, map[string]http.Handler{
		sitecalifornia.Host: sitecalifornia.New(licenses, time.Now),
	})
	lookup := california.Recipe(deps).Paths(register.Lookup)
	t.Run("page", func(t *testing.T) {
		t.Parallel()
		registertest.EveryLicense(t, licenses, contracts.CA, lookup[0], license.Primary, true)
	})
	t.Run("export", func(t *testing.T) {
		t.Parallel()
		registertest.EveryLicense(t, licenses, contracts.CA, lookup[1], license.Mirror, false)
	})
}
