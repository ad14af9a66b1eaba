package verify

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	abcworker "assay.dev/abc-worker"
	"assay.dev/abc-worker/register"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// license verifies a license: all of its record.
func license(ctx context.Context, a contracts.License, documents Documents) ([]string, error) {
	if a.LicenseNumber != a.Record.LicenseNumber {
		return nil, refuse("the record is of %s, the answer of %s", a.Record.LicenseNumber, a.LicenseNumber)
	}
	for _, number := range numbersOf(a) {
		readings, err := reread(ctx, a.State, abcworker.Question{Number: number}, a.Verifiability, documents)
		if err != nil {
			return nil, err
		}
		for _, r := range readings {
			if len(r.Value.Records) == 1 && same(r.Value.Records[0], a.Record) && r.EvidenceURL == a.Verifiability.RawDataEvidenceURL {
				return []string{found(a.State, a.Record, a.Verifiability)}, nil
			}
		}
	}
	return nil, refuse("the documents do not show the license %s of %s as the answer has it", a.LicenseNumber, a.State)
}

// numbersOf are the numbers by which the license may have been asked for: in California also with its type.
func numbersOf(a contracts.License) []string {
	if a.State == contracts.CA {
		return []string{a.LicenseNumber, a.Record.LicenseTypeCode + "-" + a.LicenseNumber}
	}
	return []string{a.LicenseNumber}
}

// search verifies a page of a search: each of its records, and how many there are.
func search(ctx context.Context, a contracts.Search, documents Documents) ([]string, error) {
	readings, err := reread(ctx, a.State, abcworker.Question{Query: a.Query}, a.Verifiability, documents)
	if err != nil {
		return nil, err
	}
	for _, r := range readings {
		if r.Value.Total == a.TotalResults && r.EvidenceURL == a.Verifiability.RawDataEvidenceURL && holds(r.Value.Records, a.Results) {
			lines := []string{fmt.Sprintf("%s: %d matches stand in %.12s", a.State, a.TotalResults, *a.Verifiability.EvidenceSHA256)}
			for _, record := range a.Results {
				lines = append(lines, found(a.State, record, a.Verifiability))
			}
			return lines, nil
		}
	}
	return nil, refuse("the documents do not show these matches in %s as the answer has them", a.State)
}

func reread(
	ctx context.Context, s contracts.State, ask abcworker.Question, v contracts.Verifiability, documents Documents,
) ([]scrape.Reading[register.Answer], error) {
	if _, err := contracts.ParseState(string(s)); err != nil {
		return nil, refuse("%q is no state", s)
	}
	read, err := pages(v, documents)
	if err != nil {
		return nil, err
	}
	return abcworker.Reread(ctx, s, ask, v.ExtractionMethod, read, v.SourceTimestamp)
}

func holds(all, some []contracts.LicenseRecord) bool {
	for _, want := range some {
		if !slices.ContainsFunc(all, func(r contracts.LicenseRecord) bool { return same(r, want) }) {
			return false
		}
	}
	return true
}

// same compares all members of two records, as JSON has them.
func same(a, b contracts.LicenseRecord) bool {
	x, err1 := json.Marshal(a)
	y, err2 := json.Marshal(b)
	return err1 == nil && err2 == nil && bytes.Equal(x, y)
}

func found(s contracts.State, r contracts.LicenseRecord, v contracts.Verifiability) string {
	return fmt.Sprintf("%s %s: %s, %s stands in %.12s", s, r.LicenseNumber, r.DBAName, r.Status, *v.EvidenceSHA256)
}
