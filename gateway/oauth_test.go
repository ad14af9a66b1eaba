package gateway_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"assay.dev/contracts"
	"assay.dev/gateway"
	"assay.dev/gateway/keys"
	"assay.dev/platform/clock/clocktest"
)

// authorizationServer issues tokens for the test.
type authorizationServer struct {
	*httptest.Server
	t   testing.TB
	key *ecdsa.PrivateKey
	// asked counts how often the keys were fetched; while down is set they cannot be.
	asked atomic.Int32
	down  atomic.Bool
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
		a.asked.Add(1)
		if a.down.Load() {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		_ = json.NewEncoder(w).Encode(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: key.Public(), KeyID: "1", Algorithm: "ES256", Use: "sig"}}})
	})
	a.Server = httptest.NewServer(mux)
	t.Cleanup(a.Close)
	return a
}

// token is one with those claims, signed by key.
func (a *authorizationServer) token(key *ecdsa.PrivateKey, claims map[string]any) string {
	a.t.Helper()
	return a.tokenOf(key, "1", claims)
}

func (a *authorizationServer) tokenOf(key *ecdsa.PrivateKey, kid string, claims map[string]any) string {
	a.t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: key}, (&jose.SignerOptions{}).WithHeader("kid", kid))
	if err != nil {
		a.t.Fatal(err)
	}
	text, err := jwt.Signed(signer).Claims(claims).Serialize()
	if err != nil {
		a.t.Fatal(err)
	}
	return text
}

// gatewayOf is a gateway at https://api.example.com that takes the tokens of an issuer. It knows the keys that are made
// before it starts: a token names a key that its copy has.
func (s *system) gatewayOf(issuer *authorizationServer) *runningGateway {
	return s.gateway(func(c *gateway.Config) {
		c.PublicURL, c.OAuthIssuer, c.OAuthClaim = "https://api.example.com", issuer.URL, "assay_key"
	})
}

// A token of the issuer stands for the key that it names; everything else is refused, with where a token is to be had.
func TestTokensStandForKeys(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Test)
	issuer := newAuthorizationServer(t)
	key, err := keys.Parse(s.key())
	if err != nil {
		t.Fatal(err)
	}
	g := s.gateway(func(c *gateway.Config) {
		c.PublicURL, c.OAuthIssuer, c.OAuthClaim = "https://api.example.com/", issuer.URL, "assay_key"
	})
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
	clocktest.Await(t, "the gateway's copy of the keys has the new one", func() bool { // which tokens are looked for in alone
		r, err := g.try(http.MethodGet, "", surchargePath+"?carriers=ODFL", "Authorization", "Bearer "+good)
		return err == nil && r.StatusCode == http.StatusOK
	})
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

// forKey are the claims of a good token for a key.
func (a *authorizationServer) forKey(t *testing.T, key, audience string) map[string]any {
	t.Helper()
	hash, err := keys.Parse(key)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]any{"iss": a.URL, "aud": audience, "exp": time.Now().Add(time.Hour).Unix(), "assay_key": hash.ID()}
}

// Good tokens are no strangers; bad ones are, and do not make the gateway ask the issuer again and again.
func TestOnlyBadTokensAreLimitedAsStrangers(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Test)
	issuer := newAuthorizationServer(t)
	const strangers = 4
	claims := issuer.forKey(t, s.key(), "https://api.example.com")
	g := s.gateway(func(c *gateway.Config) {
		c.PublicURL, c.OAuthIssuer, c.OAuthClaim, c.AnonymousLimit = "https://api.example.com", issuer.URL, "assay_key", strangers
	})
	for i := range 5 * strangers {
		if r := g.bearer(issuer.token(issuer.key, claims), surchargePath+"?carriers=ODFL"); r.StatusCode != http.StatusOK {
			t.Fatalf("request %d: %d %s", i, r.StatusCode, r.body)
		}
	}
	statuses := map[int]int{}
	for i := range 2 * strangers {
		statuses[g.bearer(issuer.tokenOf(issuer.key, fmt.Sprint("new-", i), claims), surchargePath+"?carriers=ODFL").StatusCode]++
	}
	if statuses[http.StatusUnauthorized] == 0 || statuses[http.StatusTooManyRequests] < strangers || len(statuses) != 2 {
		t.Errorf("tokens of unknown keys: %v", statuses)
	}
	if asked := issuer.asked.Load(); asked != 1 {
		t.Errorf("the issuer was asked %d times", asked)
	}
}

