package illinois_test

import (
	"net/http"
	"testing"
	"time"

	"go.uber.org/goleak"

	"assay.dev/abc-worker/illinois"
	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/register/registertest"
	"assay.dev/contracts"
	siteillinois "assay.dev/sandbox/illinois"
	"assay.dev/sandbox/license"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestEveryLicense(t *testing.T) {
	licenses := license.New(contracts.DateOf(time.Now()), license.Sizes{contracts.IL: registertest.Volume(2500, 150)})
	deps := registertest.Deps(t, map[string]http.Handler{
		siteillinois.Host: siteillinois.New(licenses, func(*http.Request) bool { return false }, time.Now),
	})
	lookup := illinois.Recipe(deps).Paths(register.Lookup)
	registertest.EveryLicense(t, licenses, contracts.IL, lookup[1], license.Mirror, true) // by the export
}

func TestAddressesAsPeopleWriteThem(t *testing.T) {
	licenses := license.New(contracts.DateOf(time.Now()), license.Sizes{contracts.IL: 150})
	deps := registertest.Deps(t, map[string]http.Handler{
		siteillinois.Host: siteillinois.New(licenses, func(*http.Request) bool { return false }, time.Now),
	})
	export := illinois.Recipe(deps).Paths(register.Search)[0]
	registertest.AddressesAsWritten(t, licenses, contracts.IL, export, license.Mirror, false)
}
