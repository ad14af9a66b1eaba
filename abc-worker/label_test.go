package abcworker_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	abcworker "assay.dev/abc-worker"
	"assay.dev/abc-worker/register"
	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/sandbox"
	"assay.dev/sandbox/license"
	"assay.dev/sandbox/texas"
)

// reread has a worker verify an answer by the documents that it keeps.
func (s *system) reread(body any) contracts.Verification {
	s.Helper()
	text, err := json.Marshal(body)
	s.must(err)
	said, err := bus.Call[contracts.Verification](s.Context(), s.client, contracts.VerifySubject(contracts.Test, contracts.ABC),
		contracts.VerifyRequest{Answer: text})
	s.must(err)
	return said
}

// A worker believes what it noted when it kept a document, and not what the answer says of it: an absence is not another number's, a verdict not that
// of another day. Without the notes the program says that no document names the number.
func TestAnAnswerAgreesWithTheLabelsOfItsDocuments(t *testing.T) {
	t.Parallel()
	s := startWith(t, license.Sizes{contracts.NY: 200})
	s.worker()
	const absent = "0999-29-999999"
	living := s.plain(contracts.NY, 1)[0]
	a, err := s.lookup(contracts.NY, absent)
	s.must(err)
	body := map[string]any{"state": contracts.NY, "license_number": absent, "record": nil, "_verifiability": a.Verifiability(a.Tally, contracts.LicenseTTL)}
	if said := s.reread(body); !said.Verified || !strings.Contains(fmt.Sprint(said), "no document names the number") {
		t.Errorf("an absence: %+v", said)
	}
	for verdict, want := range map[contracts.LicenseVerdict]bool{contracts.Fail: true, contracts.Pass: false} {
		body["verdict"], body["reasons"] = verdict, []any{}
		if said := s.reread(body); said.Verified != want {
			t.Errorf("no license, and %s: %+v", verdict, said)
		}
	}
	other := strings.ReplaceAll(show(body), absent, living)
	if said := s.reread(json.RawMessage(other)); said.Verified {
		t.Errorf("%s does not exist, by the answer to %s: %+v", living, absent, said)
	}

	a, err = s.lookup(contracts.NY, living)
	s.must(err)
	license, err := a.Body(time.Now())
	s.must(err)
	if said := s.reread(license); !said.Verified {
		t.Errorf("%s: %+v", living, said)
	}
	for _, off := range []time.Duration{-30 * 24 * time.Hour, 30 * 24 * time.Hour} {
		moved := license
		moved.Verifiability.SourceTimestamp = moved.Verifiability.SourceTimestamp.Add(off)
		moved.Verdict = moved.JudgedOn(contracts.NY.Today(moved.Verifiability.SourceTimestamp)).Verdict
		if said := s.reread(moved); said.Verified || !strings.Contains(fmt.Sprint(said), "was read 20") {
			t.Errorf("read %s later: %+v", off, said)
		}
	}
}

// The answer of a proof, which has no verdict, names each list of the state.
func TestADeliveryWithoutItsListsIsRefused(t *testing.T) {
	t.Parallel()
	s := start(t)
	number := s.plain(contracts.TX, 1)[0]
	s.place(number, &texas.Hold{Since: "2026-11-02"})
	s.must(s.sandbox.Fault(texasHost, "", sandbox.Broken)) // the copy answers
	s.worker()
	for state, number := range map[contracts.State]string{contracts.TX: number, contracts.CA: s.plain(contracts.CA, 1)[0]} {
		a, err := s.lookup(state, number)
		s.must(err)
		l, err := a.Body(time.Now())
		s.must(err)
		said := s.reread(contracts.CheckedDelivery{State: state, LicenseNumber: l.LicenseNumber, On: state.Today(time.Now()),
			Delivery: contracts.Delivery{Holds: []contracts.Hold{}, HoldsChecked: []contracts.HoldsChecked{}}, Record: l.Record, Verifiability: l.Verifiability})
		if said.Verified != (state == contracts.CA) { // which publishes none
			t.Errorf("%s: %+v", state, said)
		}
	}
}

// A license is proven by the rows that were asked for by its number: those of a search leave out what the other set says of it.
func TestASearchDoesNotProveALicense(t *testing.T) {
	t.Parallel()
	s := startWith(t, license.Sizes{contracts.NY: 200})
	s.worker()
	number := s.plain(contracts.NY, 1)[0]
	a, err := s.lookup(contracts.NY, number)
	s.must(err)
	l, err := a.Body(time.Now())
	s.must(err)
	found, err := bus.Call[contracts.SearchAnswer](t.Context(), s.client, contracts.SearchSubject(contracts.Test, contracts.NY),
		contracts.SearchRequest{State: contracts.NY, Query: contracts.Query{DBAName: l.Record.DBAName}, Schema: contracts.AnswerSchema, Fresh: true})
	s.must(err)
	i := slices.IndexFunc(found.Evidence, func(e contracts.Evidence) bool { return strings.Contains(e.URL, "/9s3h-dpkz.json") })
	if i < 0 {
		t.Fatalf("the data sets are not asked: %+v", found.Evidence)
	}
	s.verifyPage(t, found, contracts.MaxKept, contracts.Position{})
	l.Verifiability.Evidence, l.Verifiability.EvidenceSHA256 = found.Evidence[i:i+1], &found.Evidence[i].SHA256
	if said := s.reread(l); said.Verified {
		t.Errorf("%+v", said)
	}
}

// A copy of yesterday evening is answered from this morning: what follows from today's date is verified by it.
func TestACopyOfYesterdayIsJudgedToday(t *testing.T) {
	t.Parallel()
	s := startWith(t, license.Sizes{contracts.IL: 120, contracts.NY: 120})
	s.worker()
	for _, state := range []contracts.State{contracts.IL, contracts.NY} { // which infers the status from the date, and which does not
		q := contracts.Query{DBAName: "cafe"}
		a, err := s.search(state, q)
		s.must(err)
		i := slices.IndexFunc(a.Results, func(r contracts.LicenseRecord) bool { return r.Status == contracts.Active && r.ExpirationDate != "" })
		if i < 0 {
			t.Fatalf("%s: none is active: %s", state, show(a.Results))
		}
		evening := a.Results[i].ExpirationDate.Time().Add(20 * time.Hour)
		morning := evening.Add(16 * time.Hour)
		page := pageOf(a, 1, contracts.Position{})
		documents := s.documents(t, page.Verifiability)
		page.Verifiability.SourceTimestamp = evening
		pages, err := documents.Pages(string(state), page.Verifiability)
		s.must(err)
		read, err := abcworker.Reread(t.Context(), state, register.Question{Query: q}, a.Method, pages, morning)
		s.must(err)
		a.ReadAt, a.Tally, a.Results, a.Tallies, a.Inferred = evening, read[0].Tally, read[0].Value.Records, read[0].Value.Tallies, read[0].Value.Inferred
		body, _ := a.Body(contracts.MaxKept, contracts.Position{}, morning)
		if r := body.Results[i]; r.Verdict == contracts.Pass || state == contracts.IL && r.Status != contracts.Expired {
			t.Errorf("%s: %s on the day after %s: %s", state, r.Verdict, r.ExpirationDate, r.Status)
		}
		if err := verified(t, body, documents); err != nil {
			t.Errorf("%s: %v", state, err)
		}
		body.Results[i].Verdict = contracts.Pass
		body.Verifiability.SourceTimestamp = morning
		if state == contracts.NY && verified(t, body, documents) == nil {
			t.Error("an expired license is PASS")
		}
	}
}
