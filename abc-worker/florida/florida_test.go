package florida_test

import (
	"net/http"
	"testing"
	"time"

	"go.uber.org/goleak"

	"assay.dev/abc-worker/florida"
	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/register/registertest"
	"assay.dev/contracts"
	siteflorida "assay.dev/sandbox/florida"
	"assay.dev/sandbox/license"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestEveryLicense(t *testing.T) {
	licenses := license.New(contracts.DateOf(time.Now()), license.Sizes{contracts.FL: 150}) // each case at least once
	deps := registertest.Deps(t, map[string]http.Handler{
		siteflorida.Host:        siteflorida.New(licenses),
		siteflorida.ExtractHost: siteflorida.NewExtracts(licenses, time.Now),
	})
	registertest.EveryLicenseByBothPaths(t, licenses, contracts.FL, florida.Recipe(deps))
}

func TestFaultsGiveNoWrongAnswer(t *testing.T) {
	registertest.FaultsGiveNoWrongAnswer(t, contracts.FL, florida.Recipe, "no dba",
		[2]registertest.Host{{Name: siteflorida.Host, Searches: []string{"portal"}}, {Name: siteflorida.ExtractHost, Searches: []string{"mirror"}}})
}

func TestAddressesAsPeopleWriteThem(t *testing.T) {
	licenses := license.New(contracts.DateOf(time.Now()), license.Sizes{contracts.FL: 150})
	deps := registertest.Deps(t, map[string]http.Handler{
		siteflorida.Host:        siteflorida.New(licenses),
		siteflorida.ExtractHost: siteflorida.NewExtracts(licenses, time.Now),
	})
	search := florida.Recipe(deps).Paths(register.Search)
	registertest.AddressesAsWritten(t, licenses, contracts.FL, search[0], license.Primary, true)
	registertest.AddressesAsWritten(t, licenses, contracts.FL, search[1], license.Mirror, false)
}
