package session

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"
)

// The names of the cookie. No other site, not even one below our domain, can set a cookie of the first name, and none
// travels without TLS. The second one is for loopback addresses.
const (
	tlsName   = "__Host-assay-console"
	plainName = "assay-console"
)

// cookieName is the name of the cookie at the address that a request asks.
func (s *Sealer) cookieName(r *http.Request) string {
	if s.isPlain(r) {
		return plainName
	}
	return tlsName
}

// isPlain tells whether a browser asks a loopback address itself. A proxy of this machine may ask one for others, who
// have TLS.
func (s *Sealer) isPlain(r *http.Request) bool {
	return isLoopback(r.Host) && !s.OnlyTLS && r.Header["X-Forwarded-For"] == nil
}

// Header is what a request must have that a session pays for, or that changes something: no form and no link of another
// web site can send it.
const Header = "X-Assay-Console"

// Cookie carries a session to the browser. It is sent back to this site only, never with a request that another site
// began, and no script can read it. Only on a loopback address may it travel without TLS.
func (s *Sealer) Cookie(r *http.Request, sealed string) *http.Cookie {
	return &http.Cookie{ //nolint:gosec // Secure is left out on loopback addresses only
		Name: s.cookieName(r), Value: sealed, Path: "/", MaxAge: int(Life / time.Second),
		HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: !s.isPlain(r),
	}
}

// EndCookie takes the session from the browser.
func (s *Sealer) EndCookie(r *http.Request) *http.Cookie {
	c := s.Cookie(r, "") //nolint:gosec // as above
	c.MaxAge = -1
	return c
}

func isLoopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if strings.EqualFold(host, "localhost") {
		return true
	}
	a, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && a.IsLoopback()
}
