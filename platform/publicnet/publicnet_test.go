package publicnet

import (
	"net/netip"
	"testing"

	"pgregory.net/rapid"
)

func TestPrivateAddressesInAnyForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := [4]byte{}
		for i := range b {
			b[i] = rapid.Byte().Draw(t, "byte")
		}
		ip := netip.AddrFrom4(b)
		if (ip.IsPrivate() || ip.IsLoopback() || ip.IsLinkLocalUnicast() || ip.IsMulticast() || ip.IsUnspecified()) && Addr(ip) {
			t.Fatalf("%s is let through", ip)
		}
		mapped := netip.AddrFrom16(ip.As16())
		if Addr(mapped) != Addr(ip) {
			t.Fatalf("%s and %s differ", mapped, ip)
		}
		translated := nat64.Addr().As16()
		copy(translated[12:], b[:])
		if Addr(netip.AddrFrom16(translated)) != Addr(ip) {
			t.Fatalf("NAT64 of %s differs", ip)
		}
	})
}
