package mcp

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/openapi"
)

// Whoever reads an answer finds each of its notes explained where he looks: in the guide, in the OpenAPI document and in the types of the
// clients. (That the contract lists them is tested in package contracts.) That a note of doubt means UNVERIFIED is told to agents too.
func TestEveryNoteIsExplained(t *testing.T) {
	places := map[string]string{}
	for name, file := range map[string]string{
		"guide": "docs/guide.md", "python": "clients/python/src/assay_client/schema.py", "typescript": "clients/typescript/src/schema.d.ts",
	} {
		text, err := os.ReadFile("../../" + file)
		if err != nil {
			t.Fatal(err)
		}
		places[name] = string(text)
	}
	document, err := openapi.Document()
	if err != nil {
		t.Fatal(err)
	}
	var of struct {
		Components struct {
			Schemas struct{ NoteCode struct{ Description string } }
		}
	}
	if err := json.Unmarshal(document, &of); err != nil {
		t.Fatal(err)
	}
	described := strings.ReplaceAll(of.Components.Schemas.NoteCode.Description, "`", "")
	var tool string
	for _, e := range api.Endpoints {
		if e.Tool != nil && e.Tool.Name == "get_fuel_surcharge" {
			tool = e.Tool.Description
		}
	}
	prompt, err := auditText(map[string]string{"carrier": "SAIA", "invoice_date": "2026-09-09", "invoiced_fuel_surcharge_pct": "50"})
	if err != nil {
		t.Fatal(err)
	}
	for _, code := range contracts.NoteCodes {
		for name, text := range places {
			if !strings.Contains(text, string(code)) {
				t.Errorf("%s: %s has no words", name, code)
			}
		}
		if !strings.Contains(described, string(code)+": "+strings.ReplaceAll(code.Meaning(), "`", "")) {
			t.Errorf("OpenAPI: %s has no words", code)
		}
		if !code.IsDoubt() {
			continue
		}
		for name, text := range map[string]string{"the tool": tool, "the prompt": prompt} {
			if !strings.Contains(text, string(code)) || !strings.Contains(text, "UNVERIFIED") {
				t.Errorf("%s does not say that %s means UNVERIFIED", name, code)
			}
		}
	}
}
