package abcworker

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"time"

	"assay.dev/abc-worker/register"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
	"assay.dev/platform/verify"
)

// Verify verifies the body of a license, of a search, or of the verdict on a delivery. It is a [verify.Func].
func Verify(ctx context.Context, answer []byte, documents verify.Documents) ([]string, error) {
	members, err := verify.Members(answer)
	if err != nil {
		return nil, err
	}
	if _, isSearch := members["query"]; isSearch {
		return verify.Decoded(answer, func(a contracts.Search) ([]string, error) { return verifySearch(ctx, a, documents) })
	}
	if _, isDelivery := members["holds_checked"]; isDelivery {
		return verify.Decoded(answer,
			func(a contracts.CheckedDelivery) ([]string, error) { return verifyDelivery(ctx, a, documents) })
	}
	if _, isAbsence := members["detail"]; isAbsence {
		return verify.Decoded(answer, func(a absence) ([]string, error) { return verifyError(ctx, a, documents) })
	}
	return verify.Decoded(answer, func(a contracts.License) ([]string, error) { return verifyLicense(ctx, a, documents) })
}

// verifyLicense verifies a license: all of its record, or that there is none.
func verifyLicense(ctx context.Context, a contracts.License, documents verify.Documents) ([]string, error) {
	if reflect.ValueOf(a.Record).IsZero() {
		if a.Verdict != "" && a.Verdict != contracts.Fail {
			return nil, verify.Refuse("a license that does not exist is FAIL, and the answer says %s",
				contracts.Printable(string(a.Verdict)))
		}
		return verifyAbsence(ctx, a, documents)
	}
	if a.LicenseNumber != a.Record.LicenseNumber {
		return nil, verify.Refuse("the record is of %s, the answer of %s", a.Record.LicenseNumber, a.LicenseNumber)
	}
	for _, number := range numbersOf(a) {
		readings, err := reread(ctx, a.State, register.Question{Number: number}, a.Verifiability, documents)
		if err != nil {
			return nil, err
		}
		for r, err := range readings {
			if err != nil {
				return nil, err
			}
			if len(r.Value.Records) == 1 && sameRecord(r.Value.Records[0], a.Record) &&
				contracts.PageURL(r.EvidenceURL) == a.Verifiability.RawDataEvidenceURL {
				return []string{lineOf(a.State, a.Record, a.Verifiability)},
					cmp.Or(verifyVerdict(a), verifyTrust(a.Verifiability, r))
			}
		}
	}
	return nil, verify.Refuse("the documents do not show the license %s of %s as the answer has it",
		a.LicenseNumber, a.State)
}

// verifyVerdict verifies that the verdict follows from the license, where the answer has one, on one of the days on
// which it may have been given. An answer that is kept ends before a day on which another one follows.
func verifyVerdict(a contracts.License) error {
	if a.Verdict == "" {
		return nil
	}
	for _, at := range givenAt(a.State, a.Verifiability) {
		if a.JudgedOn(a.State.Today(at)).Verdict == a.Verdict {
			return nil
		}
	}
	return verify.Refuse("by what was read %s is %s, and the answer says %s", a.LicenseNumber,
		a.JudgedOn(a.State.Today(a.Verifiability.SourceTimestamp)).Verdict, contracts.Printable(string(a.Verdict)))
}

// givenAt are times on the days on which an answer may have been given: that of the reading and the next one. A copy
// that is not renewed answers longer, unless its source can be asked itself; when it is older than any source's schedule
// allows, what it says is below the gate.
func givenAt(s contracts.State, v contracts.Verifiability) (all []time.Time) {
	days := 1
	if v.ExtractionMethod == contracts.APIMirror && s != contracts.NY && s != contracts.TX {
		days = register.BusinessDays
	}
	for day := range days + 1 {
		all = append(all, v.SourceTimestamp.In(s.Zone()).AddDate(0, 0, day))
	}
	return all
}

// absence is the body of a 404 that proves that there is no such license.
type absence struct {
	Detail struct {
		Error   contracts.Code
		Message string
		Reason  contracts.Reason
	}
	State         contracts.State
	LicenseNumber string                  `json:"license_number"`
	Verifiability contracts.Verifiability `json:"_verifiability"`
}

