package api

import "testing"

// An answer below the gate is UNVERIFIED in the words as on the pages, whether or not a note says why. One is no plural.
func TestAnswersInWords(t *testing.T) {
	t.Parallel()
	for body, c := range map[string]struct {
		inWords func([]byte) (string, error)
		want    string
	}{
		`{"carrier":"ODFL","weeks":[{}],"_verifiability":{"extraction_confidence":0.9,"current":true}}`: {
			surchargeInWords, "1 week of ODFL; extraction_confidence 0.9, current true."},
		`{"carrier":"ODFL","weeks":[{},{}],"_verifiability":{"extraction_confidence":0.89}}`: {
			surchargeInWords, "2 weeks of ODFL; UNVERIFIED: extraction_confidence 0.89, current null."},
		`{"carrier":"ODFL","_verifiability":{"extraction_confidence":1,"notes":[{"code":"WORDING_CHANGED"}]}}`: {
			surchargeInWords, "0 weeks of ODFL; UNVERIFIED: extraction_confidence 1, WORDING_CHANGED, current null."},
		`{"results":[{}],"total_results":1,"_verifiability":{"extraction_confidence":1}}`: {
			searchInWords, "1 of 1 result; extraction_confidence 1."},
		`{"results":[{}],"total_results":144,"next_cursor":"x","_verifiability":{"extraction_confidence":0.87}}`: {
			searchInWords, "1 of 144 results, more by next_cursor; UNVERIFIED: extraction_confidence 0.87."},
	} {
		if got, err := c.inWords([]byte(body)); err != nil || got != c.want {
			t.Errorf("%s %v, want %s", got, err, c.want)
		}
	}
}
