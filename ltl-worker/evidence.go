package ltlworker

import (
	"fmt"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/carrier"
)

// evidenceNotes say what a person has to do to see the values, where the evidence URL alone does not lead to them.
func evidenceNotes(r carrier.Recipe, way carrier.Way, evidence string) []contracts.Note {
	switch {
	case way == carrier.API && evidence == r.Pages[0]:
		return []contracts.Note{{Code: contracts.NoteEvidenceByForm, Message: fmt.Sprintf(
			"The values stand in the JSON behind this page. It opens by %s %s with the body %s.",
			r.API[len(r.API)-1].Method, r.API[len(r.API)-1].URL, r.API[len(r.API)-1].Body)}}
	case way != carrier.API && r.Visit != "":
		return []contracts.Note{{Code: contracts.NoteEvidenceByForm, Message: fmt.Sprintf(
			"The page opens only with the cookie of the home page: open %s first, then this page in the same browser.", r.Visit)}}
	}
	return nil
}
