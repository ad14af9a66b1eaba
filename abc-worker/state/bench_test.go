package state_test

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"testing"
	"time"

	"assay.dev/abc-worker/mirror"
	"assay.dev/abc-worker/state"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
	"assay.dev/platform/scrape/scrapetest"
	"assay.dev/sandbox/california"
	"assay.dev/sandbox/illinois"
	"assay.dev/sandbox/license"
)

// world is the sites of California and Illinois, of which only the bulk files answer, and the recipes that read them.
func world(t testing.TB, sizes license.Sizes) (*license.Register, state.Deps) {
	t.Helper()
	register := license.New(contracts.DateOf(time.Now()), sizes)
	in := scrapetest.Start(t, map[string]http.Handler{
		california.Host: california.New(register, time.Now),
		illinois.Host:   illinois.New(register, func(*http.Request) bool { return false }, time.Now),
	})
	cfg := in.Config()
	cfg.HostConcurrency = 2 // as many as stay connected
	fetcher, err := scrape.NewFetcher(cfg, scrape.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(fetcher.Close)
	mirrors, err := mirror.Open(context.Background(), mirror.Deps{Environment: contracts.Test, Fetcher: fetcher})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = mirrors.Close(context.Background()) })
	return register, state.Deps{Environment: contracts.Test, Fetcher: fetcher, Mirrors: mirrors, Clock: time.Now}
}

// BenchmarkMirrorSearch searches the mirrors at the size of the real registers. The search itself is what is measured; the
// mirror is loaded before.
func BenchmarkMirrorSearch(b *testing.B) {
	_, deps := world(b, license.RealSize())
	for _, s := range []contracts.State{contracts.CA, contracts.IL} {
		recipe := state.Recipes[s](deps)
		search := recipe.Search[len(recipe.Search)-1].Read
		if _, err := search(b.Context(), contracts.Query{DBAName: "e"}); err != nil {
			b.Fatal(err)
		}
		for name, q := range map[string]contracts.Query{
			"common-name":   {DBAName: "kettle"},
			"rare-name":     {DBAName: "wandering dragonfly steakhouse #3"},
			"owner":         {OwnerName: "hospitality llc"},
			"street":        {Address: "1 cedar ave"},
			"city":          {Address: "san diego"},
			"two-filters":   {OwnerName: "ventures", Address: "oakland"},
			"one-letter":    {DBAName: "e"},
			"nothing":       {OwnerName: "no such owner"},
			"three-filters": {DBAName: "grill", OwnerName: "llc", Address: "main st"},
		} {
			b.Run(fmt.Sprintf("%s/%s", s, name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := search(b.Context(), q); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkMirrorLoad downloads and reads the bulk files at their real size, and reports what stays in memory.
func BenchmarkMirrorLoad(b *testing.B) {
	for _, s := range []contracts.State{contracts.CA, contracts.IL} {
		b.Run(string(s), func(b *testing.B) {
			_, deps := world(b, license.RealSize())
			lookup := func() func(context.Context, string) (state.LookupReading, error) {
				recipe := state.Recipes[s](deps)
				return recipe.Lookup[len(recipe.Lookup)-1].Read
			}
			_, _ = lookup()(b.Context(), "1") // the site makes its file on first demand
			for b.Loop() {
				read := lookup()
				before, start := heap(), time.Now()
				_, _ = read(b.Context(), "1")
				b.ReportMetric(float64(time.Since(start).Milliseconds()), "load-ms")
				b.ReportMetric(float64(heap()-before)/(1<<20), "resident-MiB")
				runtime.KeepAlive(read)
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
