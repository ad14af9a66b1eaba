package contracts

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

// ParseCarrier accepts a code in any case. The error is NOT_FOUND and names the code.
func ParseCarrier(s string) (Carrier, error) {
	if c, ok := findCode(s, Carriers); ok {
		return c, nil
	}
	return "", Errorf(NotFound, "carrier %q is not supported; GET /v1/ltl/carriers lists the valid codes", Printable(s))
}
