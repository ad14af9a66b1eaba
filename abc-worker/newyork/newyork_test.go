package newyork_test

import (
	"net/http"
	"testing"
	"time"

	"go.uber.org/goleak"

	"assay.dev/abc-worker/newyork"
	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/register/registertest"
	"assay.dev/contracts"
	"assay.dev/sandbox/license"
	sitenewyork "assay.dev/sandbox/newyork"
	"assay.dev/sandbox/opendata"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestEveryLicense(t *testing.T) {
	licenses := license.New(contracts.DateOf(time.Now()), license.Sizes{contracts.NY: 150}) // each case at least once
	deps := registertest.Deps(t, map[string]http.Handler{
		sitenewyork.DataHost: opendata.NewSoda(time.Now(), sitenewyork.Datasets(licenses)...),
		sitenewyork.MapHost:  sitenewyork.Map(licenses),
	})
	registertest.EveryLicenseByBothPaths(t, licenses, contracts.NY, newyork.Recipe(deps))
}

func TestFaultsGiveNoWrongAnswer(t *testing.T) {
	registertest.FaultsGiveNoWrongAnswer(t, contracts.NY, newyork.Recipe, "plain",
		[2]registertest.Host{{Name: sitenewyork.DataHost, Searches: []string{"mirror", "soda"}}, {Name: sitenewyork.MapHost, Searches: []string{"map"}}})
}

// Searches with more matches than one answer of the services holds.
func TestEveryMatch(t *testing.T) {
	licenses := license.New(contracts.DateOf(time.Now()), license.Sizes{contracts.NY: registertest.Volume(3000, 700)})
	deps := registertest.Deps(t, map[string]http.Handler{
		sitenewyork.DataHost: opendata.NewSoda(time.Now(), sitenewyork.Datasets(licenses)...),
		sitenewyork.MapHost:  sitenewyork.Map(licenses),
	})
	search := newyork.Recipe(deps).Paths(register.Search)
	for _, q := range []contracts.Query{{OwnerName: "e"}, {DBAName: "r", Address: "s"}} {
		for i, golden := range []license.Path{license.Primary, license.Primary, license.Mirror} {
			t.Run(search[i].Name, func(t *testing.T) { registertest.EveryMatch(t, licenses, contracts.NY, search[i], golden, q) })
		}
	}
}

func TestAddressesAsPeopleWriteThem(t *testing.T) {
	licenses := license.New(contracts.DateOf(time.Now()), license.Sizes{contracts.NY: 150})
	deps := registertest.Deps(t, map[string]http.Handler{
		sitenewyork.DataHost: opendata.NewSoda(time.Now(), sitenewyork.Datasets(licenses)...),
		sitenewyork.MapHost:  sitenewyork.Map(licenses),
	})
	search := newyork.Recipe(deps).Paths(register.Search)
	for i, golden := range []license.Path{license.Primary, license.Primary, license.Mirror} {
		t.Run(search[i].Name, func(t *testing.T) {
			registertest.AddressesAsWritten(t, licenses, contracts.NY, search[i], golden, false)
		})
	}
}
