package system

import (
	"cmp"
	"fmt"
	"time"

	"assay.dev/contracts"
)

func (s *system) progress(part, detail string) {
	fmt.Fprintf(s.out, "  %-22s ready  %4d ms  %s\n", part, time.Since(s.began).Milliseconds(), detail)
}

// welcome tells a newcomer what runs and what to type.
func (s *system) welcome() {
	base := "http://" + s.listener.Addr().String()
	admin := cmp.Or(s.host.AdminURL(), "(off)")
	fmt.Fprintf(s.out, `
Assay answers at %s (OpenAPI at %[1]s/openapi.json, metrics at %s/metrics).

  test key  %s   answers from the sandbox
  live key  %s   answers from the real sites

  curl -H "X-API-Key: %[3]s" "%[1]s/v1/ltl/fuel-surcharge?carriers=ODFL&weeks=26"
  curl -H "X-API-Key: %[3]s" "%[1]s/v1/ltl/fuel-surcharge?weeks=1"
  curl -H "X-API-Key: %[3]s" "%[1]s/v1/abc/search?state=CA&dba_name=cafe"

Faults of the sandbox: %[2]s/sandbox/faults. Ctrl-C stops it. `+"`assay --help`"+` lists what else there is.
`, base, admin, s.keys[contracts.Test], s.keys[contracts.Live])
}
