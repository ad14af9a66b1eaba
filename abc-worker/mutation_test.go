package abcworker

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"assay.dev/contracts"
)

// failures are what sites say where they cannot answer, with words of the pages that can.
var failures = []string{
	"An unexpected error has occurred. No records found.",
	"The system is temporarily unavailable for maintenance. No records found.",
	"System maintenance in progress: search results may be incomplete.",
	"We are sorry, our database is down. If no records are found, please try again tomorrow.",
	"Your session has expired. No licenses were found.",
	"No results found because the service timed out.",
	"0 records - the query could not be completed.",
}

var failurePages = []string{
	"<html><head><title>Error</title></head><body><h1>Service unavailable</h1><p>@</p></body></html>",
	"<html><head><title>Search Results</title></head><body><h2>Search Results</h2><p>@</p></body></html>",
	`<html><body><div class="alert">@</div><form><input name="q"></form></body></html>`,
}

var longNumber = regexp.MustCompile(`\d{4,}`)

// The pages of the cases, made into what proves nothing, each in three ways that rotate: cut off, replaced by a page of failure, and of
// another license. None of them is an answer.
func TestPagesThatProveNothing(t *testing.T) {
	t.Parallel()
	tried := 0
	for _, set := range caseSets {
		for _, d := range caseDocuments(t, filepath.Join("testdata", set)) {
			if d.Kind != "plain" || len(d.Serve) != 1 || !strings.HasPrefix(filepath.Ext(d.Serve[0].File), ".htm") {
				continue
			}
			body, err := os.ReadFile(filepath.Join(d.dir, d.Serve[0].File))
			if err != nil {
				t.Fatal(err)
			}
			page := string(body)
			ways := map[string]string{
				"cut off": page[:len(page)*(1+tried%11)/12],
				"failure": strings.ReplaceAll(failurePages[tried%len(failurePages)], "@", failures[tried%len(failures)]),
			}
			number := longNumber.FindString(strings.ReplaceAll(d.Number, "-", ""))
			if n, err := strconv.Atoi(number); err == nil && !d.Absent && strings.Contains(page, number) {
				ways["other number"] = strings.ReplaceAll(page, number, strconv.Itoa(n+1))
			}
			tried++
			for way, mutant := range ways {
				t.Run(set+"/"+d.name+"/"+way, func(t *testing.T) {
					t.Parallel()
					d := d
					d.dir = t.TempDir()
					if err := os.WriteFile(filepath.Join(d.dir, d.Serve[0].File), []byte(mutant), 0o600); err != nil {
						t.Fatal(err)
					}
					if a, err := d.read(t); err == nil && !(len(a.Value.Records) > 0 && a.Confidence() < contracts.MinConfidence) {
						t.Errorf("%q is answered at %v: %+v", mutant[:min(200, len(mutant))], a.Confidence(), a.Value)
					}
				})
			}
		}
	}
	if tried < 50 {
		t.Errorf("%d pages", tried)
	}
}
