package wire

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"net/http"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/keys"
	"assay.dev/gateway/session"
	"assay.dev/platform/telemetry"
)

// The marketplace's headers. They mean something only together with the right secret.
const (
	headerProxySecret  = "X-Rapidapi-Proxy-Secret"
	headerUser         = "X-Rapidapi-User"
	headerSubscription = "X-Rapidapi-Subscription"
)

// The headers that a client's key stands in.
const (
	headerKey           = "X-Api-Key"
	headerAuthorization = "Authorization"
)

// keyRetry is when a client should come back while keys cannot be verified.
const keyRetry = 2 * time.Second

// authenticate finds who calls.
func (s *Server) authenticate(x *exchange) error {
	caller, outcome, err := s.identify(x)
	x.caller = caller
	if err == nil {
		s.metrics.auth(outcome)
		return nil
	}
	return s.refuse(x, outcome, err)
}

// permit checks that the caller subscribes to the route's product.
func (s *Server) permit(x *exchange) error {
	p := x.route.Product
	if p == "" || x.caller.Allows(p) {
		return nil
	}
	err := s.refuse(x, authProduct, contracts.Errorf(contracts.ProductNotEnabled,
		"this key is not subscribed to the %s product; subscribe to it, or use a key that is", p))
	if contracts.CodeOf(err) == contracts.ProductNotEnabled {
		s.stand(x)
	}
	return err
}

// refuse admits a 401 or 403 as an anonymous request.
func (s *Server) refuse(x *exchange, outcome authOutcome, err error) error {
	s.metrics.auth(outcome)
	switch contracts.CodeOf(err) {
	case contracts.Unauthorized, contracts.ProductNotEnabled:
		if limited := s.admitAnonymous(x); limited != nil {
			return limited
		}
		x.boundConnection()
	}
	return err
}

// identify finds who calls, with what became of the request's credentials.
func (s *Server) identify(x *exchange) (*keys.Record, authOutcome, error) {
	h := x.c.Request.Header
	_, hasSecret := h[headerProxySecret]
	if caller, outcome, err := s.marketplace(h); caller != nil || err != nil {
		return caller, outcome, err
	}
	given := givenKeys(x.c.Request)
	if len(given) == 0 && !hasSecret {
		if caller, outcome, err := s.sessionCaller(x); caller != nil || err != nil {
			return caller, outcome, err
		}
	}
	if token, ok := s.bearerToken(x); ok && len(given) == 0 && !hasSecret {
		return s.tokenCaller(x, token)
	}
	switch {
	case hasSecret && len(given) == 0:
		return nil, authUnknown, contracts.Errorf(contracts.Unauthorized,
			"the marketplace's proxy secret does not match that of any listing; check the secret in the listing's settings")
	case len(given) == 0 || given[0] == "":
		return nil, authMissing, contracts.Errorf(contracts.Unauthorized, "send your API key in the X-API-Key header")
	case len(given) > 1:
		return nil, authMalformed, contracts.Errorf(contracts.Unauthorized, "send one X-API-Key header only")
	}
	hash, err := keys.Parse(given[0])
	if err != nil {
		outcome, err := keyError(err)
		return nil, outcome, err
	}
	return s.lookUp(x, hash)
}

// lookUp finds what a key permits.
func (s *Server) lookUp(x *exchange, h keys.Hash) (*keys.Record, authOutcome, error) {
	caller, err := s.Keys.Lookup(x.ctx, h, func() error { return s.admitAnonymous(x) })
	if err != nil {
		outcome, err := keyError(err)
		return nil, outcome, err
	}
	x.leaveAnonymous()
	x.key = &h
	return caller, authOK, nil
}

// sessionCaller finds who calls by the session of the console; nil without a session. Whatever needs a key may cost
// something, so a session alone does not do there: the request must have the console's header, which no other web site
// can send.
func (s *Server) sessionCaller(x *exchange) (*keys.Record, authOutcome, error) {
	if s.Sessions == nil || x.c.Request.Header["Cookie"] == nil {
		return nil, "", nil
	}
	_, hash, err := s.Sessions.OfRequest(x.c.Request, time.Now())
	switch {
	case errors.Is(err, session.ErrNone):
		return nil, "", nil
	case err != nil && !errors.Is(err, session.ErrEnded):
		return nil, authUnverifiable, err
	case err != nil:
		return nil, authExpired, contracts.Errorf(contracts.Unauthorized, "this session has ended; log in "+
			"again at /console/account")
	case x.route.Access != api.Open && x.c.Request.Header.Get(session.Header) == "":
		return nil, authMissing, contracts.Errorf(contracts.Unauthorized,
			"a request with a session of the console needs the header %s; others send their API key in X-API-Key",
			session.Header)
	}
	return s.lookUp(x, hash)
}

// givenKeys are the keys that a request sends: those of its key headers or, where it has none, the user name of HTTP
// Basic, since spreadsheets can send no header of their own. A browser sends what it remembers of Basic for other web
// sites too, which is not taken: they could spend.
func givenKeys(r *http.Request) []string {
	given := r.Header[headerKey]
	if len(given) > 0 || r.Header[headerAuthorization] == nil {
		return given
	}
	from := r.Header.Get("Sec-Fetch-Site") // which spreadsheets do not send
	if user, _, isBasic := r.BasicAuth(); isBasic && from != "cross-site" && from != "same-site" {
		return []string{user}
	}
	return nil
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
		return authUnverifiable, contracts.Wrap(err, contracts.SourceUnavailable,
			"API keys cannot be verified at the moment; retry later").After(keyRetry)
	default:
		return authLimited, err
	}
}

// marketplace identifies a request that came through a listing: its secret gives the product, its user the tenant. On
// any other request these headers are removed, as anyone can send them.
func (s *Server) marketplace(h http.Header) (*keys.Record, authOutcome, error) {
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
	for product, own := range s.options.Secrets {
		if isEqual(secret[0], own.Reveal()) {
			return s.marketplaceTenant(user, product)
		}
	}
	return nil, "", nil
}

func (s *Server) marketplaceTenant(user string, p contracts.Product) (*keys.Record, authOutcome, error) {
	tenant := "rapidapi:" + user
	if user == "" || !keys.ValidTenant(tenant) {
		return nil, authMalformed, contracts.Errorf(contracts.Unauthorized, "the marketplace named no user")
	}
	return &keys.Record{
		Tenant: tenant, Environment: contracts.Live, Products: []contracts.Product{p}, Limit: s.options.MarketplaceLimit,
	}, authMarketplace, nil
}

// isEqual takes the same time whatever it compares, lengths included.
func isEqual(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

// stand tells where the limit of the caller's tenant stands, of a request that does not count.
func (s *Server) stand(x *exchange) {
	x.limitState, x.isLimited = s.Limiter.Peek(x.tenant(), x.caller.Limit), true
}

// limit counts the request against the limit of the caller's tenant.
func (s *Server) limit(x *exchange) error {
	if x.route.Access == api.Unlimited {
		s.stand(x)
		return nil
	}
	ctx, span := telemetry.StartSpan(x.ctx, "assay.dev/gateway", "ratelimit.take")
	d := s.Limiter.Take(ctx, x.tenant(), x.caller.Limit)
	span.End()
	x.limitState, x.isLimited = d, true
	s.metrics.limited(d)
	if !d.Allowed {
		return contracts.Errorf(contracts.RateLimited,
			"the limit of %d requests a minute is used up; retry when Retry-After has passed", d.Limit).After(d.Reset)
	}
	return nil
}
