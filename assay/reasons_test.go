package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"assay.dev/contracts"
	"assay.dev/platform/daemon"
)

// missing is a question whose answer is a 404, as it is asked over REST, of a tool and at a terminal. The clients are asked the same in
// clients/cases.json.
type missing struct {
	path      string
	product   string
	tool      string
	arguments map[string]any
	terminal  []string
	code      int
	reason    contracts.Reason
}

// Every 404 says what was not found, and only the absence of a license from its register is called proof.
func TestReasonsOfNotFound(t *testing.T) {
	t.Parallel()
	base, key := up(t)
	license := func(state, number string) missing {
		return missing{
			path: "/v1/abc/license/" + number + "?state=" + state, product: "abc", tool: "get_license",
			arguments: map[string]any{"state": state, "license_number": number}, terminal: []string{"license", state, number},
		}
	}
	const hash = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
	for name, c := range map[string]missing{
		"no license of that number": license("CA", "999999").is(contracts.LicenseAbsent, exitAbsent),
		"no such type of a number":  license("CA", "99-400000").is(contracts.TypeAbsent, exitAbsent),
		"a state nobody serves":     license("AZ", "12345").is(contracts.StateNotServed, exitMisasked),
		"a carrier nobody serves": missing{
			path: "/v1/ltl/fuel-surcharge?carriers=UPS", product: "ltl", tool: "get_fuel_surcharge",
			arguments: map[string]any{"carrier": "UPS"}, terminal: []string{"surcharge", "UPS"},
		}.is(contracts.CarrierNotServed, exitMisasked),
		"a carrier by its SCAC": missing{
			path: "/v1/ltl/fuel-surcharge?carriers=EXLA", product: "ltl", tool: "get_fuel_surcharge",
			arguments: map[string]any{"carrier": "EXLA"}, terminal: []string{"surcharge", "EXLA"},
		}.is(contracts.CarrierMisnamed, exitMisasked),
		"a carrier without a table": missing{
			path: "/v1/ltl/fuel-tables?carrier=SAIA", product: "ltl", tool: "get_fuel_table",
			arguments: map[string]any{"carrier": "SAIA"}, terminal: []string{"table", "SAIA"},
		}.is(contracts.TableUnknown, exitMisasked),
		"a document that is not kept": missing{path: "/v1/evidence/" + hash + "?at=1"}.is(contracts.DocumentUnknown, 0),
		"a path where nothing is":     missing{path: "/v1/abc/licences"}.is(contracts.PathUnknown, 0),
	} {
		t.Run(name, func(t *testing.T) {
			c.overREST(t, base, key)
			if c.tool != "" {
				c.byTool(t, base, key)
				c.atTerminal(t, base, key)
			}
		})
	}
}

func (c missing) is(reason contracts.Reason, code int) missing {
	c.reason, c.code = reason, code
	return c
}

func (c missing) overREST(t *testing.T, base, key string) {
	t.Helper()
	var body struct {
		Detail struct {
			Error  contracts.Code
			Reason contracts.Reason
		}
		Proof *contracts.Verifiability `json:"_verifiability"`
	}
	status, text := ask(t, base+c.path, key)
	if err := json.Unmarshal(text, &body); err != nil || status != http.StatusNotFound {
		t.Fatalf("%d %v %s", status, err, text)
	}
	if body.Detail.Error != contracts.NotFound || body.Detail.Reason != c.reason {
		t.Errorf("REST: %s", text)
	}
	if proves := body.Proof != nil && len(body.Proof.Evidence) > 0 && body.Proof.ExtractionConfidence == 1; proves != c.reason.ProvesAbsence() {
		t.Errorf("REST: the proof is %s", text)
	}
}

func (c missing) byTool(t *testing.T, base, key string) {
	t.Helper()
	r, err := agent(t, key, c.product, "--url", base).CallTool(t.Context(), &sdk.CallToolParams{Name: c.tool, Arguments: c.arguments})
	if err != nil || !r.IsError {
		t.Fatalf("%v %+v", err, r)
	}
	text := r.Content[0].(*sdk.TextContent).Text
	isProof := strings.Contains(text, "proven not") && strings.Contains(text, "\nProof: http") && strings.HasSuffix(text, ". INVENTED DATA: answer of a test key.")
	if r.Meta["assay.dev/reason"] != string(c.reason) || !strings.HasPrefix(text, "NOT_FOUND: ") || !strings.Contains(text, "("+string(c.reason)+")\n") || isProof != c.reason.ProvesAbsence() {
		t.Errorf("tool: %v %s", r.Meta, text)
	}
}

func (c missing) atTerminal(t *testing.T, base, key string) {
	t.Helper()
	code, out, errs := run(t, daemon.Environ{"ASSAY_API_KEY": key, "ASSAY_API_URL": base}, append([]string{"get"}, c.terminal...)...)
	if code != c.code || !strings.Contains(errs, c.reason.Advice()) {
		t.Errorf("terminal: exit %d\n%s\n%s", code, out, errs)
	}
}
