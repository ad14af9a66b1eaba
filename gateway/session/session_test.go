package session_test

import (
	"encoding/base64"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"assay.dev/gateway/keys"
	"assay.dev/gateway/session"
	"assay.dev/platform/seal"
)

var now = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

func sealer(t testing.TB, secret string) *session.Sealer {
	t.Helper()
	s, err := session.NewSealer(secret)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// What one gateway seals, another one with the same secret opens, for twelve hours.
func TestSessions(t *testing.T) {
	t.Parallel()
	secret := session.NewSecret()
	h := keys.Hash{1, 2, 3}
	one, other, stranger := sealer(t, secret), sealer(t, secret), sealer(t, session.NewSecret())
	sealed := one.Seal(h, now)
	for name, c := range map[string]struct {
		with   *session.Sealer
		sealed string
		at     time.Time
		ok     bool
	}{
		"at once":             {one, sealed, now, true},
		"by another gateway":  {other, sealed, now.Add(time.Hour), true},
		"at the end":          {other, sealed, now.Add(session.Life), true},
		"after the end":       {other, sealed, now.Add(session.Life + time.Second), false},
		"a clock behind":      {other, sealed, now.Add(-4 * time.Minute), true},
		"from the future":     {other, sealed, now.Add(-time.Hour), false},
		"with another secret": {stranger, sealed, now, false},
		"nothing":             {one, "", now, false},
		"cut":                 {one, sealed[:len(sealed)-4], now, false},
		"longer":              {one, sealed + "AAAA", now, false},
		"not base64":          {one, "!" + sealed, now, false},
		"the hash itself":     {one, base64.RawURLEncoding.EncodeToString(h[:]), now, false},
	} {
		got, err := c.with.Open(c.sealed, c.at)
		if (err == nil) != c.ok || c.ok && got != h {
			t.Errorf("%s: %v %v", name, got, err)
		}
	}
	if one.Seal(h, now) == sealed {
		t.Error("two sessions of a key look the same")
	}
	if _, err := session.NewSealer(strings.Repeat("x", seal.MinSecret-1)); err == nil {
		t.Error("a short secret is taken")
	}
}

// Nobody can change a bit of a session.
func TestChangedSessionsAreRefused(t *testing.T) {
	t.Parallel()
	s := sealer(t, session.NewSecret())
	raw, err := base64.RawURLEncoding.DecodeString(s.Seal(keys.Hash{7}, now))
	if err != nil {
		t.Fatal(err)
	}
	for i := range len(raw) * 8 {
		raw[i/8] ^= 1 << (i % 8)
		if _, err := s.Open(base64.RawURLEncoding.EncodeToString(raw), now); err == nil {
			t.Fatalf("bit %d may be changed", i)
		}
		raw[i/8] ^= 1 << (i % 8)
	}
}

func TestCookies(t *testing.T) {
	t.Parallel()
	for host, secure := range map[string]bool{
		"localhost:8080": false, "LOCALHOST": false, "127.0.0.1:80": false, "127.9.9.9": false, "[::1]:8080": false, "[::1]": false,
		"api.example.com": true, "localhost.example.com": true, "10.0.0.1:8080": true, "": true, "127.0.0.1.example.com:80": true,
		"by a proxy": true, "only by TLS": true,
	} {
		r, s := httptest.NewRequest("POST", "/", nil), &session.Sealer{OnlyTLS: host == "only by TLS"}
		switch r.Host = host; host {
		case "by a proxy": // which names its own way to us
			r.Header.Set("X-Forwarded-For", "192.0.2.1")
			fallthrough
		case "only by TLS":
			r.Host = "127.0.0.1:8080"
		}
		text := s.Cookie(r, "x").String()
		if strings.Contains(text, "Secure") != secure || !strings.Contains(text, "HttpOnly; ") || !strings.Contains(text, "SameSite=Strict") ||
			!strings.Contains(text, "Max-Age=43200") || strings.Contains(text, "Domain") {
			t.Errorf("%q: %s", host, text)
		}
		if end := s.EndCookie(r).String(); !strings.Contains(end, "Max-Age=0") {
			t.Errorf("%q: %s", host, end)
		}
	}
}

func FuzzOpen(f *testing.F) {
	s := sealer(f, session.NewSecret())
	f.Add(s.Seal(keys.Hash{}, now)[:10])
	f.Fuzz(func(t *testing.T, sealed string) {
		if _, err := s.Open(sealed, now); err == nil {
			t.Errorf("%q is a session", sealed)
		}
	})
}
