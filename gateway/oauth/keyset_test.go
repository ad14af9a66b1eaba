package oauth

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// Who is not admitted, and told so late, holds up nobody else's fetch of the keys.
func TestARefusalHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	issuer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"keys":[]}`))
	}))
	defer issuer.Close()
	v := &Verifier{client: issuer.Client(), url: issuer.URL}
	asked, refuse, refused := make(chan struct{}), make(chan struct{}), make(chan error)
	errRefused := errors.New("refused")
	go func() {
		_, err := v.renewed(func() error { close(asked); <-refuse; return errRefused })
		refused <- err
	}()
	<-asked
	if keys, err := v.renewed(func() error { return nil }); keys == nil || err != nil {
		t.Error(err)
	}
	close(refuse)
	if err := <-refused; !errors.Is(err, errRefused) {
		t.Error(err)
	}
}

// A key that the issuer withdrew signs no token for longer than an hour. While the issuer is away its keys stay good,
// and the operator is told. They may be elsewhere then.
func TestAWithdrawnKeyEnds(t *testing.T) {
	t.Parallel()
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	key := jose.JSONWebKey{Key: public, KeyID: "1"}
	path, set := "/keys", jose.JSONWebKeySet{Keys: []jose.JSONWebKey{key}}
	var issuer *httptest.Server
	issuer = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case path:
			_ = json.NewEncoder(w).Encode(set)
		case "/.well-known/openid-configuration":
			_ = json.NewEncoder(w).Encode(map[string]string{"issuer": issuer.URL, "jwks_uri": issuer.URL + path})
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	defer issuer.Close()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.EdDSA, Key: jose.JSONWebKey{Key: private, KeyID: "1"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	signed, err := signer.Sign(fmt.Appendf(nil, `{"iss":%q,"aud":"a","exp":%d,"k":"1"}`, issuer.URL, time.Now().Add(time.Hour).Unix()))
	if err != nil {
		t.Fatal(err)
	}
	token, err := signed.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	var told bytes.Buffer
	v := New(Config{Issuer: issuer.URL, Claim: "k", Log: slog.New(slog.NewTextHandler(&told, nil))})
	ask := func(name string, old time.Duration, want error) {
		t.Helper()
		v.fetched, v.asked = v.fetched.Add(-old), v.asked.Add(-old)
		if _, _, err := v.KeyID(t.Context(), token, []string{"a"}, func() error { return nil }); !errors.Is(err, want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	ask("its key", 0, nil)
	set.Keys = nil
	ask("withdrawn just now", time.Minute, nil)
	path = "/moved"
	ask("its keys are elsewhere", time.Hour, nil)
	if !strings.Contains(told.String(), "404 Not Found") {
		t.Errorf("the log is %q", told.String())
	}
	ask("withdrawn", time.Minute, ErrInvalid)
	key.Use = "enc"
	set.Keys = []jose.JSONWebKey{key}
	ask("a key that encrypts", time.Hour, ErrInvalid)
}
