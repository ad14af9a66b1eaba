package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"assay.dev/platform/daemon"
)

// Changes are printed as they come and sent on, signed; an answer that says that nothing follows ends it.
func TestListenForwards(t *testing.T) {
	t.Parallel()
	const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	asked := 0
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Assay-Environment", "test")
		switch asked++; asked {
		case 1:
			_, _ = io.WriteString(w, `{"changes":[],"cursor":"RlFBLjE3"}`)
		case 2:
			if r.URL.RawQuery != "portfolio=bars&since=RlFBLjE3&wait=60" {
				t.Errorf("asked %s", r.URL.RawQuery)
			}
			_, _ = io.WriteString(w, `{"changes":[{"id":"CA.1.0","type":"license.status_changed","occurred_at":"2026-09-18T15:00:04Z","product":"abc","source":"CA",`+
				`"data":{"license_number":"400000","before":{"status":"ACTIVE"},"after":{"status":"SUSPENDED"}},"evidence":{"before":[],"after":[]}}],"cursor":"RlFBLjE4"}`)
		default:
			w.WriteHeader(http.StatusGone)
			_, _ = io.WriteString(w, `{"detail":{"error":"GONE","message":"no change is kept that follows this cursor"}}`)
		}
	}))
	defer api.Close()
	verified := make(chan error, 1)
	hook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		verifier, err := standardwebhooks.NewWebhook(secret)
		if err == nil {
			err = verifier.Verify(body, r.Header)
		}
		verified <- err
		w.WriteHeader(http.StatusAccepted)
	}))
	defer hook.Close()
	code, out, errs := run(t, daemon.Environ{"ASSAY_API_KEY": "k", "ASSAY_API_URL": api.URL}, "listen", "--portfolio", "bars", "--forward", hook.URL, "--secret", secret)
	if code == 0 || !strings.Contains(out, "CA  license.status_changed  400000  ACTIVE → SUSPENDED") || !strings.Contains(errs, "202 Accepted") || !strings.Contains(errs, "no change is kept") {
		t.Errorf("exit %d\n%s\n%s", code, out, errs)
	}
	if err := <-verified; err != nil {
		t.Error(err)
	}
}