// verifyError verifies an absence, and that its words say no other.
func verifyError(ctx context.Context, a absence, documents verify.Documents) ([]string, error) {
	of := contracts.Absence{State: a.State, LicenseNumber: a.LicenseNumber, Verifiability: a.Verifiability}
	if want := of.Error(); a.Detail.Error != want.Code || a.Detail.Reason != want.Reason ||
		a.Detail.Message != want.Message {
		return nil, verify.Refuse("the answer does not say that %s has no license %q", a.State, a.LicenseNumber)
	}
	return verifyAbsence(ctx,
		contracts.License{State: a.State, LicenseNumber: a.LicenseNumber, Verifiability: a.Verifiability}, documents)
}

// verifyAbsence verifies that a license does not exist: a record that is null. A path that cannot prove that reads
// nothing of the kind. The line says where the number that was asked for does not stand in the documents: an answer to
// a form may leave it out, and in a query it stands in the address alone, which the answer gives.
func verifyAbsence(ctx context.Context, a contracts.License, documents verify.Documents) ([]string, error) {
	number, err := contracts.NormalLicenseNumber(a.State, a.LicenseNumber)
	if err != nil || number != a.LicenseNumber {
		return nil, verify.Refuse("%q is no license number of %s in its normal form", a.LicenseNumber, a.State)
	}
	readings, err := reread(ctx, a.State, register.Question{Number: number}, a.Verifiability, documents)
	if err != nil {
		return nil, err
	}
	for r, err := range readings {
		if err != nil {
			return nil, err
		}
		if len(r.Value.Records) == 0 && contracts.PageURL(r.EvidenceURL) == a.Verifiability.RawDataEvidenceURL {
			line := fmt.Sprintf("%s %s: %.12s shows that there is no such license", a.State, number,
				*a.Verifiability.EvidenceSHA256)
			_, bare := contracts.SplitLicenseType(a.State, number)
			isNamed := func(e contracts.Evidence) bool { return bytes.Contains(documents[e.SHA256].Body, []byte(bare)) }
			if !slices.ContainsFunc(a.Verifiability.Evidence, isNamed) {
				line += "; no document names the number, at most its address as the answer gives it"
			}
			return []string{line}, verifyTrust(a.Verifiability, r)
		}
	}
	return nil, verify.Refuse("the documents do not show that %s has no license %s", a.State, number)
}

// numbersOf are the numbers by which the license may have been asked for: in California also with its type.
func numbersOf(a contracts.License) []string {
	if a.State == contracts.CA {
		return []string{a.LicenseNumber, a.Record.LicenseTypeCode + "-" + a.LicenseNumber}
	}
	return []string{a.LicenseNumber}
}

// verifySearch verifies a page of a search: its records, each with its verdict, that none is missing between the first
// and the last of them, whether others follow, and how many matches there are. Which one a page begins with is the
// question's, which the answer does not tell: a line says it.
func verifySearch(ctx context.Context, a contracts.Search, documents verify.Documents) ([]string, error) {
	ask := register.Question{Query: a.Query}
	if a.TotalResults > contracts.MaxKept && len(a.Results) > 0 && a.Results[0].LicenseTypeCode != "" {
		ask.After.Number = a.Results[0].LicenseNumber // just before the first result, which has a type
	}
	readings, err := reread(ctx, a.State, ask, a.Verifiability, documents)
	if err != nil {
		return nil, err
	}
	for r, err := range readings {
		if err != nil {
			return nil, err
		}
		begin := pageIn(r.Value.Records, a.Results)
		if begin < 0 || r.Value.Total != a.TotalResults ||
			contracts.PageURL(r.EvidenceURL) != a.Verifiability.RawDataEvidenceURL {
			continue
		}
		end := begin + len(a.Results)
		if isLast := end == len(r.Value.Records) && r.Value.Whole; isLast != (a.NextCursor == nil) {
			return nil, verify.Refuse("next_cursor must be null on the last page of the matches, and only there")
		}
		lines := []string{fmt.Sprintf("%s: %d matches stand in %.12s", a.State, a.TotalResults,
			*a.Verifiability.EvidenceSHA256)}
		switch {
		case ask.After.Number != "":
			lines[0] += fmt.Sprintf("; the answer has %d of them, from %s on", len(a.Results), ask.After.Number)
		case len(a.Results) < a.TotalResults:
			lines[0] += fmt.Sprintf("; the answer has the %d. to the %d.", begin+1, end)
		}
		for i, said := range a.Results {
			l := contracts.License{
				State: a.State, LicenseNumber: said.LicenseNumber, Record: said.LicenseRecord, Judgement: said.Judgement,
				Verifiability: a.Verifiability,
			}
			l.Verifiability.ExtractionConfidence = r.Value.Tallies[begin+i].Confidence()
			if err := verifyVerdict(l); err != nil {
				return nil, err
			}
			lines = append(lines, lineOf(a.State, said.LicenseRecord, a.Verifiability))
		}
		return lines, verifyTrust(a.Verifiability, r)
	}
	return nil, verify.Refuse("the documents do not show these matches in %s as the answer has them", a.State)
}

