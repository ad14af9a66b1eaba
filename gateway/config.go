package gateway

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/confirm"
	"assay.dev/gateway/oauth"
	"assay.dev/gateway/wire"
	"assay.dev/platform/daemon"
	"assay.dev/platform/seal"
	"assay.dev/platform/webhook"
)

// Webhooks is the name under which the settings of package webhook are embedded.
type Webhooks = webhook.Config

// Config holds the gateway's settings.
type Config struct {
	daemon.Config
	Webhooks

	Listen            string          `env:"ASSAY_LISTEN" envDefault:"127.0.0.1:8080" help:"address of the API"`
	AuditLinePrice    contracts.Price `env:"ASSAY_AUDIT_LINE_PRICE" envDefault:"0.003" help:"US dollars for each line that an audit resolves, with up to 6 decimals; the default is a tenth of an answer"`
	MatchLinePrice    contracts.Price `env:"ASSAY_MATCH_LINE_PRICE" envDefault:"0.005" help:"US dollars for each customer whose license is found, or left to a person, with up to 6 decimals; the default is a tenth of an answer"`
	DeliveryLinePrice contracts.Price `env:"ASSAY_DELIVERY_LINE_PRICE" envDefault:"0.005" help:"US dollars for each delivery of a list that is STOP, CASH_ONLY or DELIVER, with up to 6 decimals; the default is a tenth of an answer"`

	UsageAside string `env:"ASSAY_USAGE_ASIDE" help:"file, made with mode 0600 and 1 MB, that keeps billable answers between a stop while NATS stores nothing and the next start; empty: such a stop loses them (assay up has one among its data)"`

	CacheBytes uint64 `env:"ASSAY_CACHE_BYTES" envDefault:"67108864" help:"most bytes of answers kept in memory"`

	RateLimit      int     `env:"ASSAY_RATE_LIMIT" envDefault:"60" help:"requests in any minute for marketplace tenants; a key of ours has its own limit"`
	AnonymousLimit int     `env:"ASSAY_ANONYMOUS_LIMIT" envDefault:"120" help:"requests a minute without a valid key, and 403 answers, for one client address and one gateway; more are 429"`
	AnonymousRate  int     `env:"ASSAY_ANONYMOUS_RATE" envDefault:"200" help:"such requests a second for all addresses together and one gateway; more are 429"`
	TrustedProxies Proxies `env:"ASSAY_TRUSTED_PROXIES" help:"address ranges of proxies whose X-Forwarded-For is believed, separated by commas; none or empty: nobody's"`

	PublicURL     string   `env:"ASSAY_PUBLIC_URL" help:"address of the API as clients see it, for server cards and /llms.txt; empty takes it from the request"`
	AgentOrigins  []string `env:"ASSAY_AGENT_ORIGINS" help:"web origins besides our own whose pages may use the agent tools, such as https://app.example.com, separated by commas"`
	UpcomingTools bool     `env:"ASSAY_UPCOMING_TOOLS" envDefault:"true" help:"list the agent tools that are not available yet, such as get_accessorials, whose calls end with COMING_SOON"`
	CORSOrigins   []string `env:"ASSAY_CORS_ORIGINS" help:"web origins whose pages may call the API with a key, such as https://app.example.com, separated by commas; * for all; empty: none, and OPTIONS is 405"`

	OAuthIssuer string `env:"ASSAY_OAUTH_ISSUER" help:"authorization server whose bearer tokens are taken besides API keys, such as https://login.example.com; empty: none"`
	OAuthClaim  string `env:"ASSAY_OAUTH_CLAIM" envDefault:"assay_key" help:"claim of those tokens that has the id of an API key, as assay keys list shows it"`

	ConsoleSecret daemon.Secret `env:"ASSAY_CONSOLE_SECRET" help:"seals the sessions of the console, at least 32 characters, the same for all gateways; empty turns the console off (assay up makes one)"`

	RapidAPILTL daemon.Secret `env:"ASSAY_RAPIDAPI_LTL_SECRET" help:"X-RapidAPI-Proxy-Secret of the fuel surcharge listing; empty turns it off"`
	RapidAPIABC daemon.Secret `env:"ASSAY_RAPIDAPI_ABC_SECRET" help:"X-RapidAPI-Proxy-Secret of the license listing; empty turns it off"`

	// ChangesRead, if it is set, is called when a client reads changes.
	ChangesRead func(contracts.Environment) `env:"-"`
	// Confirm is how licenses of portfolios are looked up in place of how it is usual.
	Confirm confirm.Pace `env:"-"`
	// StoreTime bounds a look at what NATS stores, such as a key, a limit or an answer; 0 is as each of them promises. Tests
	// alone set it, because a busy machine takes longer.
	StoreTime time.Duration `env:"-"`
	// Listener is used in place of Listen by a process that opened the port itself.
	Listener net.Listener `env:"-"`
}

