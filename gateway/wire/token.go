package wire

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/keys"
	"assay.dev/gateway/mcp"
	"assay.dev/gateway/oauth"
)

// bearerToken is the request's token (RFC 6750, §2.1); false without one, and where tokens are not taken.
func (s *Server) bearerToken(x *exchange) (string, bool) {
	values := x.c.Request.Header[headerAuthorization]
	if s.Tokens == nil || len(values) != 1 {
		return "", false
	}
	scheme, token, ok := strings.Cut(values[0], " ")
	return token, ok && strings.EqualFold(scheme, "Bearer")
}

// tokenCaller finds who calls by a token: the key that it names says what the caller may do. A request whose token the
// issuer has to be asked about is an anonymous one until then.
func (s *Server) tokenCaller(x *exchange, token string) (*keys.Record, authOutcome, error) {
	id, meantFor, err := s.Tokens.KeyID(x.ctx, token, s.audiences(x), func() error { return s.admitAnonymous(x) })
	switch {
	case errors.Is(err, oauth.ErrUnverifiable):
		s.Log.WarnContext(x.ctx, "a token cannot be verified", "request_id", x.requestID, "error", err)
		x.unverified = contracts.Wrap(err, contracts.SourceUnavailable,
			"tokens cannot be verified at the moment; retry later").After(oauth.FetchPause)
		return nil, authUnverifiable, x.unverified
	case errors.Is(err, oauth.ErrInvalid):
		return nil, authMalformed, contracts.Errorf(contracts.Unauthorized,
			"this token is not valid here; get another from %s", s.Tokens.Issuer)
	case err != nil:
		return nil, authLimited, err
	}
	hash, err := s.Keys.ByID(id)
	switch {
	case errors.Is(err, keys.ErrUnknown):
		return nil, authUnknown, contracts.Errorf(contracts.Unauthorized, "this token names no API key; ask for one")
	case err != nil:
		outcome, err := keyError(err)
		return nil, outcome, err
	}
	caller, outcome, err := s.lookUp(x, hash)
	if err == nil {
		caller = s.within(caller, meantFor)
	}
	return caller, outcome, err
}

// base is our address, as tokens name it.
func (s *Server) base() string { return strings.TrimRight(s.API.PublicURL, "/") }

// audiences are what a token may be meant for to be good for a request: our address as a whole, or the tool server of
// the request's product. Of what is of no product, only [api.Endpoint.ToolTokens] takes the tokens of tool servers.
func (s *Server) audiences(x *exchange) []string {
	all := []string{s.base(), s.base() + "/"}
	for _, p := range contracts.Products {
		if x.route.ToolTokens || x.route.isOf(p) {
			all = append(all, s.base()+mcp.Path(p))
		}
	}
	return all
}

// within is what a caller may do by a token: all that the key may, or its products whose tool servers the token is
// meant for.
func (s *Server) within(caller *keys.Record, meantFor []string) *keys.Record {
	if slices.Contains(meantFor, s.base()) || slices.Contains(meantFor, s.base()+"/") {
		return caller
	}
	own := *caller
	own.Products = slices.DeleteFunc(slices.Clone(own.Products), func(p contracts.Product) bool {
		return !slices.Contains(meantFor, s.base()+mcp.Path(p))
	})
	return &own
}

// mustAuthorize tells whether a message to a tool server is to be refused with a 401, from which an agent learns where
// it gets a token: where tokens are taken, and neither a good token nor other credentials came with it.
func (s *Server) mustAuthorize(x *exchange) bool {
	h := x.c.Request.Header
	return s.Tokens != nil && h[headerKey] == nil && h[headerProxySecret] == nil
}

// resourcePath begins the paths of RFC 9728's documents.
const resourcePath = "/.well-known/oauth-protected-resource"

// protectedResource is a document of RFC 9728, §2.
type protectedResource struct {
	Resource string   `json:"resource"`
	Name     string   `json:"resource_name"`
	Servers  []string `json:"authorization_servers"`
	Methods  []string `json:"bearer_methods_supported"`
}

// resourcePages tell agents where they get tokens, for our address as a whole and for the tool servers.
func (s *Server) resourcePages() (pages []*api.Endpoint) {
	if s.Tokens == nil {
		return nil
	}
	add := func(path, name string) {
		pages = append(pages,
			mcp.DescribingPage(resourcePath+path, "application/json", func(base string) ([]byte, error) {
				return json.Marshal(protectedResource{
					Resource: base + path, Name: name, Servers: []string{s.Tokens.Issuer}, Methods: []string{"header"},
				})
			}))
	}
	add("", "Assay")
	for _, p := range contracts.Products {
		add(mcp.Path(p), api.ProductOf(p).Title)
	}
	return pages
}

// bearerChallenge says where a token is to be had (RFC 9728, §5.1) that the route takes.
func (s *Server) bearerChallenge(x *exchange) string {
	path := ""
	if of := slices.IndexFunc(contracts.Products, x.route.isOf); of >= 0 {
		path = mcp.Path(contracts.Products[of])
	}
	challenge := `Bearer realm="assay", resource_metadata="` + s.base() + resourcePath + path + `"`
	if _, sent := s.bearerToken(x); sent {
		challenge += `, error="invalid_token"`
	}
	return challenge
}
