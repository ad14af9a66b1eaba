package abcworker

import (
	"assay.dev/abc-worker/california"
	"assay.dev/abc-worker/florida"
	"assay.dev/abc-worker/illinois"
	"assay.dev/abc-worker/newyork"
	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/texas"
	"assay.dev/contracts"
)

// Recipes is the table of the states that can be read. A state is a package and a line here.
var Recipes = map[contracts.State]func(register.Deps) register.Recipe{
	contracts.CA: california.Recipe,
	contracts.FL: florida.Recipe,
	contracts.IL: illinois.Recipe,
	contracts.NY: newyork.Recipe,
	contracts.TX: texas.Recipe,
}