// Validate checks what can be checked before anything connects.
func (c Config) Validate() error {
	errs := []error{c.Config.Validate(), c.Webhooks.Validate(), daemon.CheckAddress("ASSAY_LISTEN", c.Listen),
		daemon.CheckFile("ASSAY_USAGE_ASIDE", c.UsageAside)}
	if c.RateLimit < 1 {
		errs = append(errs, fmt.Errorf("ASSAY_RATE_LIMIT=%d: want at least 1", c.RateLimit))
	}
	if c.AnonymousLimit < 1 {
		errs = append(errs, fmt.Errorf("ASSAY_ANONYMOUS_LIMIT=%d: want at least 1", c.AnonymousLimit))
	}
	if c.AnonymousRate < 1 {
		errs = append(errs, fmt.Errorf("ASSAY_ANONYMOUS_RATE=%d: want at least 1", c.AnonymousRate))
	}
	if c.RapidAPILTL != "" && c.RapidAPILTL == c.RapidAPIABC {
		errs = append(errs, errors.New("ASSAY_RAPIDAPI_LTL_SECRET and ASSAY_RAPIDAPI_ABC_SECRET are the same: the "+
			"secret tells the listings apart"))
	}
	if u, err := url.Parse(c.PublicURL); c.PublicURL != "" &&
		(err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http") {
		errs = append(errs, fmt.Errorf("ASSAY_PUBLIC_URL=%s: want a URL such as https://api.example.com", c.PublicURL))
	}
	if issuer, err := url.Parse(c.OAuthIssuer); c.OAuthIssuer != "" &&
		(err != nil || issuer.Host == "" || issuer.Scheme != "https" && !isLoopback(issuer)) {
		errs = append(errs, fmt.Errorf("ASSAY_OAUTH_ISSUER=%s: want a URL such as https://login.example.com", c.OAuthIssuer))
	}
	if c.OAuthIssuer != "" && (c.PublicURL == "" || c.OAuthClaim == "") {
		errs = append(errs, errors.New("ASSAY_OAUTH_ISSUER needs ASSAY_PUBLIC_URL, which the tokens must be meant "+
			"for, and ASSAY_OAUTH_CLAIM"))
	}
	for _, origin := range c.AgentOrigins {
		if err := http.NewCrossOriginProtection().AddTrustedOrigin(origin); err != nil {
			errs = append(errs, fmt.Errorf("ASSAY_AGENT_ORIGINS: %w", err))
		}
	}
	for _, origin := range c.CORSOrigins {
		if err := http.NewCrossOriginProtection().AddTrustedOrigin(origin); err != nil && origin != "*" {
			errs = append(errs, fmt.Errorf("ASSAY_CORS_ORIGINS: %w", err))
		}
	}
	if n := len(c.ConsoleSecret); n > 0 && n < seal.MinSecret {
		errs = append(errs, fmt.Errorf("ASSAY_CONSOLE_SECRET has %d characters: want at least %d", n, seal.MinSecret))
	}
	return errors.Join(errs...)
}

// isLoopback tells whether an address is one of this machine, which may be without TLS.
func isLoopback(u *url.URL) bool {
	address, err := netip.ParseAddr(u.Hostname())
	return u.Scheme == "http" && err == nil && address.IsLoopback()
}

// tokens are nil without an issuer.
func (c Config) tokens(log *slog.Logger) *oauth.Verifier {
	if c.OAuthIssuer == "" {
		return nil
	}
	return oauth.New(oauth.Config{Issuer: c.OAuthIssuer, Claim: c.OAuthClaim, Log: log})
}

// wire is the part of the settings that requests and replies go by.
func (c Config) wire() wire.Options {
	o := wire.Options{
		TrustedProxies: c.TrustedProxies.texts(), AddressRequests: c.AnonymousLimit, AllRequests: c.AnonymousRate,
		AgentOrigins: c.AgentOrigins, ListUpcomingTools: c.UpcomingTools, CORSOrigins: c.CORSOrigins,
		MarketplaceLimit: c.RateLimit, Secrets: map[contracts.Product]daemon.Secret{},
	}
	for product, secret := range map[contracts.Product]daemon.Secret{contracts.LTL: c.RapidAPILTL,
		contracts.ABC: c.RapidAPIABC} {
		if secret != "" {
			o.Secrets[product] = secret
		}
	}
	return o
}