// While the issuer's keys cannot be fetched, a token of a key that is not known yet may be a good one.
func TestATokenOfANewKeyWaitsForTheIssuer(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Test)
	issuer := newAuthorizationServer(t)
	issuer.down.Store(true)
	token := issuer.tokenOf(issuer.key, "new", issuer.forKey(t, s.key(), "https://api.example.com/mcp/ltl"))
	g := s.gatewayOf(issuer)
	asAgent := g.message(stateless, "/mcp/ltl", "", toolsCall(stateless, "list_carriers", `{}`), "Authorization", "Bearer "+token)
	for name, r := range map[string]*response{"REST": g.bearer(token, surchargePath+"?carriers=ODFL"), "tools": asAgent} {
		if r.StatusCode != http.StatusServiceUnavailable || r.Header.Get("Retry-After") == "" {
			t.Errorf("%s: %d %v %s", name, r.StatusCode, r.Header, r.body)
		}
	}
	if asked := issuer.asked.Load(); asked != 1 {
		t.Errorf("the issuer was asked %d times", asked)
	}
}

// A token for one tool server is none for the other, and none for what is of the whole account.
func TestATokenIsForTheServerThatIsAsked(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Test)
	issuer := newAuthorizationServer(t)
	key := s.key()
	token := issuer.token(issuer.key, issuer.forKey(t, key, "https://api.example.com/mcp/ltl"))
	g := s.gatewayOf(issuer)
	for path, want := range map[string]int{
		surchargePath + "?carriers=ODFL": 200, "/v1/abc/states": 401, "/health": 200,
		"/v1/changes": 200, "/v1/changes?product=ltl": 200, "/v1/changes?product=abc": 403,
		"/v1/webhooks": 401, "/v1/shares": 401,
	} {
		if r := g.bearer(token, path); r.StatusCode != want {
			t.Errorf("%s: %d %s", path, r.StatusCode, r.body)
		}
		// An agent gets a token for what the 401 names, and that one is taken.
		_, page, _ := strings.Cut(g.get("", path).Header.Get("WWW-Authenticate"), `resource_metadata="https://api.example.com`)
		page, _, _ = strings.Cut(page, `"`)
		var named struct{ Resource string }
		if r, err := g.try(http.MethodGet, "", page); err != nil || json.Unmarshal(r.body, &named) != nil {
			t.Errorf("%s: %q: %v", path, page, err)
		}
		r := g.bearer(issuer.token(issuer.key, issuer.forKey(t, key, named.Resource)), path)
		if r.StatusCode == http.StatusUnauthorized || r.StatusCode == http.StatusForbidden {
			t.Errorf("%s by a token for %s: %d %s", path, named.Resource, r.StatusCode, r.body)
		}
	}
	if r := g.bearer(token, "/v1/changes?product=abc"); !strings.Contains(string(r.body), "or this token") {
		t.Errorf("a key of both products is said to have one: %s", r.body)
	}
	for query, at := range map[string]string{"product=ltl&source=CA": "source", "portfolio=bars&source=ODFL": "source"} {
		if r := g.get(key, "/v1/changes?"+query); !strings.Contains(string(r.body), `["query","`+at+`"]`) {
			t.Errorf("%s: %s", query, r.body)
		}
	}
	whole := issuer.token(issuer.key, issuer.forKey(t, key, "https://api.example.com"))
	for _, path := range []string{"/v1/changes?product=abc", "/v1/webhooks", "/v1/shares"} {
		if r := g.bearer(whole, path); r.StatusCode != http.StatusOK {
			t.Errorf("of the whole API, %s: %d %s", path, r.StatusCode, r.body)
		}
	}
	for path, want := range map[string]int{"/mcp/ltl": 200, "/mcp-ltl": 200, "/mcp/abc": 401, "/mcp-abc/": 401} {
		tool := map[bool]string{true: "list_carriers", false: "list_states"}[want == 200]
		if r := g.message(stateless, path, "", toolsCall(stateless, tool, `{}`), "Authorization", "Bearer "+token); r.StatusCode != want {
			t.Errorf("%s: %d %s", path, r.StatusCode, r.body)
		}
	}
}

// bearer asks with a token.
func (g *runningGateway) bearer(token, path string) *response {
	g.t.Helper()
	r, err := g.try(http.MethodGet, "", path, "Authorization", "Bearer "+token)
	if err != nil {
		g.t.Fatal(err)
	}
	return r
}

// While the issuer is away its tokens are 503, never 401, and API keys go on.
func TestIssuerIsAway(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Test)
	issuer := newAuthorizationServer(t)
	token := issuer.token(issuer.key, map[string]any{"iss": issuer.URL})
	issuer.Close()
	g := s.gatewayOf(issuer)
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
