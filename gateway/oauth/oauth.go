// Package oauth finds whose API key a bearer token of an authorization server stands for (RFC 6750). Agents get such
// tokens by themselves; what they may do is what the key may do.
package oauth

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
)

// Errors of [Verifier.KeyID].
var (
	// ErrInvalid: the token is none of the issuer's for this API, has expired, or names no key.
	ErrInvalid = errors.New("the token is not valid")
	// ErrUnverifiable: the issuer's keys cannot be had at the moment.
	ErrUnverifiable = errors.New("the token cannot be verified")
)

const (
	// fetchTime and maxDocument bound a document of the issuer.
	fetchTime   = 3 * time.Second
	maxDocument = 1 << 20
	// restAfterFailure is how long an issuer that failed is not asked again.
	restAfterFailure = 5 * time.Second
	// maxToken bounds a token, in bytes.
	maxToken = 8 << 10
)

// algorithms are those with which a token may be signed: none with a shared secret, and not "none".
var algorithms = []string{oidc.RS256, oidc.RS384, oidc.RS512, oidc.PS256, oidc.ES256, oidc.ES384, oidc.EdDSA}

// Config says which tokens are taken.
type Config struct {
	// Issuer is the authorization server, such as https://login.example.com.
	Issuer string
	// Audiences are the addresses one of which a token must be meant for (RFC 8707), such as
	// https://api.example.com/mcp/ltl.
	Audiences []string
	// Claim is the member of a token that has the id of an API key, such as assay_key.
	Claim string
}

// Verifier checks tokens. It asks the issuer for its keys when the first token comes, and again when a token has a key
// that it does not know.
type Verifier struct {
	Config
	client *http.Client

	mu       sync.Mutex
	verifier *oidc.IDTokenVerifier
	failedAt time.Time
}

// New makes a verifier. It does not ask the issuer yet.
func New(c Config) *Verifier {
	return &Verifier{Config: c, client: &http.Client{
		Timeout: fetchTime, Transport: bounded{http.DefaultTransport},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// bounded cuts documents off at maxDocument.
type bounded struct{ next http.RoundTripper }

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := b.next.RoundTrip(r)
	if err == nil {
		response.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(response.Body, maxDocument), response.Body}
	}
	return response, err
}

// KeyID is the id of the API key that a token stands for, such as 3f9a0c51d27e. Whether there is such a key is not
// known here. The errors are [ErrInvalid] and [ErrUnverifiable].
func (v *Verifier) KeyID(ctx context.Context, token string) (string, error) {
	if len(token) > maxToken {
		return "", ErrInvalid
	}
	verifier, err := v.open()
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrUnverifiable, err)
	}
	verified, err := verifier.Verify(ctx, token)
	if err != nil {
		return "", tokenError(err)
	}
	if !slices.ContainsFunc(verified.Audience, func(a string) bool { return slices.Contains(v.Audiences, a) }) {
		return "", fmt.Errorf("%w: it is meant for another API", ErrInvalid)
	}
	claims := map[string]any{}
	if err := verified.Claims(&claims); err != nil {
		return "", ErrInvalid
	}
	id, _ := claims[v.Claim].(string)
	if id == "" {
		return "", fmt.Errorf("%w: it has no claim %s", ErrInvalid, v.Claim)
	}
	return id, nil
}

// open asks the issuer where its keys are, once, and within fetchTime of the caller's wait.
func (v *Verifier) open() (*oidc.IDTokenVerifier, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.verifier != nil {
		return v.verifier, nil
	}
	if time.Since(v.failedAt) < restAfterFailure {
		return nil, errors.New("the issuer failed a moment ago")
	}
	// The verifier keeps the context for later fetches of keys: it must not end, and each fetch is bounded by the
	// client.
	provider, err := oidc.NewProvider(oidc.ClientContext(context.Background(), v.client), v.Issuer)
	if err != nil {
		v.failedAt = time.Now()
		return nil, err
	}
	v.verifier = provider.Verifier(&oidc.Config{SkipClientIDCheck: true, SupportedSigningAlgs: algorithms})
	return v.verifier, nil
}

// tokenError tells a failure to fetch the issuer's keys from a bad token.
func tokenError(err error) error {
	var transport *url.Error
	if errors.As(err, &transport) || errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%w: %w", ErrUnverifiable, err)
	}
	return fmt.Errorf("%w: %w", ErrInvalid, err)
}
