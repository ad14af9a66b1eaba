package main

import (
	"os/exec"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"assay.dev/platform/daemon"
)

// goWords are what no person who never saw Go understands.
var goWords = regexp.MustCompile(`\d bit|EOL|float|bool value|parsing time|cannot parse|strconv|\(string\)|2006`)

// A wrong or missing value of any flag of any command is told in plain words.
func TestWrongValuesAreToldInPlainWords(t *testing.T) {
	parser, err := kong.New(&commands{}, kong.Name("assay"), vocabulary(), kong.Vars{"version": "", "system": "linux"})
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for _, leaf := range parser.Model.Leaves(false) {
		command := strings.Fields(leaf.Path())
		for _, flag := range leaf.Flags {
			if flag.Name == "help" {
				continue
			}
			asked++
			var values []string
			if kind := flag.Target.Kind(); kind != reflect.String && kind != reflect.Slice {
				values = append(values, "--"+flag.Name+"=\x01x")
			}
			if !flag.IsBool() {
				values = append(values, "--"+flag.Name)
			}
			for _, value := range values {
				_, _, errs := run(t, daemon.Environ{"ASSAY_DATA": t.TempDir()}, append(command[1:len(command):len(command)], value)...)
				if m := goWords.FindString(strings.ReplaceAll(errs, "2026", "")); m != "" {
					t.Errorf("%s %s: %q in %s", leaf.Path(), value, m, errs)
				}
			}
		}
	}
	if asked < 100 {
		t.Errorf("%d flags were tried", asked)
	}
	for args, want := range map[string]string{
		"get surcharge ODFL --weeks abc":              `--weeks: want a whole number, not "abc"`,
		"get surcharge ODFL --require-confidence abc": `--require-confidence: want a number such as 0.90, not "abc"`,
		"get surcharge ODFL --announced=maybe":        `--announced: want true or false, not "maybe"`,
		"usage --month abc":                           `--month: want a month such as 2026-11, not "abc"`,
		"get search CA --limit":                       `--limit: a value is missing`,
	} {
		if code, _, errs := run(t, nil, strings.Fields(args)...); code != exitUsage || !strings.Contains(errs, want) {
			t.Errorf("%s: exit %d, %s", args, code, errs)
		}
	}
}

// The TypeScript client refuses an option that it does not know before anything is sent: nobody answers at the address.
func TestUnknownOptionsOfTheTypeScriptClient(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip(err)
	}
	const program = `import { AssayError, Client } from "../clients/typescript/dist/index.js";
const assay = new Client({ key: "test_x", url: "http://127.0.0.1:1" });
for (const call of [
  () => assay.fuelSurcharge("ODFL", { weeks: 99 }), () => assay.fuelSurcharges([], { asof: "2026-09-11" }), () => assay.search("CA", { dba_name: "x" }),
  () => assay.searchPages("CA", { name: "x" }).next(), () => assay.changes("c", { waits: 1 }), () => assay.audit([], { tolerance: "1" }),
  async () => new Client({ key: "test_x", confidence: 0.9 }),
]) await call().then(() => console.log("taken"), (e) => console.log(e.constructor === AssayError && e.message));`
	out, err := exec.CommandContext(t.Context(), node, "--input-type=module", "-e", program).CombinedOutput()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if err != nil || len(lines) != 7 {
		t.Fatalf("%v\n%s", err, out)
	}
	for i, name := range []string{"weeks", "asof", "dba_name", "name", "waits", "tolerance", "confidence"} {
		if !strings.HasPrefix(lines[i], "unknown option "+name+": there are ") {
			t.Errorf("%s: %s", name, lines[i])
		}
	}
}
