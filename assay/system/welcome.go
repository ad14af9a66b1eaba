package system

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"
	"time"

	"assay.dev/contracts"
)

// progress says that a part of the system is ready, and how long after the start.
func (s *system) progress(part, detail string) {
	s.lines.Lock()
	defer s.lines.Unlock()
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
%[7]s
  curl -H "X-API-Key: %[3]s" "%[1]s/v1/ltl/fuel-surcharge?carriers=ODFL&weeks=26"
  curl -H "X-API-Key: %[3]s" "%[1]s/v1/ltl/fuel-surcharge?weeks=1"
  curl -H "X-API-Key: %[3]s" "%[1]s/v1/abc/license/%[5]s?state=CA"
  curl -H "X-API-Key: %[3]s" "%[1]s/v1/abc/search?state=CA&dba_name=blue+cafe"

In a browser: %[1]s/ leads to the API to try, the status, and the console, which takes either key.

License numbers of the sandbox:

%[6]s
The sandbox, with more numbers and its faults: %[2]s/sandbox/.
Ctrl-C stops it. `+"`assay --help`"+` lists what else there is.
`, base, admin, s.keys[contracts.Test], s.liveKey(),
		url.PathEscape(s.sandbox.Licensing().Examples(contracts.CA)[0].Number), s.exampleNumbers(), s.firstContact())
}

// liveKey is the live key, or where to find it: a log keeps what is printed.
func (s *system) liveKey() string {
	switch key := s.keys[contracts.Live]; {
	case key == "":
		return "none: it has ended; see `assay keys create --help`"
	case s.cfg.ShowKeys:
		return key
	}
	return "in " + s.data.path(keysFile)
}

// firstContact says how many live sources nobody has accepted, and how that is done.
func (s *system) firstContact() string {
	if s.unaccepted == 0 {
		return ""
	}
	return fmt.Sprintf(`
Nobody has looked yet at the live pages of %d of %d carriers: their percents stay below a confidence of 0.90 until somebody has.
  assay sources                 what is in doubt, and since when
  assay sources accept SAIA     shows what the page says, and asks
`, s.unaccepted, len(contracts.Carriers))
}

// exampleNumbers lists license numbers of each state, one for each status, such as "CA  400000 ACTIVE, 400002
// REVOKED".
func (s *system) exampleNumbers() string {
	var lines strings.Builder
	for _, state := range contracts.States {
		var numbers []string
		for _, l := range s.sandbox.Licensing().Examples(state) {
			numbers = append(numbers, fmt.Sprintf("%s %s", l.Number, l.Primary.Status))
		}
		fmt.Fprintf(&lines, "  %s  %s\n", state, strings.Join(numbers, ", "))
	}
	return lines.String()
}
