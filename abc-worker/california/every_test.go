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
	licenses := license.New(contracts.DateOf(time.Now()), license.Sizes{contracts.CA: registertest.Volume(2500, 150)})
	deps := registertest.Deps(t, map[string]http.Handler{
		sitecalifornia.Host: sitecalifornia.New(licenses, time.Now),
	})
	registertest.EveryLicenseByBothPaths(t, licenses, contracts.CA, california.Recipe(deps))
}

func TestAddressesAsPeopleWriteThem(t *testing.T) {
	licenses := license.New(contracts.DateOf(time.Now()), license.Sizes{contracts.CA: 150})
	deps := registertest.Deps(t, map[string]http.Handler{
		sitecalifornia.Host: sitecalifornia.New(licenses, time.Now),
	})
	search := california.Recipe(deps).Paths(register.Search)
	registertest.AddressesAsWritten(t, licenses, contracts.CA, search[0], license.Primary, true)
	registertest.AddressesAsWritten(t, licenses, contracts.CA, search[1], license.Mirror, false)
}
