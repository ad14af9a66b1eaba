package contracts

import (
	"fmt"
	"strconv"
	"strings"
)

// Price is an amount in millionths of a US dollar: 0.003 USD is 3,000.
type Price int64

const (
	priceDecimals = 6
	// maxPriceDigits keeps a price below a million dollars.
	maxPriceDigits = 6
	// Cent is one US cent.
	Cent Price = 10_000
)

// UnmarshalText reads dollars such as 0.003, with up to 6 decimals.
func (p *Price) UnmarshalText(text []byte) error {
	whole, fraction, _ := strings.Cut(string(text), ".")
	n, err := strconv.ParseUint(whole+fraction+strings.Repeat("0", max(0, priceDecimals-len(fraction))), 10, 63)
	if err != nil || whole == "" || len(whole) > maxPriceDigits || len(fraction) > priceDecimals {
		return fmt.Errorf("%q: want US dollars such as 0.003, with up to %d decimals", Printable(string(text)), priceDecimals)
	}
	*p = Price(n)
	return nil
}

// String writes dollars with at least 2 decimals and as many as it needs, such as 0.003 or 30.00.
func (p Price) String() string {
	text := fmt.Sprintf("%d.%06d", p/(100*Cent), p%(100*Cent))
	for range priceDecimals - 2 {
		text = strings.TrimSuffix(text, "0")
	}
	return text
}

// MarshalText writes what UnmarshalText reads.
func (p Price) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// Cents is the price in US cents, rounded half up.
func (p Price) Cents() int { return int((p + Cent/2) / Cent) }

// UnitPrice is the price of one billable answer (contract §1).
func (p Product) UnitPrice() Price { return Price(p.UnitPriceCents()) * Cent }
