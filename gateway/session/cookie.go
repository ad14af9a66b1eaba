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

// CookieName is the name of the cookie at the address that a request asks.
func CookieName(r *http.Request) string {
	if isLoopback(r.Host) {
		return plainName
	}
	return tlsName
}

// Header is what a request must have that a session pays for, or that changes something: no form and no link of another
// web site can send it.
const Header = "X-Assay-Console"

// Cookie carries a session to the browser. It is sent back to this site only, never with a request that another site
// began, and no script can read it. Only on a loopback address may it travel without TLS.
func Cookie(r *http.Request, sealed string) *http.Cookie {
	return &http.Cookie{ //nolint:gosec // Secure is left out on loopback addresses only
		Name: CookieName(r), Value: sealed, Path: "/", MaxAge: int(Life / time.Second),
		HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: !isLoopback(r.Host),
	}
}

// EndCookie takes the session from the browser.
func EndCookie(r *http.Request) *http.Cookie {
	c := Cookie(r, "") //nolint:gosec // as above
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
