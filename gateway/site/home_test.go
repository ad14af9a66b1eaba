package site

import (
	"encoding/json"
	"strings"
	"testing"
)

// The answer that the home page shows below a request is one to that request.
func TestTheSamplesAnswerTheirRequests(t *testing.T) {
	all, err := samples("http://localhost:8080")
	if err != nil || len(all) != 2 {
		t.Fatalf("%v, %d samples", err, len(all))
	}
	for _, s := range all {
		var answer struct {
			Carrier string
			Weeks   []any
			State   string
			Number  string `json:"license_number"`
		}
		if err := json.Unmarshal([]byte(s.Answer), &answer); err != nil {
			t.Fatal(err)
		}
		isSurcharge := len(answer.Weeks) == 2 && strings.HasSuffix(s.Command, "?carriers="+answer.Carrier+`&weeks=2"`)
		isLicense := answer.Number != "" && strings.HasSuffix(s.Command, "/"+answer.Number+"?state="+answer.State+`"`)
		if !isSurcharge && !isLicense {
			t.Errorf("%s is answered with %s", s.Command, s.Answer)
		}
	}
}
