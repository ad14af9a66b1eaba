// Package oauth finds whose API key a bearer token of an authorization server stands for (RFC 6750). Agents get such
// tokens by themselves; what they may do is what the key may do.
package oauth

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/go-jose/go-jose/v4"
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
	// FetchPause is how long the issuer is not asked again, whatever it answered.
	FetchPause = 10 * time.Second
	// keyLife is how long the issuer's keys are good without asking it again: it may have withdrawn one.
	keyLife = time.Hour
	// maxToken bounds a token, in bytes.
	maxToken = 8 << 10
)

// algorithms are those with which a token may be signed: none with a shared secret, and not "none".
var algorithms = []jose.SignatureAlgorithm{jose.RS256, jose.RS384, jose.RS512, jose.PS256, jose.ES256,
	jose.ES384, jose.EdDSA}

var algorithmNames = func() (names []string) {
	for _, a := range algorithms {
		names = append(names, string(a))
	}
	return names
}()

// Config says which tokens are taken.
type Config struct {
	// Issuer is the authorization server, such as https://login.example.com.
	Issuer string
	// Claim is the member of a token that has the id of an API key, such as assay_key.
	Claim string
	// Log is told when keys that are an hour old cannot be fetched anew.
	Log *slog.Logger
}

// Verifier checks tokens. It asks the issuer for its keys when the first token comes, and again when a token is signed
// by none of those that it has, or these are an hour old, at most once in [FetchPause].
type Verifier struct {
	Config
	client *http.Client
	keys   atomic.Pointer[keySet] // the issuer's; nil until they were fetched

	mu    sync.Mutex // of a fetch
	asked time.Time
	// fetched is when the issuer told the keys.
	fetched time.Time
	failed  error // why the last fetch failed
	url     string
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

// KeyID is the id of the API key that a token stands for, such as 3f9a0c51d27e, and what the token is meant for.
// Whether there is such a key is not known here. The token must be meant for one of the audiences (RFC 8707), such as
// https://api.example.com/mcp/ltl. By a token of a known key KeyID renews old keys. Before it asks the issuer for the
// key of another token, it calls admit, and returns admit's error if there is one: strangers cannot make a gateway ask.
// The other errors are [ErrInvalid] and [ErrUnverifiable].
func (v *Verifier) KeyID(ctx context.Context, token string, audiences []string, admit func() error) (
	id string, meantFor []string, err error,
) {
	if len(token) > maxToken {
		return "", nil, ErrInvalid
	}
	signed, err := jose.ParseSigned(token, algorithms)
	if err != nil {
		return "", nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	known := v.keys.Load()
	payload, isSigned := known.payload(signed)
	if isSigned && v.current() != known {
		payload, isSigned = v.keys.Load().payload(signed)
	}
	if !isSigned {
		keys, err := v.renewed(admit)
		if err != nil {
			return "", nil, err
		}
		if payload, isSigned = keys.payload(signed); !isSigned {
			return "", nil, fmt.Errorf("%w: it is signed by none of the issuer's keys", ErrInvalid)
		}
	}
	// The signature is that of the token; the rest is go-oidc's to check.
	verified, err := oidc.NewVerifier(v.Issuer, checked(payload), &oidc.Config{
		SkipClientIDCheck: true, SupportedSigningAlgs: algorithmNames,
	}).Verify(ctx, token)
	if err != nil {
		return "", nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	if !slices.ContainsFunc(verified.Audience, func(a string) bool { return slices.Contains(audiences, a) }) {
		return "", nil, fmt.Errorf("%w: it is meant for another API", ErrInvalid)
	}
	claims := map[string]any{}
	if err := verified.Claims(&claims); err != nil {
		return "", nil, ErrInvalid
	}
	if id, _ = claims[v.Claim].(string); id == "" {
		return "", nil, fmt.Errorf("%w: it has no claim %s", ErrInvalid, v.Claim)
	}
	return id, verified.Audience, nil
}
