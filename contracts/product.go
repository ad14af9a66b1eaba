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

// terms are what the contract fixes for a product (contract §1), the codes of its sources, and the subjects of the
// requests that its worker answers, with wildcards, besides [VerifySubject].
type terms struct {
	cents    int
	maxAge   time.Duration
	sources  []string
	requests func(Environment) []Subject
}

// termsOf is what a product is to the other services: the gateway's prices and limits, the permissions of package
// access and what `assay up` starts are made of it.
var termsOf = map[Product]terms{
	LTL: {cents: 3, maxAge: SurchargeTTL, sources: Texts(Carriers), requests: func(env Environment) []Subject {
		return []Subject{SurchargeSubject(env, "*"), HistorySubject(env, "*"), FuelTableSubject(env, "*"), DieselSubject(env)}
	}},
	ABC: {cents: 5, maxAge: LicenseTTL, sources: Texts(States), requests: func(env Environment) []Subject {
		return []Subject{LicenseSubject(env, "*"), SearchSubject(env, "*"), MatchSubject(env, "*"), MembersSubject(env, "*")}
	}},
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

// Worker is the name of the service that answers for the product, such as "ltl-worker".
func (p Product) Worker() string { return string(p) + "-worker" }

// Requests are the subjects of all requests that the product's worker answers, with wildcards for its sources.
func (p Product) Requests(env Environment) []Subject {
	return append(termsOf[p].requests(env), VerifySubject(env, p))
}
