package bench

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"

	"assay.dev/contracts"
)

// mixedTime is how long everything is asked for before the memory is read.
const mixedTime = 20 * time.Second

// measureMemory has the system read every carrier and search every state, and answer from its caches, and reads what it
// holds then. Chromium's processes are not counted.
func measureMemory(t *testing.T) []figure {
	s := startSubject(t)
	key := s.unlimitedKey()
	base, err := url.Parse(s.base)
	must(t, err)
	for end := time.Now().Add(mixedTime); time.Now().Before(end); {
		s.ask(key, "/v1/ltl/fuel-surcharge?weeks=26")
		for _, state := range contracts.States {
			s.ask(key, fmt.Sprintf("/v1/abc/search?state=%s&dba_name=cafe", state))
		}
		repeat(t, base.Host, request(http.MethodGet, base.Host, oneCarrier, key, "", ""), *runTime)
	}
	return []figure{{name: "resident memory, after mixed load", value: s.residentMB(), unit: "MB", target: 180,
		detail: fmt.Sprintf("all carriers, a search in every state, hits, for %s", mixedTime)}}
}
