package gateway_test

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"assay.dev/contracts"
	"assay.dev/gateway"
	"assay.dev/gateway/api"
	"assay.dev/gateway/keys"
	"assay.dev/gateway/lines"
	"assay.dev/platform/daemon"
)

var update = flag.Bool("update", false, "write the tables of docs/guide.md anew")

const guideFile = "../docs/guide.md"

// The tables of errors and of limits in docs/guide.md are made from what the code goes by.
func TestTheGuideHasTheErrorsAndTheLimits(t *testing.T) {
	fillTables(t, guideFile, map[string]string{"errors": errorRows(), "reasons": reasonRows(), "limits": limitRows(t), "verdicts": verdictRows()})
	fillTables(t, "../docs/contract.md", map[string]string{"verdicts": verdictRows()})
}

// fillTables compares the tables of a text with what they should be, or writes them anew.
func fillTables(t *testing.T, file string, tables map[string]string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	guide := string(text)
	for name, want := range tables {
		begin, end := "<!-- "+name+": go test ./gateway -run TestTheGuide -update -->\n", "<!-- end of "+name+" -->\n"
		before, rest, isBegun := strings.Cut(guide, begin)
		found, after, isEnded := strings.Cut(rest, end)
		if !isBegun || !isEnded {
			t.Fatalf("%s lacks the marks of the %s", file, name)
		}
		if found != want && !*update {
			t.Errorf("the %s of %s are not those of the code; run this test with -update\n%s", name, file, want)
		}
		guide = before + begin + want + end + after
	}
	if *update {
		if err := os.WriteFile(file, []byte(guide), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// errorRows are the codes that clients see, with their statuses and what to do.
func errorRows() string {
	all := slices.DeleteFunc(contracts.Codes(), func(c contracts.Code) bool { return c.Advice() == "" })
	slices.SortFunc(all, func(a, b contracts.Code) int {
		return cmp.Or(cmp.Compare(a.HTTPStatus(), b.HTTPStatus()), cmp.Compare(a, b))
	})
	var b strings.Builder
	b.WriteString("\n| status | code | what to do |\n|---|---|---|\n")
	for _, c := range all {
		statuses := fmt.Sprint(c.HTTPStatus())
		if c == contracts.RequestTooLarge {
			statuses = fmt.Sprintf("%d, %d, %d", api.BodyTooLarge.Status, api.URLTooLong.Status, api.HeadersTooLarge.Status)
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s |\n", statuses, c, c.Advice())
	}
	return b.String() + "\n"
}

// reasonRows are the reasons of a NOT_FOUND, and what to do.
func reasonRows() string {
	var b strings.Builder
	b.WriteString("\n| reason | what to do |\n|---|---|\n")
	for _, r := range contracts.Reasons {
		fmt.Fprintf(&b, "| `%s` | %s |\n", r, r.Advice())
	}
	return b.String() + "\n"
}

// verdictRows are the rules by which licenses have their verdicts.
func verdictRows() string {
	var b strings.Builder
	b.WriteString("\n| verdict | reason | when |\n|---|---|---|\n")
	for _, r := range contracts.VerdictRules {
		code := ""
		if r.Code != "" {
			code = "`" + string(r.Code) + "`"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", r.Verdict, code, r.When)
	}
	return b.String() + "\n"
}

// limitRows are what may be asked for, and how often.
func limitRows(t *testing.T) string {
	t.Helper()
	settings, err := daemon.Load[gateway.Config](daemon.Environ{})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("\n| what | limit |\n|---|---|\n")
	row := func(what, format string, values ...any) {
		fmt.Fprintf(&b, "| %s | %s |\n", what, fmt.Sprintf(format, values...))
	}
	row("requests of all keys of a tenant in any minute, REST and tools together", "%d by default", keys.DefaultLimit)
	row("requests of an address in any minute without a valid key", "%d by default", settings.AnonymousLimit)
	for _, e := range api.Endpoints {
		for _, p := range e.Parameters {
			if s := p.Schema; s.Type == "integer" && s.Minimum != nil && s.Maximum != nil {
				limit := fmt.Sprintf("%.0f to %.0f", *s.Minimum, *s.Maximum)
				if s.Default != nil {
					limit += ", by default " + string(s.Default)
				}
				row(fmt.Sprintf("`%s` of `%s`", p.Name, e.Path), "%s", limit)
			}
		}
	}
	row("`from` and `to` of `/v1/ltl/fuel-surcharge` and `/v1/ltl/diesel`", "%d weeks apart", contracts.MaxHistoryWeeks)
	row("lines of an audit", "%d, of %d MB together", lines.MaxLines, lines.MaxBytes>>20)
	row("lines of a call of `audit_fuel_surcharge`", "%d", api.MaxToolLines)
	return b.String() + "\n"
}
