package contracts_test

import (
	"testing"

	"assay.dev/contracts"
)

func TestEveryProductHasAPrice(t *testing.T) {
	t.Parallel()
	for _, p := range contracts.Products {
		if parsed, err := contracts.ParseProduct(string(p)); err != nil || parsed != p || p.UnitPriceCents() <= 0 {
			t.Errorf("%q is %q at %d cents, %v", p, parsed, p.UnitPriceCents(), err)
		}
	}
	for _, text := range []string{"", "LTL", "ltl ", "no product"} {
		if p, err := contracts.ParseProduct(text); err == nil {
			t.Errorf("%q is taken for %q", text, p)
		}
	}
}
