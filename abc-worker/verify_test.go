package abcworker_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	abcworker "assay.dev/abc-worker"
	"assay.dev/contracts"
	"assay.dev/platform/evidence"
	"assay.dev/platform/verify"
	"assay.dev/sandbox"
	"assay.dev/sandbox/license"
)

// verify wants the documents that an answer names to show it.
func (s *system) verify(t *testing.T, body any, v contracts.Verifiability) {
	t.Helper()
	if err := verified(t, body, s.documents(t, v)); err != nil {
		t.Errorf("%s: %v\n%s", show(v.Evidence), err, show(body))
	}
}

// verifyPage wants a page of an answer to be verified.
func (s *system) verifyPage(t *testing.T, a contracts.SearchAnswer, limit int, after contracts.Position) {
	t.Helper()
	body := pageOf(a, limit, after)
	s.verify(t, body, body.Verifiability)
}

// pageOf is a page as the gateway gives it.
func pageOf(a contracts.SearchAnswer, limit int, after contracts.Position) contracts.Search {
	body, next := a.Body(limit, after, time.Now())
	if next != nil {
		body.NextCursor = new("next")
	}
	return body
}

func verified(t *testing.T, body any, documents verify.Documents) error {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	_, err = abcworker.Verify(t.Context(), text, documents)
	return err
}

func (s *system) documents(t *testing.T, v contracts.Verifiability) verify.Documents {
	t.Helper()
	documents, store := verify.Documents{}, evidence.NewStore(s.js)
	for _, e := range v.Evidence {
		d, err := store.Get(t.Context(), contracts.Test, e.SHA256, e.At, func(contracts.Product) error { return nil })
		s.must(err)
		documents.Add(d.Body)
	}
	return documents
}

// searched is a way to have searches of a state answered.
type searched struct {
	state contracts.State
	path  string
	// fail are the hosts and paths that do not answer, from the start on.
	fail [][2]string
	// methods are those by which some of the searches are answered.
	methods []contracts.Method
}

var searchedPaths = []searched{
	{contracts.CA, "page", nil, []contracts.Method{contracts.StructuredParse, contracts.APIMirror}},
	{contracts.TX, "inquiry", nil, []contracts.Method{contracts.StructuredParse}},
	{contracts.TX, "copy", [][2]string{{texasHost, ""}}, []contracts.Method{contracts.APIMirror}},
	{contracts.TX, "service", [][2]string{{texasHost, ""}, {texasDataHost, texasCopy}}, []contracts.Method{contracts.APIMirror}},
	{contracts.TX, "inquiry without a copy", [][2]string{{texasDataHost, texasCopy}}, []contracts.Method{contracts.StructuredParse}},
	{contracts.NY, "copy", nil, []contracts.Method{contracts.APIMirror}},
	{contracts.NY, "map", [][2]string{{newYorkHost, ""}}, []contracts.Method{contracts.APIMirror}},
	{contracts.FL, "portal", nil, []contracts.Method{contracts.StructuredParse, contracts.APIMirror}},
	{contracts.IL, "export", nil, []contracts.Method{contracts.APIMirror}},
}

const texasCopy = "/resource/7hf9-qc9f.csv"

// Names of two words and addresses are asked for by one of their words, which a second source may choose. Whichever it
// was, and whatever was not there, the answer stands in the documents that it names.
func TestSearchesStandInTheirEvidence(t *testing.T) {
	t.Parallel()
	for _, by := range searchedPaths {
		t.Run(string(by.state)+"/"+by.path, func(t *testing.T) {
			t.Parallel()
			s := startWith(t, license.Sizes{by.state: 120})
			for _, fault := range by.fail {
				s.must(s.sandbox.Fault(fault[0], fault[1], sandbox.Broken))
			}
			s.worker()
			if by.state == contracts.TX {
				s.solves(nil)
			}
			methods := map[contracts.Method]int{}
			for _, q := range s.twoWords(by.state, 4) {
				a, err := s.search(by.state, q)
				if err != nil {
					t.Fatalf("%+v: %v", q, err)
				}
				s.verifyPage(t, a, contracts.MaxKept, contracts.Position{})
				methods[a.Method]++
			}
			t.Log(methods)
			for _, m := range by.methods {
				if methods[m] == 0 {
					t.Errorf("nothing was answered by %s", m)
				}
			}
		})
	}
}

// twoWords are questions by the names and streets of n licenses, and one by a word that has another spelling beside a
// number that has none.
func (s *system) twoWords(state contracts.State, n int) (all []contracts.Query) {
	all = append(all, contracts.Query{Address: "rd 12"})
	for _, l := range s.register().Of(state) {
		words := strings.Fields(l.DBA)
		if l.Primary == nil || l.Mirror == nil || len(words) < 2 || len(all) > 2*n {
			continue
		}
		all = append(all, contracts.Query{DBAName: strings.Join(words[:2], " ")}, contracts.Query{Address: l.Premises.Street})
	}
	return all
}

