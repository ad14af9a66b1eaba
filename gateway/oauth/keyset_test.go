package oauth

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
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
