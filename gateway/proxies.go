package gateway

import (
	"fmt"
	"net/netip"
	"strings"
)

// Proxies are the address ranges whose X-Forwarded-For is believed.
type Proxies []netip.Prefix

// noProxies is what an operator writes whose clients reach the gateway without a proxy, where a choice must be made.
const noProxies = "none"

// UnmarshalText reads address ranges such as 10.0.0.0/8,fd00::/8, or "none".
func (p *Proxies) UnmarshalText(text []byte) error {
	*p = nil
	if string(text) == noProxies {
		return nil
	}
	for part := range strings.SplitSeq(string(text), ",") {
		prefix, err := netip.ParsePrefix(strings.TrimSpace(part))
		if err != nil {
			return fmt.Errorf("%q: want the address ranges of the proxies in front of the gateway, such as 10.0.0.0/8, or %s",
				part, noProxies)
		}
		*p = append(*p, prefix)
	}
	return nil
}

// String writes the ranges as UnmarshalText reads them.
func (p Proxies) String() string {
	if len(p) == 0 {
		return noProxies
	}
	return strings.Join(p.texts(), ",")
}

func (p Proxies) texts() []string {
	texts := make([]string, len(p))
	for i, prefix := range p {
		texts[i] = prefix.String()
	}
	return texts
}
