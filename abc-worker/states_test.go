package abcworker

import (
	"slices"
	"testing"

	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/register/registertest"
	"assay.dev/contracts"
)

func TestMirroredAreTheStatesWithABulkFile(t *testing.T) {
	deps := registertest.Deps(t, nil)
	for s, recipe := range recipes {
		byBulkFile := slices.ContainsFunc(recipe(deps).Lookup, func(p register.Path) bool { return p.Name == "mirror" })
		if byBulkFile != slices.Contains(mirrored, s) {
			t.Errorf("%s: %v", s, byBulkFile)
		}
	}
}

func TestEveryStateHasARecipe(t *testing.T) {
	for _, s := range contracts.States {
		if recipes[s] == nil {
			t.Errorf("%s has none", s)
		}
	}
}
