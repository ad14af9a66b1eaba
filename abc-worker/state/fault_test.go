package state_test

import (
	"context"
	"testing"
	"time"

	"assay.dev/abc-worker/mirror"
	"assay.dev/abc-worker/state"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
	"assay.dev/sandbox"
	"assay.dev/sandbox/license"
)

// Whatever a site does, a path gives the right record or fails: never another record, never that there is none.
func TestFaultsGiveNoWrongAnswer(t *testing.T) {
	box, err := sandbox.Start(sandbox.Options{Licenses: license.Sizes{contracts.TX: 60, contracts.NY: 60, contracts.FL: 60}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = box.Close() })
	fetcher, err := scrape.NewFetcher(scrape.Config{Egress: scrape.Egress{HTTPSProxy: box.ProxyURL(), CAFile: box.CAFile()}}, scrape.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(fetcher.Close)
	hosts := map[contracts.State][]string{
		contracts.TX: {"apps.tabc.texas.gov", "data.texas.gov"}, contracts.NY: {"data.ny.gov", "services8.arcgis.com"},
		contracts.FL: {"www.myfloridalicense.com", "www2.myfloridalicense.com"},
	}
	register := box.Licensing().Register
	names := map[contracts.State]string{contracts.TX: "two suspensions and a penalty", contracts.NY: "plain", contracts.FL: "no dba"}
	for _, kind := range []sandbox.Kind{
		sandbox.Down, sandbox.Reset, sandbox.Forbidden, sandbox.Broken, sandbox.Challenge, sandbox.Empty, sandbox.Redesigned, sandbox.Swapped,
		sandbox.Bomb, sandbox.Huge, sandbox.Headers, sandbox.PrivateRedirect, sandbox.ForeignRedirect,
	} {
		for s, both := range hosts {
			l, _ := register.Case(s, names[s])
			for way, host := range both {
				t.Run(string(kind)+"/"+host, func(t *testing.T) {
					if err := box.Fault(host, "", kind); err != nil {
						t.Fatal(err)
					}
					defer box.ClearFaults()
					mirrors, err := mirror.Open(context.Background(), mirror.Deps{Environment: contracts.Test, Fetcher: fetcher})
					if err != nil {
						t.Fatal(err)
					}
					defer func() { _ = mirrors.Close(context.Background()) }()
					recipe := state.Recipes[s](state.Deps{Fetcher: fetcher, Mirrors: mirrors, Clock: time.Now, Solve: reader(box.Licensing().Captchas)})
					ctx, cancel := context.WithTimeout(t.Context(), 8*time.Second)
					defer cancel()
					path := []license.Path{license.Primary, license.Mirror}[way]
					got, err := recipe.Lookup[way].Read(ctx, l.Number)
					if err == nil && !same(got.Value, l.Record(path)) {
						t.Errorf("lookup\n got %s\nwant %s", show(got.Value), show(l.Record(path)))
					}
					found, err := recipe.Search[way].Read(ctx, contracts.Query{OwnerName: l.Owner})
					if want := register.Search(s, path, contracts.Query{OwnerName: l.Owner}); err == nil && show(found.Value.Records) != show(want) {
						t.Errorf("search\n got %s\nwant %s", show(found.Value), show(want))
					}
				})
			}
		}
	}
}
