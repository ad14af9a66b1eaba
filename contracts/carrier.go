package contracts

import "strings"

// Carrier is one of the closed set of carrier codes (contract §2.5).
type Carrier string

// The carriers, as the contract spells them. Some differ from the SCAC the carrier filed (ESTES files EXLA).
const (
	ODFL    Carrier = "ODFL"
	SAIA    Carrier = "SAIA"
	ESTES   Carrier = "ESTES"
	ABF     Carrier = "ABF"
	RLC     Carrier = "RLC"
	TFORCE  Carrier = "TFORCE"
	XPO     Carrier = "XPO"
	SEFL    Carrier = "SEFL"
	AVERITT Carrier = "AVERITT"
	FEDEX   Carrier = "FEDEX"
)

// Carriers lists all, in the contract's order.
var Carriers = []Carrier{ODFL, SAIA, ESTES, ABF, RLC, TFORCE, XPO, SEFL, AVERITT, FEDEX}

// FiledCodes are the Standard Carrier Alpha Codes that carriers filed under other letters than their code here, former
// ones among them.
var FiledCodes = map[string]Carrier{
	"EXLA": ESTES, "CNWY": XPO, "XPOL": XPO, "RLCA": RLC, "TFIN": TFORCE, "UPGF": TFORCE, "ABFS": ABF, "AVRT": AVERITT,
	"FXFE": FEDEX, "FXNL": FEDEX,
}

// ParseCarrier accepts a code in any case. The error is NOT_FOUND and names the code; for one that a carrier filed
// (EXLA) it names the carrier's code here (ESTES).
func ParseCarrier(s string) (Carrier, error) {
	if c, ok := FindCode(s, Carriers); ok {
		return c, nil
	}
	if c, ok := FiledCodes[strings.ToUpper(s)]; ok {
		return "", Missing(CarrierMisnamed, "carrier %q is not a code here: it is the SCAC of %s; did you mean %s?",
			Printable(s), c, c)
	}
	if c, ok := NearestCarrier(s); ok {
		return "", Missing(CarrierMisnamed, "carrier %q is not supported; did you mean %s? GET "+
			"/v1/ltl/carriers lists the valid codes", Printable(s), c)
	}
	return "", Missing(CarrierNotServed,
		"carrier %q is not supported; GET /v1/ltl/carriers lists the valid codes", Printable(s))
}

// CarrierOf accepts a code, or the SCAC that a carrier filed, in any case: ESTES and exla are both ESTES.
func CarrierOf(s string) (c Carrier, ok bool) {
	if c, ok = FindCode(s, Carriers); ok {
		return c, true
	}
	c, ok = FiledCodes[strings.ToUpper(s)]
	return c, ok
}