// verifyTrust verifies that an answer claims no more than what was read again is worth: the reading knew at most as
// much, such as that spellings with accents could not be looked for.
func verifyTrust(v contracts.Verifiability, read scrape.Reading[register.Answer]) error {
	switch {
	case v.Complete && !read.Value.Complete:
		return verify.Refuse("matches may be missing in the documents, and the answer says that it is complete")
	case v.ExtractionConfidence > read.Confidence():
		return verify.Refuse("what was read has a confidence of %.2f, and the answer says %.2f", read.Confidence(),
			v.ExtractionConfidence)
	}
	return nil
}

// reread gives what the documents say; where the status follows from the date, on each day on which the answer may have
// been given. It is read as far as it is asked for.
func reread(
	ctx context.Context, s contracts.State, ask register.Question, v contracts.Verifiability, documents verify.Documents,
) (iter.Seq2[scrape.Reading[register.Answer], error], error) {
	if _, err := contracts.ParseState(string(s)); err != nil {
		return nil, verify.Refuse("%q is no state", s)
	}
	read, err := documents.Pages(string(s), v)
	if err := cmp.Or(err, documents.ReadAt(v.SourceTimestamp, v.Evidence...)); err != nil {
		return nil, err
	}
	return func(yield func(scrape.Reading[register.Answer], error) bool) {
		for _, at := range givenAt(s, v) {
			readings, err := Reread(ctx, s, ask, v.ExtractionMethod, read, at)
			if err != nil {
				yield(scrape.Reading[register.Answer]{}, err)
				return
			}
			for _, r := range readings {
				if !yield(r, nil) {
					return
				}
			}
			if !slices.Contains(v.Inferred, register.Status) {
				return
			}
		}
	}, nil
}

// pageIn is where the results of a page begin among the records that were read, one after the other; -1 where they do
// not stand so.
func pageIn(all []contracts.LicenseRecord, page []contracts.SearchResult) int {
	if len(page) == 0 {
		if len(all) > 0 {
			return -1
		}
		return 0
	}
	begin := slices.IndexFunc(all, func(r contracts.LicenseRecord) bool { return sameRecord(r, page[0].LicenseRecord) })
	if begin < 0 || begin+len(page) > len(all) {
		return -1
	}
	for i, said := range page {
		if !sameRecord(all[begin+i], said.LicenseRecord) {
			return -1
		}
	}
	return begin
}

// sameRecord compares all members of two records, as JSON has them. Answers of versions before give an inferred county
// as the address where the source shows none.
func sameRecord(read, said contracts.LicenseRecord) bool {
	of := read.Address
	if of.Raw == "" && slices.Contains(read.Inferred, register.County) && said.Address.Raw == of.County {
		said.Address.Raw = ""
	}
	x, err1 := json.Marshal(read)
	y, err2 := json.Marshal(said)
	return err1 == nil && err2 == nil && bytes.Equal(x, y)
}

func lineOf(s contracts.State, r contracts.LicenseRecord, v contracts.Verifiability) string {
	return fmt.Sprintf("%s %s: %s, %s stands in %.12s", s, r.LicenseNumber, r.DBAName, r.Status, *v.EvidenceSHA256)
}
