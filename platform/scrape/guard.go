package scrape

import (
	"context"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"syscall"

	"golang.org/x/net/publicsuffix"

	"assay.dev/platform/publicnet"
)

// checkURL refuses what no recipe needs and an attacker may want: other schemes, credentials, private hosts.
func checkURL(u *url.URL) error {
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return Failf(Refused, "scheme %q is not http or https", u.Scheme)
	case u.User != nil:
		return Failf(Refused, "a URL with credentials")
	case !publicnet.Host(u.Hostname()):
		return Failf(Refused, "host %q is not a public one", u.Hostname())
	}
	return nil
}

func canonicalHost(host string) string { return strings.ToLower(strings.TrimSuffix(host, ".")) }

// guardDial is a net.Dialer's ControlContext: it sees the address after name resolution, so that a name that resolves
// to a private address, now or on the second look, cannot pass.
func guardDial(_ context.Context, _, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil || !publicnet.Addr(at.Addr()) {
		return Failf(Refused, "the host resolves to %s, which is not a public address", address)
	}
	return nil
}

// SameSite tells whether two hosts are under one registrable domain.
func SameSite(a, b string) bool {
	a, b = canonicalHost(a), canonicalHost(b)
	if a == b {
		return true
	}
	if net.ParseIP(a) != nil || net.ParseIP(b) != nil {
		return false
	}
	siteA, errA := publicsuffix.EffectiveTLDPlusOne(a)
	siteB, errB := publicsuffix.EffectiveTLDPlusOne(b)
	return errA == nil && errB == nil && siteA == siteB
}
