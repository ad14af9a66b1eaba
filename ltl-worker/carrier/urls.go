package carrier

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"assay.dev/contracts"
)

// Config holds the settings that replace facts of a recipe.
type Config struct {
	URLs URLs `env:"ASSAY_LTL_URLS" help:"addresses to read instead of those of a recipe, or in addition to them: CARRIER.page=URL or CARRIER.api=URL, separated by blanks, such as ESTES.api=https://example.com/history"`
}

// URLs are addresses by carrier.
type URLs map[contracts.Carrier]struct{ Page, API string }

// UnmarshalText reads the value of ASSAY_LTL_URLS.
func (u *URLs) UnmarshalText(text []byte) error {
	urls := URLs{}
	for _, word := range strings.Fields(string(text)) {
		name, address, _ := strings.Cut(word, "=")
		code, way, _ := strings.Cut(name, ".")
		c, err := contracts.ParseCarrier(code)
		if err != nil {
			return fmt.Errorf("%q: %q is not a carrier", word, code)
		}
		if a, err := url.Parse(address); err != nil || a.Host == "" || (a.Scheme != "https" && a.Scheme != "http") {
			return fmt.Errorf("%q: want CARRIER.page=URL or CARRIER.api=URL", word)
		}
		of := urls[c]
		switch Way(way) {
		case Page:
			of.Page = address
		case API:
			of.API = address
		default:
			return fmt.Errorf("%q: want %s.page or %s.api", word, c, c)
		}
		urls[c] = of
	}
	*u = urls
	return nil
}

// Recipe is the recipe of c, with the addresses that the settings give instead of its own.
func (cfg Config) Recipe(c contracts.Carrier) Recipe {
	r, set := Recipes[c].withWeekday(), cfg.URLs[c]
	if set.Page != "" {
		r.Pages = []string{set.Page}
	}
	if set.API != "" {
		r.API = []Request{{Method: http.MethodGet, URL: set.API}}
	}
	return r
}
