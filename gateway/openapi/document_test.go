package openapi_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"assay.dev/contracts"
	"assay.dev/gateway/openapi"
	"assay.dev/gateway/openapi/openapitest"
)

func TestDocumentIsOpenAPI(t *testing.T) {
	t.Parallel()
	text, err := openapi.Document()
	if err != nil {
		t.Fatal(err)
	}
	openapitest.Open(t)
	for _, c := range contracts.Carriers {
		if !strings.Contains(string(text), `"`+string(c)+`"`) {
			t.Errorf("carrier %s is missing", c)
		}
	}
}

// What a Go type is in a schema, where it is not what one would think first.
func TestSchemas(t *testing.T) {
	t.Parallel()
	type Inner struct {
		Word string `json:"word"`
	}
	for name, c := range map[string]struct {
		t    reflect.Type
		want string
	}{
		"a date may be null": {reflect.TypeFor[contracts.Date](), `{"anyOf":[{"type":"string","format":"date"},{"type":"null"}]}`},
		"a list never is":    {reflect.TypeFor[[]string](), `{"type":"array","items":{"type":"string"}}`},
		"a pointer to a time": {reflect.TypeFor[struct {
			At *contracts.Date `json:"at"`
		}](), `{"type":"object","properties":{"at":{"anyOf":[{"type":"string","format":"date"},{"type":"null"}]}},"required":["at"]}`},
		"a pointer to a struct": {reflect.TypeFor[*Inner](), `{"anyOf":[{"type":"object","properties":{"word":{"type":"string"}},"required":["word"]},{"type":"null"}]}`},
		"an embedded struct": {reflect.TypeFor[struct {
			Inner
			More bool `json:"more,omitempty"`
		}](), `{"type":"object","properties":{"word":{"type":"string"},"more":{"type":"boolean"}},"required":["word"]}`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := json.Marshal(openapi.Schema(c.t))
			if err != nil || !sameJSON(t, got, []byte(c.want)) {
				t.Errorf("%v %s, want %s", err, got, c.want)
			}
		})
	}
	for at, isNullable := range map[reflect.Type]bool{ // as a fuel surcharge of an imported week
		reflect.TypeFor[contracts.Verifiability](): false, reflect.TypeFor[contracts.SurchargeVerifiability](): true,
	} {
		page := openapi.Schema(at).Properties["raw_data_evidence_url"]
		text, _ := json.Marshal(page)
		if strings.Contains(string(text), `"null"`) != isNullable || !strings.Contains(string(text), `"uri"`) {
			t.Errorf("the page of a %s is %s", at.Name(), text)
		}
	}
	described, _ := json.Marshal(openapi.Schema(reflect.TypeFor[struct {
		contracts.Verifiability
	}]()))
	if !strings.Contains(string(described), "When the upstream source was read") {
		t.Errorf("the members of an embedded struct are not described: %s", described)
	}
}

func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		t.Fatalf("not JSON: %s, %s", a, b)
	}
	return reflect.DeepEqual(x, y)
}

// A generator makes a float32 of a number without a format, and 46.31999969482422 of 46.32.
func TestNumbersHave64Bits(t *testing.T) {
	t.Parallel()
	text, err := openapi.Document()
	if err != nil {
		t.Fatal(err)
	}
	var document any
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	numbers := 0
	var walk func(where string, v any)
	walk = func(where string, v any) {
		switch v := v.(type) {
		case []any:
			for _, inner := range v {
				walk(where, inner)
			}
		case map[string]any:
			kinds, isList := v["type"].([]any)
			if v["type"] == "number" || isList && slices.Contains(kinds, any("number")) {
				numbers++
				if v["format"] != "double" {
					t.Errorf("%s: %v", where, v)
				}
			}
			for name, inner := range v {
				walk(where+"/"+name, inner)
			}
		}
	}
	walk("", document)
	if numbers < 3 {
		t.Errorf("only %d numbers were found", numbers)
	}
}

// The figures of a contract are taken as the API takes them: texts of decimals and numbers, none below zero.
func TestFiguresOfContracts(t *testing.T) {
	t.Parallel()
	text, err := openapi.Document()
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Components struct{ Schemas map[string]*jsonschema.Schema }
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	all := document.Components.Schemas
	for _, member := range []string{"multiplier", "cap_pct", "min_amount", "decimals", "lag_weeks"} {
		of := all["Term"].Properties[member]
		if of == nil || of.Ref == "" && len(of.AnyOf) == 0 {
			t.Errorf("%s is no figure: %v", member, of)
		}
	}
	figure, err := all["Figure"].Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	for value, isGood := range map[any]bool{"0.9": true, "1": true, "40": true, "18.50": true, 0.9: true, 1.0: true, "-1": false, -1.0: false, "x": false, true: false} {
		if err := figure.Validate(value); (err == nil) != isGood {
			t.Errorf("%v: %v", value, err)
		}
	}
}
