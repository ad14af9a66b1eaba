package contracts

import (
	"fmt"
	"slices"
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

// Products lists all in the order they are shown.
var Products = []Product{LTL, ABC}

// terms are what the contract fixes for a product (contract §1), and the codes of its sources.
type terms struct {
	cents   int
	maxAge  time.Duration
	sources []string
}

var termsOf = map[Product]terms{
	LTL: {cents: 3, maxAge: SurchargeTTL, sources: codesOf(Carriers)},
	ABC: {cents: 5, maxAge: LicenseTTL, sources: codesOf(States)},
}

// ParseProduct accepts the codes of [Products] exactly, such as "ltl".
func ParseProduct(s string) (Product, error) {
	if p := Product(s); slices.Contains(Products, p) {
		return p, nil
	}
	return "", fmt.Errorf("product %q: want one of %v", s, Products)
}

// UnitPriceCents is the price of one billable answer in US cents (contract §1).
func (p Product) UnitPriceCents() int { return termsOf[p].cents }

// MaxAge is how stale an answer of the product may be (contract §1).
func (p Product) MaxAge() time.Duration { return termsOf[p].maxAge }

// Sources are the codes of what the product lists, such as "ODFL" or "CA", in the order they are shown.
func (p Product) Sources() []string { return termsOf[p].sources }