// The extracts came too late to keep the portal from being asked. They are documents of the answer all the same.
func TestFormThatWasAskedIsReadAgain(t *testing.T) {
	t.Parallel()
	var answers [2]contracts.Search
	documents := verify.Documents{}
	for i, fault := range []sandbox.Kind{"", sandbox.Broken} {
		s := startWith(t, license.Sizes{contracts.FL: 2500}) // some of them match by accents
		if fault != "" {
			s.must(s.sandbox.Fault(floridaExtractHost, "", fault))
		}
		s.worker()
		_, _ = s.search(contracts.FL, contracts.Query{Address: "a"}) // waits for the extracts, where they are to be had
		a, err := s.search(contracts.FL, contracts.Query{DBAName: "cafe"})
		s.must(err)
		answers[i] = pageOf(a, contracts.MaxKept, contracts.Position{})
		maps.Copy(documents, s.documents(t, answers[i].Verifiability))
	}
	files, form := answers[0].Verifiability, &answers[1].Verifiability
	if files.ExtractionMethod != contracts.APIMirror || form.ExtractionMethod != contracts.StructuredParse {
		t.Fatalf("answered by %s and by %s", files.ExtractionMethod, form.ExtractionMethod)
	}
	form.Evidence = append(form.Evidence, files.Evidence...)
	if err := verified(t, answers[1], documents); err != nil {
		t.Error(err)
	}
}

// A page of a search that was changed is refused: as many matches as it says stand in its documents, one after the other.
func TestChangedSearchIsRefused(t *testing.T) {
	t.Parallel()
	s := startWith(t, license.Sizes{contracts.NY: 400, contracts.TX: 400})
	s.must(s.sandbox.Fault(texasHost, "", sandbox.Broken))
	s.worker()
	for _, state := range []contracts.State{contracts.NY, contracts.TX} {
		a, err := s.search(state, contracts.Query{DBAName: "cafe"})
		s.must(err)
		if len(a.Results) < 10 || a.Complete != (state == contracts.NY) {
			t.Fatalf("%s: %d matches, complete %t", state, len(a.Results), a.Complete)
		}
		page := pageOf(a, 8, a.Results[0].Position())
		documents := s.documents(t, page.Verifiability)
		s.must(verified(t, page, documents))
		for name, change := range map[string]func(*contracts.Search){
			"a match is missing":        func(p *contracts.Search) { p.Results = slices.Delete(p.Results, 3, 4) },
			"a match stands twice":      func(p *contracts.Search) { p.Results[3] = p.Results[2] },
			"in another order":          func(p *contracts.Search) { slices.Reverse(p.Results) },
			"no match is there":         func(p *contracts.Search) { p.Results = nil },
			"the last is not the last":  func(p *contracts.Search) { p.NextCursor = nil },
			"fewer than there are":      func(p *contracts.Search) { p.TotalResults-- },
			"surer than it was read":    func(p *contracts.Search) { p.Verifiability.ExtractionConfidence += 0.2 },
			"a better verdict":          func(p *contracts.Search) { p.Results[1].Verdict = contracts.LicenseVerdict("GOOD") },
			"complete, which it is not": func(p *contracts.Search) { p.Verifiability.Complete = true },
		} {
			changed := page
			changed.Results = slices.Clone(page.Results)
			change(&changed)
			if !reflect.DeepEqual(changed, page) && verified(t, changed, documents) == nil {
				t.Errorf("%s: %s, and nobody notices", state, name)
			}
		}
	}
}

// A copy that is not renewed answers on, with the time at which it was read. Its licenses expire meanwhile. What was read of a site is
// not answered for as long.
func TestAnswersOfACopyThatIsNotRenewed(t *testing.T) {
	t.Parallel()
	for name, of := range map[string]struct {
		state  contracts.State
		fail   string
		isCopy bool
	}{
		"IL's export":   {contracts.IL, "", true}, // nobody renders
		"FL's extracts": {contracts.FL, floridaHost, true},
		"CA's page":     {contracts.CA, "", false},
		"NY's sets":     {contracts.NY, "", false}, // of which a copy is no older than a day
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := startWith(t, license.Sizes{of.state: 400})
			if of.fail != "" {
				s.must(s.sandbox.Fault(of.fail, "", sandbox.Broken))
			}
			today, numbers, edits := of.state.Today(time.Now()), s.plain(of.state, 2), map[string]license.Edit{}
			expiries := map[string]int{numbers[0]: 3, numbers[1]: 8}
			for number, days := range expiries {
				edits[number] = license.Edit{Expires: today.AddDays(days)}
			}
			s.must(s.register().Edit(of.state, time.Now(), edits))
			s.worker(func(c *abcworker.Config) { c.Jobs = false })
			for number, days := range expiries {
				a, err := s.lookup(of.state, number)
				s.must(err)
				l, err := a.Body(time.Now())
				s.must(err)
				documents := s.documents(t, l.Verifiability)
				s.must(verified(t, l, documents))
				if slices.Contains(l.Verifiability.Inferred, "status") {
					l.Record.Status = contracts.Expired
				}
				l.Judgement = l.JudgedOn(today.AddDays(days + 1))
				if err := verified(t, l, documents); (err == nil) != (of.isCopy && days < 5) {
					t.Errorf("expired after %d days: %v\n%s", days, err, show(l))
				}
			}
		})
	}
}
