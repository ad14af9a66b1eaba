package ltlworker_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/evidence"
	"assay.dev/platform/scrape"
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

// A truckload percent that only an earlier document shows is answered with that document beside that of today, and verified.
func TestTruckloadOfTheArchiveIsProven(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	plain := []contracts.Carrier{contracts.RLC, contracts.SAIA, contracts.SEFL, contracts.TFORCE, contracts.AVERITT, contracts.FEDEX, contracts.XPO}
	i := slices.IndexFunc(plain, func(c contracts.Carrier) bool { return s.sandbox.Surcharge(c)[0].TruckloadPercent == nil })
	if i < 0 {
		t.Fatal("each carrier prints a truckload percent")
	}
	c := plain[i]
	week := s.sandbox.Surcharge(c)[0]
	day, before := week.EffectiveDate.Time(), time.Now().UTC().Add(-time.Hour).Truncate(time.Second)
	k, err := evidence.Open(evidence.Deps{JetStream: s.js, Environment: contracts.Test, Product: contracts.LTL, Parser: "v1", Wait: clocktest.Patience})
	s.must(err)
	defer func() { s.must(k.Stop(context.Background())) }()
	kept, ok := k.Keep(t.Context(), evidence.Reading{Source: string(c), Path: "page"}, []scrape.Document{{Page: &scrape.Page{
		URL: "https://www.saia.com/before", Status: 200, ReadAt: before, Header: http.Header{"Content-Type": {"text/html"}},
		Body: fmt.Appendf(nil, `<table><tr><th>Effective Date<th>LTL Fuel Surcharge<th>Truckload Fuel Surcharge
<tr><td>%s<td>%v%%<td>85%%</table>`, day.Format("01/02/2006"), week.Percent),
	}}})
	if !ok {
		t.Fatal("not kept")
	}
	bucket, err := s.js.KeyValue(t.Context(), contracts.WeeksBucket.Name)
	s.must(err)
	sighting := fmt.Sprintf(`{"at":%q,"path":"other","method":"structured_parse","evidence_url":%q,"evidence_sha256":%q,"evidence_at":%q,"document_url":%q}`,
		before.Format(time.RFC3339), kept[0].URL, kept[0].SHA256, kept[0].At, kept[0].URL)
	_, err = bucket.PutString(t.Context(), "test.v2."+string(c)+"."+string(week.EffectiveDate)+".1", fmt.Sprintf(
		`{"effective_date":%q,"fuel_surcharge_pct":%v,"truckload_pct":85,"clean":3,"required":3,"first":%s,"last":%[3]s}`, week.EffectiveDate, week.Percent, sighting))
	s.must(err)
	s.worker()
	a, err := s.ask(c)
	s.must(err)
	body := a.Body(1)
	if w := body.Weeks[0]; w.TruckloadPercent == nil || *w.TruckloadPercent != 85 || *w.EvidenceSHA256 == kept[0].SHA256 {
		t.Errorf("%+v", w)
	}
	if said := s.reread(body); !said.Verified {
		t.Errorf("%+v", said)
	}
	body.Weeks[0].TruckloadPercent = new(86.0)
	if said := s.reread(body); said.Verified {
		t.Errorf("another truckload percent: %+v", said)
	}
}
