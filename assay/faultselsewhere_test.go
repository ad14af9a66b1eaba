package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"strings"
)

// faultsElsewhere are rows that a test of some package shows by itself: the row runs it.
var faultsElsewhere = []fault{
	elsewhere("malformed HTML, JSON, CSV, ZIP", "0 panics (every fuzz target for 2 s); bounds on time stand in the targets", "make", "fuzz", "FUZZTIME=2s"),
	elsewhere("a redesigned site: fields gone, columns swapped, empty 200, challenge; mutants of pages", "0 wrong records; a good entry is never overwritten by a bad one",
		"go", "test", "-count=1", "-run", "^(TestFaultsNeverMakeAWrongRecord|TestNoMutantIsReadWrong|TestLostTags|TestFaultsGiveNoWrongAnswer)$",
		"./ltl-worker/...", "./abc-worker/..."),
	elsewhere("redirects to private addresses, DNS rebinding, file:", "0 connects; ≤ 3 redirects, of the same registrable domain",
		"go", "test", "-count=1", "-run", "^(TestRedirects|TestPrivateAddressesInAnyForm|TestExchangeDoesNotFollow|TestRedirectHomeIsNoAnswer)$",
		"./platform/scrape/...", "./ltl-worker"),
}

// elsewhere is a row that a command of this repository shows.
func elsewhere(name, must string, command ...string) fault {
	said := strings.Join(command, " ")
	return fault{name: name, must: must, run: func(r *row) {
		c := exec.CommandContext(r.Context(), command[0], command[1:]...)
		c.Dir = ".."
		var out bytes.Buffer
		c.Stdout, c.Stderr = &out, &out
		err := c.Run()
		if err != nil {
			r.Log(out.String())
		}
		r.holds(err == nil, "`%s`: %s", said, lastLines(out.String(), err))
	}}
}

func lastLines(out string, err error) string {
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%d packages ok", strings.Count(out, "ok  \t"))
}
