package gateway

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"net/http"

	"assay.dev/contracts"
	"assay.dev/gateway/keys"
	"assay.dev/gateway/ratelimit"
	"assay.dev/platform/telemetry"
)

// The marketplace's headers. They mean something only together with the right secret.
const (
	headerKey          = "X-Api-Key"
	headerProxySecret  = "X-Rapidapi-Proxy-Secret"
	headerUser         = "X-Rapidapi-User"
	headerSubscription = "X-Rapidapi-Subscription"
)

// authenticate finds who calls.
func (g *gateway) authenticate(e *exchange) error {
	caller, outcome, err := g.identify(e)
	e.caller = caller
	if err == nil {
		g.metrics.auth(outcome)
		return nil
	}
	return g.refuse(e, outcome, err)
}

// permit checks that the caller subscribes to the route's product.
func (g *gateway) permit(e *exchange) error {
	p := e.route.product
	if p == "" || e.caller.Allows(p) {
		return nil
	}
	return g.refuse(e, authProduct, contracts.Errorf(contracts.ProductNotEnabled, "this key is not subscribed to the %s product; subscribe to it, or use a key that is", p))
}

// refuse admits a 401 or 403 as an anonymous request.
func (g *gateway) refuse(e *exchange, outcome authOutcome, err error) error {
	g.metrics.auth(outcome)
	switch contracts.CodeOf(err) {
	case contracts.Unauthorized, contracts.ProductNotEnabled:
		if limited := g.admit(e); limited != nil {
			return limited
		}
		e.bound()
	}
	return err
}

func (g *gateway) identify(e *exchange) (*keys.Record, authOutcome, error) {
	h := e.c.Request.Header
	if caller, outcome, err := g.marketplace(h); caller != nil || err != nil {
		return caller, outcome, err
	}
	given := h[headerKey]
	switch {
	case len(given) == 0 || given[0] == "":
		return nil, authMissing, contracts.Errorf(contracts.Unauthorized, "send your API key in the X-API-Key header")
	case len(given) > 1:
		return nil, authMalformed, contracts.Errorf(contracts.Unauthorized, "send one X-API-Key header only")
	}
	hash, err := keys.Parse(given[0])
	if err == nil {
		var caller *keys.Record
		if caller, err = g.keys.Lookup(e.ctx, hash, func() error { return g.admit(e) }); err == nil {
			e.release()
			return caller, authOK, nil
		}
	}
	outcome, err := keyError(err)
	return nil, outcome, err
}

// keyError does not tell a caller which keys exist.
func keyError(err error) (authOutcome, error) {
	invalid := contracts.Errorf(contracts.Unauthorized, "this API key is not valid; check it, or ask for a new one")
	switch {
	case errors.Is(err, keys.ErrMalformed):
		return authMalformed, invalid
	case errors.Is(err, keys.ErrUnknown):
		return authUnknown, invalid
	case errors.Is(err, keys.ErrExpired):
		return authExpired, contracts.Errorf(contracts.Unauthorized, "this API key has expired; ask for a new one")
	case errors.Is(err, keys.ErrRevoked):
		return authRevoked, contracts.Errorf(contracts.Unauthorized, "this API key was revoked; ask for a new one")
	case errors.Is(err, keys.ErrUnverifiable):
		return authUnverifiable, contracts.Wrap(err, contracts.SourceUnavailable, "API keys cannot be verified at the moment; retry later").After(keyRetry)
	default:
		return authLimited, err
	}
}

// marketplace identifies a request that came through a listing: its secret gives the product, its user the tenant. On any
// other request these headers are removed, as anyone can send them.
func (g *gateway) marketplace(h http.Header) (*keys.Record, authOutcome, error) {
	secret, sent := h[headerProxySecret]
	if !sent && h[headerUser] == nil && h[headerSubscription] == nil {
		return nil, "", nil
	}
	user := h.Get(headerUser)
	for _, name := range []string{headerProxySecret, headerUser, headerSubscription} {
		delete(h, name)
	}
	if len(secret) != 1 {
		return nil, "", nil
	}
	for _, l := range g.listings {
		if equal(secret[0], l.secret.Reveal()) {
			return g.marketplaceTenant(user, l.product)
		}
	}
	return nil, "", nil
}

func (g *gateway) marketplaceTenant(user string, p contracts.Product) (*keys.Record, authOutcome, error) {
	tenant := "rapidapi:" + user
	if user == "" || !keys.ValidTenant(tenant) {
		return nil, authMalformed, contracts.Errorf(contracts.Unauthorized, "the marketplace named no user")
	}
	return &keys.Record{
		Tenant: tenant, Environment: contracts.Live, Products: []contracts.Product{p}, Limit: g.marketplaceLimit,
	}, authMarketplace, nil
}

// equal takes the same time whatever it compares, lengths included.
func equal(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

// limit takes one of the caller's requests in this minute.
func (g *gateway) limit(e *exchange) error {
	tenant := ratelimit.Tenant{Environment: e.caller.Environment, Name: e.caller.Tenant}
	if e.route.unlimited {
		e.decided(g.limiter.Peek(tenant, e.caller.Limit))
		return nil
	}
	ctx, span := telemetry.StartSpan(e.ctx, "assay.dev/gateway", "ratelimit.take")
	d := g.limiter.Take(ctx, tenant, e.caller.Limit)
	span.End()
	e.decided(d)
	g.metrics.limited(d)
	if !d.Allowed {
		return contracts.Errorf(contracts.RateLimited, "the limit of %d requests a minute is used up; retry when Retry-After has passed", d.Limit).After(d.Reset)
	}
	return nil
}
