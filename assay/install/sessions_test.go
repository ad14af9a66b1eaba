package install_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/keys"
	"assay.dev/gateway/session"
)

// A gateway may note on the deployed NATS that a session ended, and another one sees it.
func TestAGatewayEndsSessions(t *testing.T) {
	d := startNATS(t)
	d.provision(t)
	secret, now := session.NewSecret(), time.Now()
	gateway := func() *session.Sealer {
		s, err := session.NewSealer(secret)
		if err == nil {
			s.Ended, err = session.OpenEnded(t.Context(), d.jetStream(t, contracts.Gateway))
		}
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	one, other := gateway(), gateway()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/console/session", nil)
	r.AddCookie(one.Cookie(r, one.Seal(keys.Hash{1}, now)))
	if err := one.End(r, now); err != nil {
		t.Fatal(err)
	}
	if _, _, err := other.OfRequest(r, now); !errors.Is(err, session.ErrEnded) {
		t.Errorf("the session goes on: %v", err)
	}
}
