package api

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"
)

//go:embed examples.json
var examplesText []byte

// Examples are those of an operation, of invented data. A test makes the answers anew as answers are made, and
// compares.
type Examples struct {
	// Answers are bodies of the 200 by their names, which say what was asked.
	Answers map[string]json.RawMessage `json:"answers,omitempty"`
	// Requests are bodies of requests by their media types, and Replies what the same lines are answered with: texts where
	// that is not JSON.
	Requests map[string]json.RawMessage `json:"requests,omitempty"`
	Replies  map[string]json.RawMessage `json:"replies,omitempty"`
}

// ExamplesOf are the examples of an operation, such as "getFuelSurcharge".
func ExamplesOf(operation string) Examples { return recordedExamples()[operation] }

var recordedExamples = sync.OnceValue(func() (all map[string]Examples) {
	if err := json.Unmarshal(examplesText, &all); err != nil {
		panic(fmt.Sprintf("examples.json: %v", err)) // it is ours: a test sees it
	}
	return all
})
