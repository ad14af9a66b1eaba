package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay.dev/platform/daemon"
)

// A delivery at a terminal: the verdict, why, the list that was looked at, and an exit code of its own. Who is on TX's list is stopped there.
func TestDeliveriesAtATerminal(t *testing.T) {
	t.Parallel()
	base, key := up(t)
	e := daemon.Environ{"ASSAY_API_KEY": key, "ASSAY_API_URL": base}
	tomorrow := time.Now().AddDate(0, 0, 1).Format(time.DateOnly)
	for name, c := range map[string]struct {
		args []string
		code int
		out  string
		errs string
	}{
		"deliver":                 {[]string{"CA", "400000", "--beverage", "wine"}, 0, "DELIVER", ""},
		"a suspension is open":    {[]string{"CA", "400117"}, 6, "The license is not good.", "STOP"},
		"no list was put":         {[]string{"NY", "0101-21-100000"}, 8, "was not looked at", "UNVERIFIED"},
		"the law forbids credit":  {[]string{"TX", "100001000", "--beverage", "Beer", "--on", tomorrow}, 7, "no credit to anybody", "CASH_ONLY"},
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

// A verdict on a delivery is proven with the list that it rests on: at the terminal without a network, and to a stranger, who is told what the list
// says. Another verdict, or a list that names somebody else, is refused, and so is a proof that would leave a list out.
func TestADeliveryIsProven(t *testing.T) {
	t.Parallel()
	base, key := up(t)
	e := daemon.Environ{"ASSAY_API_KEY": key, "ASSAY_API_URL": base}
	for name, c := range map[string]struct {
		args           []string
		verified, says string
	}{
		"on the list":     {[]string{"TX", "100001420", "--beverage", "wine"}, "the list 102.32 names it since 20", "names it since 20"},
		"not on the list": {[]string{"TX", "100001000", "--beverage", "wine"}, "the list 102.32 does not name it", "does not name it. By law nobody has credit for malt beverages."},
		"no list":         {[]string{"CA", "400000"}, "CA 400000: ", "The state publishes no delinquent list."},
		"no list was put": {[]string{"NY", "0101-21-100000"}, "NY 0101-21-100000: ", ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			answer, documents := filepath.Join(dir, "answer.json"), t.TempDir()
			text := must(t, e, append([]string{"get", "delivery", "--any", "--json"}, c.args...)...)
			write := func(text string) {
				if err := os.WriteFile(answer, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			write(text)
			must(t, e, "get", "evidence", answer, "--to", documents)
			files, err := filepath.Glob(documents + "/*")
			if err != nil || len(files) == 0 {
				t.Fatalf("%v %v", err, files)
			}
			verify := append([]string{"evidence", "verify", answer}, files...)
			if said := must(t, nil, verify...); !strings.HasSuffix(said, "verified") || !strings.Contains(said, c.verified) {
				t.Errorf("verified: %s", said)
			}
			code, out, errs := run(t, e, "share", answer)
			if code == 0 != (c.says != "") || !strings.Contains(errs, c.says) || code != 0 && !strings.Contains(errs, "ask /v1/abc/license") {
				t.Errorf("shared: exit %d\n%s\n%s", code, out, errs)
			}
			if _, end, _ := strings.Cut(errs, "Until "); code == 0 && len(end) > 20 && end[19] != 'Z' {
				t.Errorf("the end has no zone: %s", errs)
			}
			for was, is := range map[string]string{`"verdict":"STOP"`: `"verdict":"DELIVER"`, `"holds":[{`: `"holds":[],"x":[{`, `"holds":[]`: `"holds":[{"list":"102.32","since":"2026-11-02","exempt":false}]`} {
				if write(strings.Replace(text, was, is, 1)); strings.Contains(text, was) {
					if code, out, errs := run(t, nil, verify...); code != 1 {
						t.Errorf("%s for %s: exit %d %s %s", is, was, code, out, errs)
					}
				}
			}
		})
	}
}
