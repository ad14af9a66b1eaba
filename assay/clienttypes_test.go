package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay.dev/contracts"
	"assay.dev/gateway/openapi"
)

var updateClients = flag.Bool("clients.update", false, "write what the clients have from the OpenAPI document anew")

const (
	pythonPackage = "../clients/python/src/assay_client"
	typescript    = "../clients/typescript"
)

// TestWhatClientsHaveFromTheDocumentIsCurrent makes the types of the Python client and the advice of both. The types of the TypeScript
// client are made by a program of npm, which is not everywhere: src/schema.sums holds the hashes of the document that they were made of
// and of what was made, so that either's change is seen without it.
func TestWhatClientsHaveFromTheDocumentIsCurrent(t *testing.T) {
	t.Parallel()
	document, err := openapi.Document()
	if err != nil {
		t.Fatal(err)
	}
	wantFile(t, pythonPackage+"/schema.py", pythonTypes(t, document))
	wantFile(t, pythonPackage+"/advice.py", "\"\"\"What to do about each code. Generated from package contracts.\"\"\"\n\nADVICE = {\n"+adviceLines("    %q: %q,\n")+"}\n"+
		"\nREASONS = {\n"+reasonLines("    %q: %q,\n")+"}\n"+fmt.Sprintf("\nPROOFS = (%q, %q)\n", contracts.LicenseAbsent, contracts.TypeAbsent))
	wantFile(t, typescript+"/src/advice.ts", "/** What to do about each code. Generated from package contracts. */\n"+
		"export const advice: Readonly<Record<string, string>> = {\n"+adviceLines("  %s: %q,\n")+"};\n"+
		"\n/** What to do about a NOT_FOUND of each reason. */\nexport const reasons: Readonly<Record<string, string>> = {\n"+reasonLines("  %s: %q,\n")+"};\n"+
		fmt.Sprintf("\nexport const proofs: readonly string[] = [%q, %q];\n", contracts.LicenseAbsent, contracts.TypeAbsent))
	makeTypeScriptTypes(t, document)
	types := readFile(t, typescript+"/src/schema.d.ts")
	if readFile(t, typescript+"/dist/schema.d.ts") != types && !*updateClients {
		t.Error("dist/schema.d.ts is not src/schema.d.ts: run `make clients`")
	}
	if *updateClients && !hasGenerator() {
		t.Fatal("the generator of the TypeScript types is not installed: `make clients` installs it")
	}
	wantFile(t, typescript+"/src/schema.sums", fmt.Sprintf("%x  openapi.json\n%x  schema.d.ts\n", sha256.Sum256(document), sha256.Sum256([]byte(types))))
}

// typesGenerator makes TypeScript types of an OpenAPI document.
const typesGenerator = typescript + "/node_modules/.bin/openapi-typescript"

func hasGenerator() bool {
	_, err := os.Stat(typesGenerator)
	return err == nil
}

// makeTypeScriptTypes compares the types with what their generator makes, where it is installed.
func makeTypeScriptTypes(t *testing.T, document []byte) {
	t.Helper()
	if !hasGenerator() {
		return
	}
	file, generated := filepath.Join(t.TempDir(), "openapi.json"), filepath.Join(t.TempDir(), "schema.d.ts")
	if err := os.WriteFile(file, document, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), typesGenerator, file, "-o", generated).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	wantFile(t, typescript+"/src/schema.d.ts", readFile(t, generated))
}

// TestTheTypeScriptTypesNameAllMembers needs no generator: an old file lacks a path or a member.
func TestTheTypeScriptTypesNameAllMembers(t *testing.T) {
	t.Parallel()
	text, err := openapi.Document()
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Paths      map[string]any
		Components struct{ Schemas map[string]schema }
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"src/schema.d.ts", "dist/schema.d.ts"} {
		types := readFile(t, filepath.Join(typescript, file))
		for path := range document.Paths {
			if !strings.Contains(types, fmt.Sprintf("%q: {", path)) {
				t.Errorf("%s lacks the path %s: run `make clients`", file, path)
			}
		}
		for name, s := range document.Components.Schemas {
			_, block, _ := strings.Cut(types, "\n        "+name+": ")
			block, _, _ = strings.Cut(block, "\n        };")
			for member := range s.Properties {
				if !strings.Contains(block, " "+member+": ") && !strings.Contains(block, " "+member+"?: ") {
					t.Errorf("%s lacks %s.%s: run `make clients`", file, name, member)
				}
			}
		}
	}
}

