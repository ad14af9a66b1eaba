package abcworker

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/register/registertest"
	"assay.dev/contracts"
)

func TestCaseDocuments(t *testing.T) {
	t.Parallel()
	for _, d := range caseDocuments(t) {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			if complaint := d.complaint(t); complaint != "" {
				t.Errorf("%s\n%s", d.Why, complaint)
			}
		})
	}
}

// complaint is what is wrong with what is read; "" of nothing. An answer at 0.90 or more is wrong when it says something
// else than is wanted in a member that it does not name as inferred or not reported; below 0.90 the same is misleading. Of a
// trap nothing need be read.
func (d caseDocument) complaint(t *testing.T) string {
	t.Helper()
	a, err := d.read(t)
	if err != nil {
		if d.Kind == "trap" || d.Want == nil && !d.Absent {
			return ""
		}
		return "refused: " + err.Error()
	}
	detail, confidence := d.differs(a.Value), a.Confidence()
	switch {
	case detail == "", d.Kind == "trap" && confidence < contracts.MinConfidence:
		return ""
	case confidence >= contracts.MinConfidence:
		return fmt.Sprintf("WRONG at %v: %s", confidence, detail)
	}
	return fmt.Sprintf("misled at %v: %s", confidence, detail)
}

func (d caseDocument) differs(a register.Answer) string {
	if len(d.Want) == 0 && len(a.Records) == 0 {
		if d.Absent {
			return ""
		}
		return "says that there is none"
	}
	got := map[string]contracts.LicenseRecord{}
	for _, r := range a.Records {
		got[r.LicenseNumber] = r
	}
	for _, text := range d.Want {
		var number struct {
			Number string `json:"license_number"`
		}
		var members, have map[string]any
		if err := errors.Join(json.Unmarshal(text, &number), json.Unmarshal(text, &members)); err != nil {
			return err.Error()
		}
		r, ok := got[number.Number]
		if !ok {
			return fmt.Sprintf("%s is denied or left out", number.Number)
		}
		delete(got, number.Number)
		if err := json.Unmarshal([]byte(registertest.Show(r)), &have); err != nil {
			return err.Error()
		}
		for _, member := range slices.Sorted(maps.Keys(members)) {
			known := !slices.Contains(r.Inferred, member) && !slices.Contains(r.NotReported, member)
			if known && !holds(have[member], members[member]) {
				return fmt.Sprintf("%s: %s is %s, want %s",
					number.Number, member, registertest.Show(have[member]), registertest.Show(members[member]))
			}
		}
	}
	if len(got) > 0 {
		return fmt.Sprintf("not wanted: %v", slices.Sorted(maps.Keys(got)))
	}
	return ""
}

// holds tells whether a value is the wanted one. Of an object only the wanted members are compared.
func holds(have, want any) bool {
	switch want := want.(type) {
	case map[string]any:
		object, ok := have.(map[string]any)
		for name, member := range want {
			ok = ok && holds(object[name], member)
		}
		return ok
	case []any:
		list, ok := have.([]any)
		return ok && slices.EqualFunc(list, want, holds)
	}
	return have == want
}
