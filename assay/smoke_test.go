package main

import (
	"errors"
	"testing"

	"assay.dev/contracts"
)

func TestSmokeTellsWrongAnswers(t *testing.T) {
	active := question{path: "/v1/abc/license/1?state=CA", status: contracts.Active}
	surcharge := question{path: "/v1/ltl/fuel-surcharge?carriers=ABF", unpaid: true}
	for name, c := range map[string]struct {
		question
		status int
		body   string
		err    error
		good   bool
	}{
		"as the sandbox has it":     {active, 200, `{"record":{"status":"ACTIVE"},"_verifiability":{"extraction_method":"api_mirror"}}`, nil, true},
		"in another state":          {active, 200, `{"record":{"status":"EXPIRED"}}`, nil, false},
		"no record":                 {active, 200, `{}`, nil, false},
		"not JSON":                  {active, 200, `<html>`, nil, false},
		"a surcharge":               {surcharge, 200, `{"carrier":"ABF","_verifiability":{"extraction_method":"structured_parse"}}`, nil, true},
		"a surcharge that was paid": {surcharge, 200, `{"carrier":"ABF","_verifiability":{"extraction_method":"scraper_api"}}`, nil, false},
		"unavailable":               {active, 503, `{"error":{"code":"SOURCE_UNAVAILABLE"}}`, nil, false},
		"the gateway is not there":  {active, 0, "", errors.New("connection refused"), false},
		"refused, though all is up": {question{path: "/health"}, 401, "", nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := c.check(c.status, c.body, c.err); (err == nil) != c.good {
				t.Errorf("%v", err)
			}
		})
	}
}
