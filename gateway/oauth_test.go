package gateway_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"assay.dev/contracts"
	"assay.dev/gateway"
	"assay.dev/gateway/keys"
)

// authorizationServer issues tokens for the test.
type authorizationServer struct {
	*httptest.Server
	t   testing.TB
	key *ecdsa.PrivateKey
}

func newAuthorizationServer(t testing.TB) *authorizationServer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	a := &authorizationServer{t: t, key: key}
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{"issuer": a.URL, "jwks_uri": a.URL + "/keys"})
	})
	mux.HandleFunc("/keys", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: key.Public(), KeyID: "1", Algorithm: "ES256", Use: "sig"}}})
	})
	a.Server = httptest.NewServer(mux)
	t.Cleanup(a.Close)
	return a
}

// token is one with those claims, signed by key.
func (a *authorizationServer) token(key *ecdsa.PrivateKey, claims map[string]any) string {
	a.t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: key}, (&jose.SignerOptions{}).WithHeader("kid", "1"))
	if err != nil {
		a.t.Fatal(err)
	}
	text, err := jwt.Signed(signer).Claims(claims).Serialize()
	if err != nil {
		a.t.Fatal(err)
	}
	return text
}

// A token of the issuer stands for the key that it names; everything else is refused, with where a token is to be had.
func TestTokensStandForKeys(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Test)
	issuer := newAuthorizationServer(t)
	g := s.gateway(func(c *gateway.Config) {
		c.PublicURL, c.OAuthIssuer, c.OAuthClaim = "https://api.example.com/", issuer.URL, "assay_key"
	})
	key, err := keys.Parse(s.key())
	if err != nil {
		t.Fatal(err)
	}
	stranger, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	claims := func(edit func(map[string]any)) map[string]any {
		c := map[string]any{
			"iss": issuer.URL, "aud": "https://api.example.com/mcp/ltl", "exp": time.Now().Add(time.Hour).Unix(), "assay_key": key.ID(),
		}
		if edit != nil {
			edit(c)
		}
		return c
	}
	good := issuer.token(issuer.key, claims(nil))
	for name, c := range map[string]struct {
		token  string
		status int
	}{
		"good":              {good, 200},
		"of the whole API":  {issuer.token(issuer.key, claims(func(c map[string]any) { c["aud"] = []string{"x", "https://api.example.com"} })), 200},
		"expired":           {issuer.token(issuer.key, claims(func(c map[string]any) { c["exp"] = time.Now().Add(-time.Hour).Unix() })), 401},
		"for another API":   {issuer.token(issuer.key, claims(func(c map[string]any) { c["aud"] = "https://other.example.com" })), 401},
		"another issuer's":  {issuer.token(issuer.key, claims(func(c map[string]any) { c["iss"] = "https://other.example.com" })), 401},
		"without a key":     {issuer.token(issuer.key, claims(func(c map[string]any) { delete(c, "assay_key") })), 401},
		"of an unknown key": {issuer.token(issuer.key, claims(func(c map[string]any) { c["assay_key"] = "000000000000" })), 401},
		"of a prefix":       {issuer.token(issuer.key, claims(func(c map[string]any) { c["assay_key"] = key.ID()[:4] })), 401},
		"of a stranger":     {issuer.token(stranger, claims(nil)), 401},
		"changed":           {good[:len(good)-6] + "AAAAAA", 401},
		"unsigned":          {"eyJhbGciOiJub25lIn0." + strings.Split(good, ".")[1] + ".", 401},
		"none":              {"x", 401},
		"long":              {strings.Repeat("x", 9000), 401},
	} {
		r, err := g.try(http.MethodGet, "", surchargePath+"?carriers=ODFL", "Authorization", "Bearer "+c.token)
		if err != nil || r.StatusCode != c.status {
			t.Errorf("%s: %v %+v, want %d", name, err, r, c.status)
			continue
		}
		challenge := r.Header.Get("WWW-Authenticate")
		if (c.status == 401) != strings.HasPrefix(challenge, `Bearer realm="assay", resource_metadata="https://api.example.com/.well-known/oauth-protected-resource/mcp/ltl", error="invalid_token"`) {
			t.Errorf("%s: challenge %q", name, challenge)
		}
	}
	s.agentsAreSentToTheIssuer(g, issuer, good)
}

// agentsAreSentToTheIssuer checks what an agent finds that has no credentials, and that its call with a token is answered.
func (s *system) agentsAreSentToTheIssuer(g *runningGateway, issuer *authorizationServer, token string) {
	s.t.Helper()
	initialize := toolsCall(stateless, "list_carriers", `{}`)
	refused := g.message(stateless, "/mcp/ltl", "", initialize)
	if refused.StatusCode != http.StatusUnauthorized || !strings.Contains(refused.Header.Get("WWW-Authenticate"), "/.well-known/oauth-protected-resource/mcp/ltl") {
		s.t.Errorf("%d %v", refused.StatusCode, refused.Header)
	}
	var resource struct {
		Resource string
		Servers  []string `json:"authorization_servers"`
	}
	page, err := g.try(http.MethodGet, "", "/.well-known/oauth-protected-resource/mcp/ltl")
	if err != nil || json.Unmarshal(page.body, &resource) != nil || resource.Resource != "https://api.example.com/mcp/ltl" || resource.Servers[0] != issuer.URL {
		s.t.Errorf("%v %+v", err, page)
	}
	answered := g.message(stateless, "/mcp/ltl", "", toolsCall(stateless, "get_fuel_surcharge", `{"carrier":"ODFL"}`), "Authorization", "Bearer "+token)
	if answered.StatusCode != http.StatusOK || !strings.Contains(string(answered.body), "structuredContent") {
		s.t.Errorf("%d %s", answered.StatusCode, answered.body)
	}
}

// While the issuer is away its tokens are 503, never 401, and API keys go on.
func TestIssuerIsAway(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Test)
	issuer := newAuthorizationServer(t)
	token := issuer.token(issuer.key, map[string]any{"iss": issuer.URL})
	issuer.Close()
	g := s.gateway(func(c *gateway.Config) {
		c.PublicURL, c.OAuthIssuer, c.OAuthClaim = "https://api.example.com", issuer.URL, "assay_key"
	})
	for range 2 {
		r, err := g.try(http.MethodGet, "", surchargePath+"?carriers=ODFL", "Authorization", "Bearer "+token)
		if err != nil || r.StatusCode != http.StatusServiceUnavailable || r.Header.Get("Retry-After") == "" {
			t.Errorf("%v %+v", err, r)
		}
	}
	if r := g.get(s.key(), surchargePath+"?carriers=ODFL"); r.StatusCode != http.StatusOK {
		t.Errorf("%d %s", r.StatusCode, r.body)
	}
}
