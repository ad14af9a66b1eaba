package abcworker

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/register/registertest"
	"assay.dev/contracts"
)

var update = flag.Bool("update", false, "write the matrix of docs/guide.md anew")

const (
	guide       = "../docs/guide.md"
	matrixBegin = "<!-- licenses: what each path shows; go test ./abc-worker -run TestGuide -update -->\n"
	matrixEnd   = "<!-- end of what each path shows -->\n"
)

// The matrix of docs/guide.md is made from the tables beside the recipes.
func TestGuideHasTheMatrix(t *testing.T) {
	text, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), matrixBegin)
	found, after, also := strings.Cut(rest, matrixEnd)
	if !ok || !also {
		t.Fatalf("%s lacks the marks of the matrix", guide)
	}
	want := matrix(t)
	if *update {
		if err := os.WriteFile(guide, []byte(before+matrixBegin+want+matrixEnd+after), 0o600); err != nil {
			t.Fatal(err)
		}
	} else if found != want {
		t.Errorf("the matrix of %s is not that of the recipes; run this test with -update\n%s", guide, want)
	}
}

func matrix(t *testing.T) string {
	var b strings.Builder
	deps := registertest.Deps(t, nil)
	b.WriteString("\n| state | operation | path | method | reported | inferred | not reported | proves absence |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|\n")
	for _, s := range contracts.States {
		recipe := Recipes[s](deps)
		for _, p := range recipe.Describe().Paths {
			proves := "no"
			if p.ProvesAbsence {
				proves = "yes"
			}
			fmt.Fprintf(&b, "| %s | %s | `%s` | `%s` | %s | %s | %s | %s |\n", s, p.Operation, p.Path, p.Method,
				reported(p), members(p.Inferred), members(p.NotReported), proves)
		}
	}
	b.WriteString("\nRequired members, which the confidence counts:\n\n| state | lookup | search |\n|---|---|---|\n")
	for _, s := range contracts.States {
		required := Recipes[s](deps).Required
		for op, names := range required {
			if n := len(names); n > 9 || op == register.Search && n > 8 {
				t.Errorf("%s %s requires %d members", s, op, n)
			}
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", s, members(required[register.Lookup].With()), members(required[register.Search].With()))
	}
	return b.String() + "\n"
}

// reported are the members that a path prints of every license.
func reported(p contracts.PathListing) string {
	known := strings.Join(append(p.Inferred.With(), p.NotReported...), " ")
	var names []string
	for _, member := range register.Members {
		if !strings.Contains(" "+known+" ", " "+member+" ") {
			names = append(names, member)
		}
	}
	if len(known) == 0 {
		return "all"
	}
	return fmt.Sprintf("the other %d of %d", len(names), len(register.Members))
}

func members(names contracts.Members) string {
	if len(names) == 0 {
		return "–"
	}
	return "`" + strings.Join(names, "` `") + "`"
}
