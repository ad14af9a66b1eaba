// Package publicnet tells what belongs to the public internet from what an attacker may want us to reach: the machine
// itself, its network, and what clouds keep there.
package publicnet

import (
	"net/netip"
	"slices"
	"strings"
)

// privateZones never exist on the public internet (RFC 6761, 6762, 8375 and ICANN's .internal). A proxy resolves names
// for itself, so these must be stopped by name.
var privateZones = []string{"localhost", "local", "internal", "home.arpa", "onion"}

// Host tells whether a name, or an address in any form, may be one of the public internet.
func Host(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if ip, err := netip.ParseAddr(host); err == nil {
		return Addr(ip)
	}
	labels := strings.Split(host, ".")
	last := labels[len(labels)-1]
	// A name that ends in a number is an address in disguise: 2130706433, 127.1, 0x7f.0.0.1.
	if len(labels) < 2 || last == "" || last[0] >= '0' && last[0] <= '9' {
		return false
	}
	return !slices.ContainsFunc(privateZones, func(zone string) bool { return strings.HasSuffix(host, "."+zone) })
}

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

// Addr tells whether ip belongs to the public internet, looking through IPv4-mapped and NAT64 forms.
func Addr(ip netip.Addr) bool {
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
