package openapi_test

import (
	"encoding/json"
	"strings"
	"testing"

	"assay.dev/contracts"
	"assay.dev/gateway/openapi"
	"assay.dev/gateway/openapi/openapitest"
)

func TestDocumentIsWhole(t *testing.T) {
	document, err := openapi.Document()
	if err != nil {
		t.Fatal(err)
	}
	openapitest.New(t, document).Schemas(t)
	var parsed struct {
		OpenAPI string
		Paths   map[string]any
	}
	if err := json.Unmarshal(document, &parsed); err != nil {
		t.Fatal(err)
	}
	if parsed.OpenAPI != "3.1.0" || len(parsed.Paths) != 8 {
		t.Errorf("version %s with %d paths", parsed.OpenAPI, len(parsed.Paths))
	}
	for _, c := range contracts.Carriers {
		if !strings.Contains(string(document), `"`+string(c)+`"`) {
			t.Errorf("carrier %s is missing", c)
		}
	}
}
