package ltlworker_test

import (
	"encoding/json"
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
