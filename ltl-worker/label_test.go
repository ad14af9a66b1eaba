package ltlworker_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
)

// reread has a worker verify an answer by the documents that it keeps.
func (s *system) reread(body any) contracts.Verification {
	s.Helper()
	text, err := json.Marshal(body)
	s.must(err)
	said, err := bus.Call[contracts.Verification](s.soon(), s.client, contracts.VerifySubject(contracts.Test, contracts.LTL),
		contracts.VerifyRequest{Answer: text})
	s.must(err)
	return said
}

// The page of one carrier does not prove the percents of another, though both print alike.
func TestADocumentIsOfItsCarrier(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.worker()
	for _, c := range []contracts.Carrier{contracts.SEFL, contracts.RLC, contracts.FEDEX, contracts.AVERITT} {
		a, err := s.ask(c)
		s.must(err)
		body := a.Body(4)
		if said := s.reread(body); !said.Verified {
			t.Errorf("%s: %+v", c, said)
		}
		body.Carrier = contracts.SAIA
		if said := s.reread(body); said.Verified {
			t.Errorf("the percents of %s are told as those of SAIA: %+v", c, said)
		}
	}
}

// What the verifier reads of an answer is what every other program reads of it.
func TestEachMemberHasOneValue(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.worker()
	a, err := s.ask(contracts.SAIA)
	s.must(err)
	text, err := json.Marshal(a.Body(1))
	s.must(err)
	if said := s.reread(json.RawMessage(text)); !said.Verified {
		t.Fatalf("%+v", said)
	}
	said := s.reread(json.RawMessage(strings.Replace(string(text), "{", `{"invented_data":true,`, 1)))
	if !said.Verified || !strings.Contains(fmt.Sprint(said), "INVENTED DATA") {
		t.Errorf("of the test environment: %+v", said)
	}
	for _, name := range []string{"Fuel_Surcharge_Pct", "fuel_\u017furcharge_pct", "fuel_surcharge_pct"} {
		said := s.reread(json.RawMessage(strings.Replace(string(text), `"fuel_surcharge_pct":`, `"fuel_surcharge_pct":93.8,"`+name+`":`, 1)))
		if said.Verified || !strings.Contains(fmt.Sprint(said), "is there twice") {
			t.Errorf("%s: %+v", name, said)
		}
	}
	if said := s.reread(json.RawMessage(strings.Replace(string(text), `"raw_data_evidence_url":"https://www.saia.com/`, `"raw_data_evidence_url":"https://saia.example/`, 1))); said.Verified {
		t.Errorf("the address of another site: %+v", said)
	}
	if said := s.reread(json.RawMessage(strings.Replace(string(text), `"fuel_surcharge_pct":`, `"fuel_surcharge_PCT":`, 1))); said.Verified {
		t.Errorf("in another case: %+v", said)
	}
}
