package weeks

import (
	"context"
	"fmt"
	"net/http"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/archive"
	"assay.dev/ltl-worker/carrier"
	"assay.dev/ltl-worker/reader"
	"assay.dev/ltl-worker/wording"
	"assay.dev/platform/evidence"
	"assay.dev/platform/scrape"
)

// keep has the documents of a reading kept, and gives each week of it the hash of the document that shows it.
func (s *Source) keep(ctx context.Context, result scrape.Result[reader.Found]) (kept []contracts.Evidence, all bool) {
	read := &result.Value
	kept, all = s.Keeper.Keep(ctx, s.evidenceOf(result), result.Documents)
	hash := contracts.Provenance{Evidence: kept}.EvidenceSHA256()
	for w := range read.All() {
		w.EvidenceSHA256 = hash
	}
	return kept, all
}

// keepEditions has the accepted editions kept that vouch for the words of a clean reading, and gives their references.
func (s *Source) keepEditions(ctx context.Context, result scrape.Result[reader.Found]) (kept []contracts.Evidence) {
	if result.InDoubt {
		return nil
	}
	for _, e := range wording.EditionsKnowing(s.Words.Of(s.recipe.Code), result.Value.Trusted(result.Path)) {
		body, err := wording.Document{Carrier: s.recipe.Code, Accepted: e}.Bytes()
		if err != nil {
			s.Log.WarnContext(ctx, "an accepted edition cannot be kept", "carrier", s.recipe.Code, "error", err)
			continue
		}
		page := &scrape.Page{URL: result.EvidenceURL, Body: body, ReadAt: e.At,
			Header: http.Header{"Content-Type": {"application/json"}}}
		one, _ := s.Keeper.Keep(ctx, evidence.Reading{Source: string(s.recipe.Code), Path: result.Path},
			[]scrape.Document{{Page: page}})
		for i := range one {
			one[i].Role = contracts.RoleContext // the values stand in the page
		}
		kept = append(kept, one...)
	}
	return kept
}

// seenIn is where the archive notes that the weeks of a reading were seen.
func seenIn(result scrape.Result[reader.Found], kept []contracts.Evidence) archive.Source {
	seen := archive.Source{Path: result.Path, Method: result.Method, EvidenceURL: result.EvidenceURL}
	if hash := (contracts.Provenance{Evidence: kept}).EvidenceSHA256(); hash != nil {
		seen.EvidenceAt, seen.DocumentURL = kept[0].At, kept[0].URL
	}
	return seen
}

// evidenceNotes say what a person has to do to see the values, where the evidence URL alone does not lead to them.
func evidenceNotes(r carrier.Recipe, way carrier.Way, evidence string) []contracts.Note {
	switch {
	case way == carrier.API && evidence == r.Pages[0]:
		return []contracts.Note{{Code: contracts.NoteEvidenceByForm, Message: fmt.Sprintf(
			"The values stand in the JSON behind this page. It opens by %s %s with the body %s.",
			r.API[len(r.API)-1].Method, r.API[len(r.API)-1].URL, r.API[len(r.API)-1].Body)}}
	case way != carrier.API && r.Visit != "":
		return []contracts.Note{{Code: contracts.NoteEvidenceByForm, Message: fmt.Sprintf(
			"The page opens only with the cookie of the home page: open %s first, then this page in the same browser.",
			r.Visit)}}
	}
	return nil
}
