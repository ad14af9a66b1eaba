package texas_test

import (
	"net/http"
	"testing"
	"time"

	"go.uber.org/goleak"

	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/register/registertest"
	"assay.dev/abc-worker/texas"
	"assay.dev/contracts"
	"assay.dev/sandbox/captcha"
	"assay.dev/sandbox/license"
	"assay.dev/sandbox/opendata"
	sitetexas "assay.dev/sandbox/texas"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestEveryLicense(t *testing.T) {
	licenses := license.New(contracts.DateOf(time.Now()), license.Sizes{contracts.TX: 150}) // each case at least once
	book := captcha.NewBook(1)
	deps := registertest.Deps(t, map[string]http.Handler{
		sitetexas.Host:     sitetexas.New(licenses, book, sitetexas.Options{}),
		sitetexas.DataHost: opendata.NewSoda(time.Now(), sitetexas.Dataset(licenses)),
	})
	deps.Solver = registertest.HasSolver
	deps.Solve = registertest.Solver(book)
	registertest.EveryLicenseByBothPaths(t, licenses, contracts.TX, texas.Recipe(deps))
}

func TestFaultsGiveNoWrongAnswer(t *testing.T) {
	registertest.FaultsGiveNoWrongAnswer(t, contracts.TX, texas.Recipe, "two suspensions and a penalty",
		[2]string{sitetexas.Host, sitetexas.DataHost})
}

// Searches with more matches than one answer of the service holds. Rows whose status nobody understands are not among those
// that are counted, on whatever page they would stand.
func TestEveryMatch(t *testing.T) {
	licenses := license.New(contracts.DateOf(time.Now()), license.Sizes{contracts.TX: registertest.Volume(3000, 700)})
	deps := registertest.Deps(t, map[string]http.Handler{
		sitetexas.DataHost: opendata.NewSoda(time.Now(), sitetexas.Dataset(licenses)),
	})
	data := texas.Recipe(deps).Paths(register.Search)[1]
	for _, q := range []contracts.Query{{OwnerName: "e"}, {DBAName: "r", Address: "s"}} {
		registertest.EveryMatch(t, licenses, contracts.TX, data, license.Mirror, q)
	}
}
