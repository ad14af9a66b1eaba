package carrier_test

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/carrier"
)

func TestEveryCarrierHasARecipe(t *testing.T) {
	for _, c := range contracts.Carriers {
		r, ok := carrier.Recipes[c]
		if !ok {
			t.Fatalf("%s has none: add it to Recipes in carriers.go", c)
		}
		l := r.Listing()
		if r.Code != c || len(l.SCAC) != 4 || l.Name == "" || l.Headquarters == "" || l.Coverage == "" ||
			l.HistoryWeeks < 1 || l.HistoryWeeks > contracts.MaxWeeks || l.SourceURL == "" {
			t.Errorf("%s: incomplete listing %+v", c, l)
		}
		if diesel := c != contracts.ABF && c != contracts.TFORCE; l.PublishesDieselPrice != diesel {
			t.Errorf("%s: publishes a diesel price: %t; a carrier whose page has none is named here", c, l.PublishesDieselPrice)
		}
		if slices.Contains(l.FallbackMethods, l.ExtractionMethod) {
			t.Errorf("%s: %s falls back to itself", c, l.ExtractionMethod)
		}
		for _, page := range r.Pages {
			if u, err := url.Parse(page); err != nil || u.Scheme != "https" {
				t.Errorf("%s: page %q", c, page)
			}
		}
	}
}

// Who asks for a carrier by the code that it filed is told its code here.
func TestFiledCodesLeadToTheirCarriers(t *testing.T) {
	further := map[string]contracts.Carrier{ // filed beside the one in the recipe, or before
		"FXNL": contracts.FEDEX, "UPGF": contracts.TFORCE, "XPOL": contracts.XPO,
	}
	filed := maps.Clone(further)
	for c, r := range carrier.Recipes {
		if r.SCAC != string(c) {
			filed[r.SCAC] = c
		}
	}
	if !maps.Equal(filed, contracts.FiledCodes) {
		t.Errorf("the SCACs of Recipes are %v: make contracts.FiledCodes the same, it has %v", filed, contracts.FiledCodes)
	}
	for code, c := range filed {
		if _, err := contracts.ParseCarrier(strings.ToLower(code)); contracts.CodeOf(err) != contracts.NotFound ||
			!strings.Contains(err.Error(), "did you mean "+string(c)+"?") {
			t.Errorf("%s: %v", code, err)
		}
	}
}

func TestFedExIsNotReadFromTheParcelSite(t *testing.T) {
	for _, page := range carrier.Recipes[contracts.FEDEX].Pages {
		if u, _ := url.Parse(page); !strings.HasSuffix(u.Hostname(), "fedexfreight.com") {
			t.Errorf("page %s", page)
		}
	}
}

func TestPathsInOrder(t *testing.T) {
	cases := map[contracts.Carrier][]carrier.Way{
		contracts.ODFL:  {carrier.API, carrier.Page, carrier.Rendered, carrier.Scraper},
		contracts.SAIA:  {carrier.Page, carrier.Rendered, carrier.Scraper},
		contracts.ESTES: {carrier.Rendered, carrier.Page, carrier.Scraper},
		contracts.ABF:   {carrier.Rendered, carrier.Page, carrier.Scraper},
	}
	for c, want := range cases {
		if got := carrier.Recipes[c].Ways(); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", c, got, want)
		}
	}
}

func TestURLs(t *testing.T) {
	var cfg carrier.Config
	if err := cfg.URLs.UnmarshalText([]byte("ESTES.api=https://example.com/a?b=c rlc.page=https://example.com/r")); err != nil {
		t.Fatal(err)
	}
	estes, rlc := cfg.Recipe(contracts.ESTES), cfg.Recipe(contracts.RLC)
	if estes.Ways()[0] != carrier.API || estes.API[0].URL != "https://example.com/a?b=c" {
		t.Errorf("ESTES is asked by %v %v", estes.Ways(), estes.API)
	}
	if !slices.Equal(rlc.Pages, []string{"https://example.com/r"}) {
		t.Errorf("RLC's pages are %v", rlc.Pages)
	}
	if saia := cfg.Recipe(contracts.SAIA); !slices.Equal(saia.Pages, carrier.Recipes[contracts.SAIA].Pages) {
		t.Errorf("SAIA's pages are %v", saia.Pages)
	}
	for _, bad := range []string{"ESTES=https://a.example", "ESTES.api=ftp://a.example", "ESTES.api=", "NOBODY.page=https://a.example", "ESTES.csv=https://a.example"} {
		if err := (&carrier.URLs{}).UnmarshalText([]byte(bad)); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}

// A carrier's own name is known on invoices, too.
func TestNamesOnInvoices(t *testing.T) {
	for c, r := range carrier.Recipes {
		if found, _ := contracts.CarrierNamed(r.Name); found != c {
			t.Errorf("on invoices %q is %q, want %s: add it to carrierNames in contracts/carriername.go", r.Name, found, c)
		}
	}
}

func TestEveryCarrierHasAWordingFile(t *testing.T) {
	for _, c := range contracts.Carriers {
		if _, err := carrier.ReadWording(c); err != nil {
			t.Errorf("%v: a worker of live panics; make the file empty where nobody has seen the real page", err)
		}
	}
}

// What is said of how a carrier applies its percent agrees with the rest of its recipe, and says where it stands.
func TestFuelRules(t *testing.T) {
	for c, r := range carrier.Recipes {
		rule := r.FuelRule
		if day := rule.WeekStart; day != nil && *day != r.Publication.Effective.String() {
			t.Errorf("%s: weeks begin on %s and on %s", c, *day, r.Publication.Effective)
		}
		isSaid := rule != contracts.FuelRule{}
		if isSaid && (rule.SourceURL == nil || !slices.Contains(r.Pages, *rule.SourceURL)) {
			t.Errorf("%s: a rule without one of its pages: %v", c, rule.SourceURL)
		}
		if unknown := c == contracts.RLC || c == contracts.FEDEX; isSaid == unknown {
			t.Errorf("%s has a FuelRule: %t, want %t; if none is known, say so here", c, isSaid, !unknown)
		}
	}
}
