package openapi

import (
	"encoding/json"
	"maps"
	"reflect"
	"strings"
	"testing"

	"assay.dev/gateway/api"
)

// Each 200 and each failure has an example that is as its schema says.
func TestExamplesAreAsTheirSchemasSay(t *testing.T) {
	for _, e := range api.Endpoints {
		examples := api.ExamplesOf(e.ID).Answers
		if (e.MediaType != "") != (e.Document != "") {
			t.Errorf("%s answers with %q and has the example %q", e.Path, e.MediaType, e.Document)
		}
		if len(e.Bodies) > 0 != (len(examples) > 0) {
			t.Errorf("%s has %d bodies and %d examples", e.Path, len(e.Bodies), len(examples))
		}
		for name, body := range examples {
			t.Run(e.ID+" "+name, func(t *testing.T) {
				if fit := fits(t, body, e.Bodies); fit != 1 {
					t.Errorf("%s is as %d of %d schemas say", name, fit, len(e.Bodies))
				}
			})
		}
		for _, f := range e.AllFailures() {
			if f.Example == nil {
				t.Errorf("%s has no example", f.Name)
			} else if body := api.ErrorBody(f.Example, api.PublicError(f.Example)); fits(t, body, f.Body[:1]) != 1 {
				t.Errorf("%s: %+v is not as its schema says", f.Name, body)
			}
		}
	}
}

// fits counts the types whose schema body is valid against.
func fits(t *testing.T, body any, types []reflect.Type) (n int) {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatal(err)
	}
	for _, one := range types {
		resolved, err := Schema(one).Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := resolved.Validate(value); err != nil {
			t.Logf("%s: %v", one, err)
		} else {
			n++
		}
	}
	return n
}

// What a text quotes from the interface is marked, and nothing else.
func TestIdentifiersAreMarked(t *testing.T) {
	for text, want := range map[string]string{
		"the confidence is 0.90":                "the confidence is 0.90",
		"use extraction_confidence, at least":   "use `extraction_confidence`, at least",
		"Every answer has a _verifiability.":    "Every answer has a `_verifiability`.",
		"begins with test_ is":                  "begins with `test_` is",
		"current is true, complete false: why":  "`current` is `true`, `complete` `false`: why",
		"the complete list; null where unknown": "the complete list; `null` where unknown",
		"MATCH, WRONG_WEEK and so on":           "`MATCH`, `WRONG_WEEK` and so on",
		"GET /v1/evidence/{sha256}?at=… gives":  "`GET /v1/evidence/{sha256}?at=…` gives",
		"with `as_of` already":                  "with `as_of` already",
		"the same Idempotency-Key within 24 h":  "the same `Idempotency-Key` within 24 h",
	} {
		if got := markText(text); got != want {
			t.Errorf("%s\n%s, want\n%s", text, got, want)
		}
	}
}

// Each bound is that of a member of some body.
func TestBoundsAreOfMembers(t *testing.T) {
	unknown := maps.Clone(bounds)
	var walk func(reflect.Type)
	walk = func(body reflect.Type) {
		switch body.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map:
			walk(body.Elem())
		case reflect.Struct:
			for _, f := range reflect.VisibleFields(body) {
				name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				delete(unknown, body.Name()+"."+name)
				walk(f.Type)
			}
		}
	}
	for _, e := range api.Endpoints {
		bodies := e.Bodies
		for _, f := range e.AllFailures() {
			bodies = append(bodies, f.Body...)
		}
		if e.Tool != nil && e.Tool.Body != nil {
			bodies = append(bodies, e.Tool.Body)
		}
		if e.Upload != nil && e.Upload.Body != nil {
			bodies = append(bodies, e.Upload.Body)
		}
		for _, body := range bodies {
			walk(body)
		}
	}
	for key := range unknown {
		t.Errorf("no body has the member %s", key)
	}
}
