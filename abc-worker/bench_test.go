package abcworker

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"testing"
	"time"

	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/register/registertest"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
	"assay.dev/sandbox/california"
	"assay.dev/sandbox/florida"
	"assay.dev/sandbox/illinois"
	"assay.dev/sandbox/license"
	"assay.dev/sandbox/newyork"
	"assay.dev/sandbox/opendata"
	"assay.dev/sandbox/texas"
)

// realSize is the sites of the bulk files at the size of the real registers.
func realSize(b *testing.B) register.Deps {
	b.Helper()
	return sites(b, license.New(contracts.DateOf(time.Now()), license.RealSize()))
}

// sites are the sites of the bulk files of a register.
func sites(b testing.TB, licenses *license.Register) register.Deps {
	b.Helper()
	return registertest.Deps(b, map[string]http.Handler{
		california.Host:     california.New(licenses, time.Now),
		texas.DataHost:      opendata.NewSoda(time.Now(), texas.Dataset(licenses)),
		newyork.DataHost:    opendata.NewSoda(time.Now(), newyork.Datasets(licenses)...),
		florida.ExtractHost: florida.NewExtracts(licenses, time.Now),
		illinois.Host:       illinois.New(licenses, func(*http.Request) bool { return false }, time.Now),
	})
}

// BenchmarkMirrorSearch searches the mirrors at the size of the real registers. The search itself is what is
// measured; the mirror is loaded before.
func BenchmarkMirrorSearch(b *testing.B) {
	deps := realSize(b)
	for _, s := range contracts.States {
		recipe := Recipes[s](deps)
		search := bulkSearch(recipe)
		if _, err := search(b.Context(), registertest.Query(contracts.Query{DBAName: "e"})); err != nil {
			b.Fatal(err)
		}
		for name, q := range map[string]contracts.Query{
			"common-name":   {DBAName: "kettle"},
			"rare-name":     {DBAName: "wandering dragonfly steakhouse #3"},
			"owner":         {OwnerName: "hospitality llc"},
			"street":        {Address: "1 cedar ave"},
			"one-street":    {Address: "ridge"},
			"city":          {Address: "san diego"},
			"two-filters":   {OwnerName: "ventures", Address: "oakland"},
			"one-letter":    {DBAName: "e"},
			"nothing":       {OwnerName: "no such owner"},
			"three-filters": {DBAName: "grill", OwnerName: "llc", Address: "main st"},
		} {
			b.Run(fmt.Sprintf("%s/%s", s, name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := search(b.Context(), registertest.Query(q)); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// bulkSearch is the search of a recipe's bulk files, with its judgement.
func bulkSearch(recipe register.Recipe) func(context.Context, register.Question) (scrape.Reading[register.Answer], error) {
	all := recipe.Paths(register.Search)
	return all[slices.IndexFunc(all, func(p register.JudgedPath) bool { return p.Name == "mirror" })].Read
}

// BenchmarkMirrorLoad downloads and reads the bulk files at their real size, and reports what stays in memory: of each
// state, and of all together.
func BenchmarkMirrorLoad(b *testing.B) {
	deps := realSize(b)
	for _, s := range contracts.States {
		b.Run(string(s), func(b *testing.B) {
			load := func() any {
				search := bulkSearch(Recipes[s](deps))
				if _, err := search(b.Context(), registertest.Query(contracts.Query{DBAName: "kettle"})); err != nil {
					b.Fatal(err)
				}
				return search
			}
			load() // the site makes its file on first demand
			for b.Loop() {
				before, start := heap(), time.Now()
				loaded := load()
				b.ReportMetric(float64(time.Since(start).Milliseconds()), "load-ms")
				b.ReportMetric(float64(heap()-before)/(1<<20), "resident-MiB")
				runtime.KeepAlive(loaded)
			}
		})
	}
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
