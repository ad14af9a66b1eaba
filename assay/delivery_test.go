package main

import (
	"strings"
	"testing"

	"assay.dev/platform/daemon"
)

// A delivery at a terminal: the verdict, why, the list that was looked at, and an exit code of its own. Who is on TX's list is stopped there.
func TestDeliveriesAtATerminal(t *testing.T) {
	t.Parallel()
	base, key := up(t)
	e := daemon.Environ{"ASSAY_API_KEY": key, "ASSAY_API_URL": base}
	for name, c := range map[string]struct {
		args []string
		code int
		out  string
		errs string
	}{
		"deliver":                 {[]string{"CA", "400000", "--beverage", "wine"}, 0, "DELIVER", ""},
		"a suspension is open":    {[]string{"CA", "400117"}, 6, "The license is not good.", "STOP"},
		"no list was put":         {[]string{"NY", "0101-21-100000"}, 8, "was not looked at", "UNVERIFIED"},
		"the law forbids credit":  {[]string{"TX", "100001000", "--beverage", "Beer", "--on", "2026-11-27"}, 7, "no credit to anybody", "CASH_ONLY"},
		"not on the list":         {[]string{"TX", "100001000", "--beverage", "wine"}, 0, "102.32 of 20", ""},
		"on the list":             {[]string{"TX", "100001420", "--beverage", "wine"}, 6, "It is on the delinquent list 102.32", "STOP"},
		"any verdict, and JSON":   {[]string{"CA", "400117", "--any", "--json"}, 0, `"verdict":"STOP"`, ""},
		"proven not to exist":     {[]string{"CA", "999999"}, 3, "", "NOT_FOUND"},
		"another beverage":        {[]string{"CA", "400000", "--beverage", "rum"}, 2, "", "beverage"},
		"nobody answers":          {[]string{"CA", "400000", "--url", "http://127.0.0.1:1"}, 1, "", "UNVERIFIED: "},
		"ordered, but long since": {[]string{"TX", "100001420", "--beverage", "wine", "--ordered-at", "2020-01-01"}, 6, "102.32", "STOP"},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errs := run(t, e, append([]string{"get", "delivery"}, c.args...)...)
			if code != c.code || !strings.Contains(out, c.out) || !strings.Contains(errs, c.errs) {
				t.Errorf("exit %d\n%s\n%s", code, out, errs)
			}
		})
	}
}
