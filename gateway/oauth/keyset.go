package oauth

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/go-jose/go-jose/v4"
)

// keySet are the issuer's keys (RFC 7517, §5).
type keySet []jose.JSONWebKey

// UnmarshalJSON leaves out keys that are of no kind that is known here, and those that encrypt.
func (k *keySet) UnmarshalJSON(text []byte) error {
	var set struct{ Keys []json.RawMessage }
	if err := json.Unmarshal(text, &set); err != nil {
		return err
	}
	for _, one := range set.Keys {
		var key jose.JSONWebKey
		if err := json.Unmarshal(one, &key); err == nil && key.Use != "enc" {
			*k = append(*k, key)
		}
	}
	return nil
}

// payload is what a token says; false when none of the keys signed it.
func (k *keySet) payload(signed *jose.JSONWebSignature) ([]byte, bool) {
	if k == nil || len(signed.Signatures) != 1 {
		return nil, false
	}
	id := signed.Signatures[0].Header.KeyID
	for _, key := range *k {
		if id != "" && id != key.KeyID {
			continue
		}
		if payload, err := signed.Verify(&key); err == nil {
			return payload, true
		}
	}
	return nil, false
}

// checked is what a token says whose signature was checked, as go-oidc takes it.
type checked []byte

// VerifySignature returns what the token says.
func (c checked) VerifySignature(context.Context, string) ([]byte, error) { return c, nil }

// current are the issuer's keys that are held, fetched anew when they are as old as keyLife. The old ones are good
// while the issuer does not answer, and for others than the one request that asks it.
func (v *Verifier) current() *keySet {
	if v.mu.TryLock() {
		defer v.mu.Unlock()
		if time.Since(v.fetched) >= keyLife && time.Since(v.asked) >= FetchPause {
			if v.ask(); v.failed != nil {
				v.Log.Warn("the issuer's keys cannot be fetched anew", "error", v.failed)
			}
		}
	}
	return v.keys.Load()
}

// renewed returns the issuer's keys, fetched anew unless they just were. Who waits for the fetch of another one gets
// its outcome.
func (v *Verifier) renewed(admit func() error) (*keySet, error) {
	isDue := func() bool { return time.Since(v.asked) >= FetchPause }
	v.mu.Lock()
	mustAdmit := isDue()
	v.mu.Unlock()
	if mustAdmit { // a refusal takes a while, for which nobody else waits
		if err := admit(); err != nil {
			return nil, err
		}
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if mustAdmit && isDue() {
		v.ask()
	}
	if v.failed != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnverifiable, v.failed)
	}
	return v.keys.Load(), nil
}

// ask fetches the keys, and notes when and what came of it. Keys that cannot be had may have moved.
func (v *Verifier) ask() {
	if v.failed, v.asked = v.fetch(), time.Now(); v.failed != nil {
		v.url = ""
	}
}

// fetch asks the issuer where its keys are, unless that is known, and for the keys.
func (v *Verifier) fetch() error {
	ctx, cancel := context.WithTimeout(oidc.ClientContext(context.Background(), v.client), fetchTime)
	defer cancel()
	if v.url == "" {
		provider, err := oidc.NewProvider(ctx, v.Issuer)
		if err != nil {
			return err
		}
		var document struct {
			Keys string `json:"jwks_uri"`
		}
		if err := provider.Claims(&document); err != nil {
			return err
		}
		v.url = document.Keys
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, v.url, nil)
	if err != nil {
		return err
	}
	response, err := v.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the issuer's keys: %s", response.Status)
	}
	var keys keySet
	if err := json.NewDecoder(response.Body).Decode(&keys); err != nil {
		return fmt.Errorf("the issuer's keys: %w", err)
	}
	v.keys.Store(&keys)
	v.fetched = time.Now()
	return nil
}
