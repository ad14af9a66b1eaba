package contracts

import (
	"fmt"
	"time"
)

// Product is what a tenant subscribes to and is billed for (contract §1, §5).
type Product string

const (
	// LTL is the fuel surcharge product.
	LTL Product = "ltl"
	// ABC is the liquor license product.
	ABC Product = "abc"
)

// Products lists both in the order they are shown.
var Products = []Product{LTL, ABC}

// ParseProduct accepts "ltl" and "abc" exactly.
func ParseProduct(s string) (Product, error) {
	switch p := Product(s); p {
	case LTL, ABC:
		return p, nil
	}
	return "", fmt.Errorf("product %q: want ltl or abc", s)
}

// UnitPriceCents is the price of one billable answer in US cents (contract §1).
func (p Product) UnitPriceCents() int {
	if p == LTL {
		return 3
	}
	return 5
}

// MaxAge is how stale an answer of the product may be (contract §1).
func (p Product) MaxAge() time.Duration {
	if p == LTL {
		return SurchargeTTL
	}
	return LicenseTTL
}
