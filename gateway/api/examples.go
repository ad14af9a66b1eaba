package api

import (
	"time"

	"assay.dev/contracts"
)

// Example is the body that the OpenAPI document shows for a 200 of an operation under a name, such as "one carrier" of
// "getFuelSurcharge"; nil for one that it does not have.
func Example(operation, name string) any {
	for _, e := range Endpoints {
		if e.ID == operation && e.Examples != nil {
			return e.Examples()[name]
		}
	}
	return nil
}

// oneExample is an example by itself.
func oneExample(name string, body any) func() map[string]any {
	return func() map[string]any { return map[string]any{name: body} }
}

const exampleHash = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

func exampleProvenance(m contracts.Method, evidence string) contracts.Provenance {
	return contracts.Provenance{
		Schema: contracts.AnswerSchema, ReadAt: time.Date(2026, 9, 18, 14, 2, 11, 0, time.UTC), Method: m, EvidenceURL: evidence, Complete: true,
		Evidence: []contracts.Evidence{{SHA256: exampleHash, URL: evidence, Role: contracts.RoleValues, At: "1041"}},
	}
}
