package wording_test

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/carrier"
	"assay.dev/ltl-worker/reader"
	"assay.dev/ltl-worker/trust"
	"assay.dev/ltl-worker/wording"
	"assay.dev/platform/scrape"
	"assay.dev/platform/scrape/browser"
	"assay.dev/sandbox"
)

var update = flag.Bool("update", false, "write sandbox.json anew; it needs Chromium")

// seen is when the sandbox's pages are accepted; they are read again at other times.
var seen = time.Date(2026, 9, 10, 16, 0, 0, 0, time.UTC)

// readings are what each path to each of the sandbox's pages gives at a time.
func readings(t *testing.T, at time.Time, ways ...string) map[contracts.Carrier][]trust.Reading {
	t.Helper()
	clock := func() time.Time { return at }
	s, err := sandbox.Start(sandbox.Options{Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	cfg := scrape.Config{Egress: scrape.Egress{HTTPSProxy: s.ProxyURL(), CAFile: s.CAFile()}}
	fetcher, err := scrape.NewFetcher(cfg, scrape.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	defer fetcher.Close()
	chromium := browser.New(browser.Config{}, fetcher, scrape.Deps{}) // one for all: its start costs more than all pages do
	defer func() { _ = chromium.Close(context.Background()) }()
	all := map[contracts.Carrier][]trust.Reading{}
	for _, c := range contracts.Carriers {
		r := reader.Reader{Recipe: carrier.Recipes[c], Fetcher: fetcher, Browser: chromium}
		paths := slices.DeleteFunc(r.Paths(), func(p reader.Path) bool { return len(ways) > 0 && !slices.Contains(ways, p.Name) })
		for _, p := range scrape.Probe(t.Context(), contracts.Today(at), paths) {
			if p.Err == nil {
				all[c] = append(all[c], p.Value.Trusted(p.Name))
			}
		}
	}
	return all
}

func hasChromium() bool {
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if _, err := exec.LookPath(name); err == nil {
			return true
		}
	}
	return false
}

// What the sandbox's pages say is accepted, whatever the week is.
func TestTheSandboxIsAccepted(t *testing.T) {
	if *update {
		write(t)
		return
	}
	all, err := wording.Sandbox()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range contracts.Carriers {
		if len(all[c]) == 0 {
			t.Errorf("%s: no page of it is accepted: is its site in sandbox/sites.go? then run this test with -update", c)
		}
	}
	ways := []string{"api", "page"}
	if hasChromium() && !testing.Short() {
		ways = nil
	}
	for _, at := range []time.Time{seen, seen.AddDate(0, 5, 12)} {
		for c, read := range readings(t, at, ways...) {
			known := trust.Wording{Editions: all[c]}
			for _, r := range read {
				k := known.Known(r.Path, at)
				if unknown := k.Unknown(r); k.IsFirstContact() || len(unknown) > 0 {
					t.Errorf("%s by %s on %s: not accepted: %v; run this test with -update", c, r.Path, at.Format(time.DateOnly), unknown)
				}
			}
		}
	}
}

// moments are those at which the sandbox's pages say other things than at the first one: before, at and after the holidays that they name.
var moments = []time.Time{seen, seen.AddDate(0, -2, 0), seen.AddDate(0, 2, 17), seen.AddDate(0, 3, 5)}

func write(t *testing.T) {
	t.Helper()
	if !hasChromium() {
		t.Fatal("no Chromium")
	}
	all := map[contracts.Carrier][]trust.Edition{}
	for i, at := range moments {
		ways := []string{"api", "page"}
		if i == 0 {
			ways = nil
		}
		for c, read := range readings(t, at, ways...) {
			for _, r := range read {
				all[c] = accept(all[c], r, at)
				if i > 0 && r.Path == "page" { // a browser shows the same
					r.Path = "rendered"
					all[c] = accept(all[c], r, at)
				}
			}
			// The rendering service brings what a browser shows.
			for _, r := range read {
				if r.Path == "rendered" || i > 0 && r.Path == "page" {
					r.Path = "scraper"
					all[c] = accept(all[c], r, at)
				}
			}
		}
	}
	text, err := json.MarshalIndent(all, "", " ")
	if err == nil {
		err = os.WriteFile("sandbox.json", append(text, '\n'), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// accept adds what nobody has accepted yet.
func accept(known []trust.Edition, r trust.Reading, at time.Time) []trust.Edition {
	k := trust.Wording{Editions: known}.Known(r.Path, at)
	if r.Lines = k.Unknown(r); len(r.Lines) == 0 {
		return known
	}
	return append(known, trust.NewEdition(r, "the sandbox", at, "", false))
}
