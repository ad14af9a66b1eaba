package site

import (
	"fmt"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
)

// verdictView is a verdict on a license or a delivery, or how a webhook stands, as people read it: a sign and a word,
// so that nobody needs its colour.
type verdictView struct {
	Word, Sign, Look string
	Reasons          []string
}

// verdictSigns are the signs of the verdicts and how they look, by the classes of the styles.
var verdictSigns = map[string][2]string{
	string(contracts.Pass): {"✓", "good"}, string(contracts.Conditional): {"!", "partly"},
	string(contracts.Fail):       {"✗", "bad"},
	string(contracts.Unverified): {"?", "unknown"},
	string(contracts.Deliver):    {"✓", "good"}, string(contracts.CashOnly): {"!", "partly"},
	string(contracts.Stop): {"✗", "bad"},
	"active":               {"✓", "good"}, "failing": {"!", "partly"}, "paused": {"–", "unknown"},
	"disabled": {"✗", "bad"},
}

func newVerdictView(word string, reasons ...string) *verdictView {
	sign := verdictSigns[word]
	return &verdictView{Word: word, Sign: sign[0], Look: sign[1], Reasons: reasons}
}

func judgedView(j contracts.Judgement) *verdictView {
	v := newVerdictView(string(j.Verdict))
	for _, r := range j.Reasons {
		v.Reasons = append(v.Reasons, r.Message)
	}
	return v
}

// failedLookup is the verdict on a license that was asked for and not answered: FAIL where it is proven not to exist,
// UNVERIFIED where the source did not say. nil: nothing was asked of a source.
func failedLookup(a apiAnswer) *verdictView {
	e := api.ErrorIn(a.body)
	switch {
	case e == nil:
	case e.Reason.ProvesAbsence() && e.Proof != nil:
		read := fmt.Sprintf("Read %s UTC from %s.", e.Proof.SourceTimestamp.UTC().Format("2006-01-02 15:04"),
			e.Proof.RawDataEvidenceURL)
		return newVerdictView(string(contracts.Fail), e.Reason.Advice(), read)
	case a.status >= 500:
		return newVerdictView(string(contracts.Unverified), "The source did not say. This is neither a clear "+
			"license nor a failed one.")
	}
	return nil
}

// addVerdicts puts the verdicts on the results of a search before the rows that show them.
func (t *table) addVerdicts(results []contracts.SearchResult) {
	t.Columns = append([]column{{Name: "Verdict"}}, t.Columns...)
	for i, r := range results {
		t.Rows[i] = append([]cell{{Verdict: judgedView(r.Judgement)}}, t.Rows[i]...)
	}
}
