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

// prices are those of one billable answer in US cents (contract §1).
var prices = map[Product]int{LTL: 3, ABC: 5}

// ParseProduct accepts the codes of [Products] exactly, such as "ltl".
func ParseProduct(s string) (Product, error) {
	if p := Product(s); slices.Contains(Products, p) {
		return p, nil
	}
	return "", fmt.Errorf("product %q: want one of %v", s, Products)
}

// UnitPriceCents is the price of one billable answer in US cents (contract §1).
func (p Product) UnitPriceCents() int { return prices[p] }

// MaxAge is how stale an answer of the product may be (contract §1).
func (p Product) MaxAge() time.Duration {
	if p == LTL {
		return SurchargeTTL
	}
	return LicenseTTL
}
