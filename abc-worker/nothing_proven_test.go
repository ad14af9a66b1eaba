package abcworker

import (
	"fmt"
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

// The pages of the cases, changed so that they prove nothing: cut off, replaced by a page of failure, and of another
// license. Where a page is cut and what fails rotates. None of them is an answer.
func TestPagesThatProveNothing(t *testing.T) {
	t.Parallel()
	tried := 0
	for _, d := range caseDocuments(t) {
		if d.Kind != "plain" || len(d.Serve) != 1 || !strings.HasPrefix(filepath.Ext(d.Serve[0].File), ".htm") {
			continue
		}
		page := string(d.files[d.Serve[0].File])
		ways := map[string]string{}
		for i := range 3 {
			cut, words := (1+tried+4*i)%11+1, failures[(tried+2*i)%len(failures)]
			ways[fmt.Sprintf("cut off at %d of 12", cut)] = page[:len(page)*cut/12]
			ways[words] = strings.ReplaceAll(failurePages[(tried+i)%len(failurePages)], "@", words)
		}
		number := longNumber.FindString(strings.ReplaceAll(d.Number, "-", ""))
		if n, err := strconv.Atoi(number); err == nil && !d.Absent && strings.Contains(page, number) {
			ways["other number"] = strings.ReplaceAll(page, number, strconv.Itoa(n+1))
		}
		tried++
		for way, mutant := range ways {
			t.Run(d.name+"/"+way, func(t *testing.T) {
				t.Parallel()
				a, err := d.with(mutant).read(t)
				if err == nil && !(len(a.Value.Records) > 0 && a.Confidence() < contracts.MinConfidence) {
					t.Errorf("%q is answered at %v: %+v", mutant[:min(200, len(mutant))], a.Confidence(), a.Value)
				}
			})
		}
	}
	if tried < 30 {
		t.Errorf("%d pages", tried)
	}
}