// wantFile compares a file with what it should hold, or writes that.
func wantFile(t *testing.T, file, want string) {
	t.Helper()
	if *updateClients {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != want {
		t.Errorf("%s is old: run `make clients`", file)
	}
}

// adviceLines are the codes that clients see with their advice, sorted.
func adviceLines(format string) string {
	var lines strings.Builder
	for _, code := range slices.Sorted(slices.Values(contracts.Codes())) {
		if advice := code.Advice(); advice != "" {
			fmt.Fprintf(&lines, format, string(code), advice)
		}
	}
	return lines.String()
}

// reasonLines are the reasons of a NOT_FOUND with their advice.
func reasonLines(format string) string {
	var lines strings.Builder
	for _, reason := range contracts.Reasons {
		fmt.Fprintf(&lines, format, string(reason), reason.Advice())
	}
	return lines.String()
}

// schema is what the Python types need of a JSON Schema.
type schema struct {
	Ref        string                     `json:"$ref"`
	Type       json.RawMessage            `json:"type"`
	Enum       []string                   `json:"enum"`
	Properties map[string]json.RawMessage `json:"properties"`
	Required   []string                   `json:"required"`
	Items      *schema                    `json:"items"`
	AnyOf      []schema                   `json:"anyOf"`
	OneOf      []schema                   `json:"oneOf"`
}

// pythonTypes are the document's schemas, and the lines of uploads, as Python.
func pythonTypes(t *testing.T, document []byte) string {
	t.Helper()
	var d struct {
		Components struct{ Schemas map[string]schema }
		Paths      map[string]map[string]struct {
			RequestBody struct {
				Content map[string]struct{ Schema schema }
			}
		}
	}
	if err := json.Unmarshal(document, &d); err != nil {
		t.Fatal(err)
	}
	all := maps.Clone(d.Components.Schemas)
	delete(all, "Error") // a failure is an ApiError
	delete(all, "ValidationError")
	delete(all, "CSV") // a text
	all["CustomerLine"] = *d.Paths["/v1/abc/match"]["post"].RequestBody.Content["application/json"].Schema.OneOf[1].Items
	all["DeliveryLine"] = *d.Paths["/v1/abc/delivery"]["post"].RequestBody.Content["application/json"].Schema.OneOf[1].Items
	all["AuditLine"] = *d.Paths["/v1/ltl/audit"]["post"].RequestBody.Content["application/json"].Schema.OneOf[1].Items
	var text bytes.Buffer
	text.WriteString("\"\"\"The types of answers. Generated from the OpenAPI document.\"\"\"\n\nfrom __future__ import annotations\n\n" +
		"from typing import Literal, TypedDict\n\n")
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if s := all[name]; s.Enum != nil || s.AnyOf != nil {
			fmt.Fprintf(&text, "%s = %s\n", name, s.python(t))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if s := all[name]; s.Enum == nil && s.AnyOf == nil {
			s.writePython(t, &text, name)
		}
	}
	return text.String()
}

// writePython writes an object as a TypedDict. Members that may be missing stand in a base class: Python 3.10 has no NotRequired.
// A required member that is called as a word of Python's, such as from, stands in another one.
func (s schema) writePython(t *testing.T, text *bytes.Buffer, name string) {
	optional, required, keywords := "", "", ""
	for _, member := range slices.Sorted(maps.Keys(s.Properties)) {
		var of schema
		if err := json.Unmarshal(s.Properties[member], &of); err != nil {
			t.Fatal(err)
		}
		line := fmt.Sprintf("    %s: %s\n", member, of.python(t))
		switch isRequired := slices.Contains(s.Required, member); {
		case isRequired && slices.Contains([]string{"from", "in", "is", "not", "or", "and", "class", "import", "global"}, member):
			keywords += fmt.Sprintf("%q: %q, ", member, of.python(t))
		case isRequired:
			required += line
		default:
			optional += line
		}
	}
	base := "TypedDict"
	if optional != "" && required != "" {
		base = "_" + name
		fmt.Fprintf(text, "\n\nclass %s(TypedDict, total=False):\n%s", base, optional)
		optional = ""
	}
	if optional != "" {
		fmt.Fprintf(text, "\n\nclass %s(TypedDict, total=False):\n%s", name, optional)
		return
	}
	if keywords != "" {
		fmt.Fprintf(text, "\n\n_%sKeywords = TypedDict(\"_%[1]sKeywords\", {%s})\n", name, strings.TrimSuffix(keywords, ", "))
		base += ", _" + name + "Keywords"
	}
	fmt.Fprintf(text, "\n\nclass %s(%s):\n%s", name, base, required)
}

var pythonNames = map[string]string{"string": "str", "number": "float", "integer": "int", "boolean": "bool", "null": "None"}

// python is the type as Python writes it.
func (s schema) python(t *testing.T) string {
	t.Helper()
	var kind string
	var kinds []string
	_, _ = json.Unmarshal(s.Type, &kind), json.Unmarshal(s.Type, &kinds) // one of both, or neither
	switch {
	case s.Ref != "":
		return s.Ref[strings.LastIndex(s.Ref, "/")+1:]
	case s.Enum != nil:
		return `Literal["` + strings.Join(s.Enum, `", "`) + `"]`
	case s.AnyOf != nil:
		var all []string
		for _, one := range s.AnyOf {
			all = append(all, one.python(t))
		}
		return strings.Join(all, " | ")
	case kinds != nil:
		for i := range kinds {
			kinds[i] = pythonNames[kinds[i]]
		}
		return strings.Join(kinds, " | ")
	case kind == "array":
		return "list[" + s.Items.python(t) + "]"
	case kind == "object":
		return "dict[str, int]" // a count for each verdict
	case pythonNames[kind] != "":
		return pythonNames[kind]
	}
	t.Fatalf("no type for %s", s.Type)
	return ""
}
