package abcworker

import (
	"slices"
	"testing"

	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/register/registertest"
	"assay.dev/contracts"
)

func TestEveryStateIsMirrored(t *testing.T) {
	deps := registertest.Deps(t, nil)
	for s, recipe := range Recipes {
		if !slices.ContainsFunc(recipe(deps).Search, func(p register.Path) bool { return p.Name == "mirror" }) {
			t.Errorf("%s is not", s)
		}
	}
}

func TestEveryStateHasARecipe(t *testing.T) {
	for _, s := range contracts.States {
		if Recipes[s] == nil {
			t.Errorf("%s has none", s)
		}
	}
}
