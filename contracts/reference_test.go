package contracts

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var (
	section   = regexp.MustCompile(`(?m)^#+ (\d+(?:\.\d+)?)\.? `)
	reference = regexp.MustCompile(`contract,? ((?:§\d+(?:\.\d+)?(?:, )?)+)`)
	numbered  = regexp.MustCompile(`[Dd]ecisions? \d+`)
)

// Every "contract §" in the code names a section of docs/contract.md, and no decision is named by a number: a comment
// says the reason itself.
func TestReferencesResolve(t *testing.T) {
	contract, err := os.ReadFile("../docs/contract.md")
	if err != nil {
		t.Fatal(err)
	}
	sections := map[string]bool{}
	for _, m := range section.FindAllStringSubmatch(string(contract), -1) {
		sections[m[1]] = true
	}
	named := 0
	eachGoFile(t, func(path, text string) {
		for _, m := range reference.FindAllStringSubmatch(text, -1) {
			for n := range strings.SplitSeq(m[1], ", ") {
				named++
				if number := strings.TrimPrefix(n, "§"); number != "" && !sections[number] {
					t.Errorf("%s: docs/contract.md has no section %s", path, number)
				}
			}
		}
		if found := numbered.FindString(text); found != "" {
			t.Errorf("%s names %q: name the section of docs/contract.md, or say the reason", path, found)
		}
	})
	if named < 20 || len(sections) < 20 {
		t.Errorf("%d references to %d sections were found: the patterns do not work", named, len(sections))
	}
}

// The tables of docs/contract.md hold the codes and notes of this package, with their statuses.
func TestTheContractListsTheCodes(t *testing.T) {
	contract, err := os.ReadFile("../docs/contract.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, code := range NoteCodes {
		if !strings.Contains(string(contract), "| `"+string(code)+"` | "+code.Meaning()+" |\n") {
			t.Errorf("the table of notes lacks %s, or says something else than %q", code, code.Meaning())
		}
	}
	for code := range codes {
		row := regexp.MustCompile(`(?m)^\| (\d{3}) \| ` + "`" + string(code) + "`").FindStringSubmatch(string(contract))
		switch public := code.Public() == code && code != InvalidRequest && code != Canceled; {
		case public && row == nil:
			t.Errorf("the table of errors lacks %s", code)
		case public && row[1] != strconv.Itoa(code.HTTPStatus()):
			t.Errorf("%s has status %s, the contract says %s", code, strconv.Itoa(code.HTTPStatus()), row[1])
		case !public && row != nil:
			t.Errorf("the table of errors has %s, which stays inside", code)
		}
	}
}

func eachGoFile(t *testing.T, visit func(path, text string)) {
	t.Helper()
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == "bin" || d.Name() == ".git"):
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "reference_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		visit(path, string(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
