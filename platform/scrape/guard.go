package scrape

import (
	"context"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"syscall"

	"golang.org/x/net/publicsuffix"
)

// checkURL refuses what no recipe needs and an attacker may want: other schemes, credentials, private hosts.
func checkURL(u *url.URL) error {
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return Failf(Refused, "scheme %q is not http or https", u.Scheme)
	case u.User != nil:
		return Failf(Refused, "a URL with credentials")
	case !publicHost(u.Hostname()):
		return Failf(Refused, "host %q is not a public one", u.Hostname())
	}
	return nil
}

// privateZones never exist on the public internet (RFC 6761, 6762, 8375 and ICANN's .internal). A proxy resolves names
// for itself, so these must be stopped by name.
var privateZones = []string{"localhost", "local", "internal", "home.arpa", "onion"}

func publicHost(host string) bool {
	host = canonicalHost(host)
	if ip, err := netip.ParseAddr(host); err == nil {
		return publicAddr(ip)
	}
	labels := strings.Split(host, ".")
	last := labels[len(labels)-1]
	// A name that ends in a number is an address in disguise: 2130706433, 127.1, 0x7f.0.0.1.
	if len(labels) < 2 || last == "" || last[0] >= '0' && last[0] <= '9' {
		return false
	}
	for _, zone := range privateZones {
		if strings.HasSuffix(host, "."+zone) {
			return false
		}
	}
	return true
}

func canonicalHost(host string) string { return strings.ToLower(strings.TrimSuffix(host, ".")) }

// nat64 carries IPv4 addresses over IPv6 (RFC 6052).
var nat64 = netip.MustParsePrefix("64:ff9b::/96")

// global6 is all of IPv6 that is routed between networks today.
var global6 = netip.MustParsePrefix("2000::/3")

// special is what the IANA special-purpose registries take out of the public space.
var special = prefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
	"192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
	"224.0.0.0/3",
	"2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
)

func prefixes(texts ...string) []netip.Prefix {
	list := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		list[i] = netip.MustParsePrefix(text)
	}
	return list
}

// publicAddr tells whether ip belongs to the public internet, looking through IPv4-mapped and NAT64 forms.
func publicAddr(ip netip.Addr) bool {
	ip = ip.WithZone("").Unmap()
	if nat64.Contains(ip) {
		b := ip.As16()
		ip = netip.AddrFrom4([4]byte(b[12:]))
	}
	if ip.Is6() && !global6.Contains(ip) {
		return false
	}
	for _, p := range special {
		if p.Contains(ip) {
			return false
		}
	}
	return ip.IsValid()
}

// guardDial is a net.Dialer's ControlContext: it sees the address after name resolution, so that a name that resolves
// to a private address, now or on the second look, cannot pass.
func guardDial(_ context.Context, _, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil || !publicAddr(at.Addr()) {
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
