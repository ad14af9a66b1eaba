package abcworker_test

import (
	"encoding/json"
	"maps"
	"testing"

	abcworker "assay.dev/abc-worker"
	"assay.dev/platform/bustest"

	"assay.dev/contracts"
	"assay.dev/sandbox"
)

func (s *system) listing(state contracts.State) (l contracts.StateListing) {
	s.Helper()
	kv, err := s.js.KeyValue(s.Context(), contracts.SourcesBucket.Name)
	s.must(err)
	entry, err := kv.Get(s.Context(), "test.abc."+string(state))
	s.must(err)
	s.must(json.Unmarshal(entry.Value(), &l))
	return l
}

func TestListingsAreCompleteAndLive(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker(func(c *abcworker.Config) { c.States = abcworker.States{contracts.CA} })
	for _, code := range contracts.States {
		l := s.listing(code)
		if l.State != code || l.Name == "" || l.Agency == "" || l.SourceURL == "" || l.Captcha == "" || l.AntiBot == "" ||
			len(l.SearchFields) != 3 ||
			!l.Lookup || l.ExtractionMethod == "" || len(l.FallbackMethods) == 0 || l.CacheTTLSeconds != 86400 ||
			l.TypicalLatencyMS == 0 ||
			len(l.Limitations) == 0 || code != contracts.NY && len(l.LicenseTypes) == 0 {
			t.Errorf("%s: %+v", code, l)
		}
	}
	if l := s.listing(contracts.CA); l.LastSuccess != nil || l.Breaker != "closed" {
		t.Errorf("before the first read: %+v", l.SourceHealth)
	}
	if _, err := s.lookup(contracts.CA, "1"); err != nil {
		t.Error(err)
	}
	s.await(func() bool { return s.listing(contracts.CA).LastSuccess != nil })
	if _, err := s.lookup(contracts.IL, "1A-1100000"); contracts.CodeOf(err) != contracts.NoWorker {
		t.Errorf("a state that is not served: %v", err)
	}
}

func TestManyWorkersReadOnce(t *testing.T) {
	t.Parallel()
	s := start(t)
	for range 3 {
		s.worker()
	}
	s.must(s.sandbox.Fault(californiaHost, "/licensing", sandbox.Broken))
	queries := []contracts.Query{{OwnerName: "llc"}, {OwnerName: "inc"}, {Address: "fresno"}, {Address: "eureka"},
		{OwnerName: "ltd"}, {DBAName: "grill"}}
	for range 3 {
		for _, q := range queries {
			if _, err := s.search(contracts.CA, q); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n := s.sandbox.Requests(californiaHost)["/wp-content/uploads/DailyExport-CSV.zip"]; n != 1 {
		t.Errorf("the export was asked for %d times", n)
	}
}

func TestRequestsAreChecked(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker()
	if _, err := s.lookup(contracts.CA, "no number"); contracts.CodeOf(err) != contracts.InvalidRequest {
		t.Error(err)
	}
	if _, err := s.search(contracts.CA, contracts.Query{}); contracts.CodeOf(err) != contracts.InvalidRequest {
		t.Error(err)
	}
}

// The worker answers on the three subjects of each state and on that of verifications, and on no other.
func TestServesTheSubjectsOfTheContract(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker()
	want := map[string]string{"verify": contracts.VerifySubject(contracts.Test, contracts.ABC).Name}
	for _, code := range contracts.States {
		want["license-"+string(code)] = contracts.LicenseSubject(contracts.Test, code).Name
		want["search-"+string(code)] = contracts.SearchSubject(contracts.Test, code).Name
		want["match-"+string(code)] = contracts.MatchSubject(contracts.Test, code).Name
		want["members-"+string(code)] = contracts.MembersSubject(contracts.Test, code).Name
	}
	if got := bustest.Subjects(t, s.conn, contracts.ABC.Worker()); !maps.Equal(got, want) {
		t.Errorf("serves %v\nwant %v", got, want)
	}
}
