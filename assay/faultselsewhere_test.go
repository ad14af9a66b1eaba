package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// faultsElsewhere are rows that a test of some package shows by itself, which the row runs.
var faultsElsewhere = []fault{
	elsewhere("malformed HTML, JSON, CSV, ZIP", "0 panics; the bounds on time stand in the fuzz targets", "make", "fuzz", "FUZZTIME=1s"),
	elsewhere("a redesigned site: fields gone, columns swapped, empty 200, challenge; mutants of pages",
		"0 wrong records; a good entry is never overwritten by a bad one",
		tests("TestFaultsNeverMakeAWrongRecord|TestNoMutantIsReadWrong|TestLostTags|TestFaultsGiveNoWrongAnswer", "./ltl-worker/...", "./abc-worker/...")...),
	elsewhere("redirects to private addresses, DNS rebinding, file:", "0 connects; ≤ 3 redirects, of the same registrable domain",
		tests("TestRedirects|TestPrivateAddressesInAnyForm|TestNameThatResolvesToLoopback|TestCheckURL|TestProxyIsNoTarget|TestExchangeDoesNotFollow|TestRedirectHomeIsNoAnswer", "./platform/scrape/...", "./platform/publicnet", "./ltl-worker")...),
	elsewhere("endpoints of webhooks that hang, drip, redirect, reply 5 MB, are gone or private", "they hurt only themselves; 0 connects to private addresses",
		tests("TestAnotherTakesOver|TestHostileEndpoints|TestTheGuardSeesEachConnection", "./courier")...),
	elsewhere("a solver that is wrong, silent, without balance, hostile", "fails in time, others unaffected; hostile solutions are refused",
		tests("TestSolveFailures|TestTexasWithASolverThatFails|TestTexasWithWrongCodes|TestTexasGivesUpAfterThreeCodes", "./captcha-worker", "./abc-worker")...),
	elsewhere("64 workers race for 1,000 grants; crashes between reserve, call and settle", "exactly 1,000; never below 0; settling is idempotent",
		tests("TestRace|TestMonthNeverOverspends|TestLedgerEqualsTheProvidersCountAfterDeaths|TestKilledWorkersNeverPayTwice", "./captcha-worker/...")...),
	elsewhere("wildcards, blanks, NUL, $JS.API.>, %00, U+2028, 4 KB strings in every input", "0 messages off the allow-list; 0 × 500; O'Brien and A & B work",
		tests("TestHostileTexts|TestHostileTextIsInertAtATerminal", "./gateway", "./assay")...),
	elsewhere("slow and large requests: bodies that drip, large headers, audits", "408/413/431/429; others unaffected",
		tests("TestSlowAnonymousBodiesAreCutOff|TestTooLargeAuditsCostNothing|TestRefusalsAreLimitedByAddress|TestAnonymousRequestsShareOneLimit", "./gateway")...),
	elsewhere("secret canaries through everything", "0 hits in logs, traces, metrics, errors, subjects, buckets",
		tests("TestSecretsStayInside|TestLogLinesCarryTheRequestAndItsTraceAndNoSecret|TestATargetIsNamedWithoutItsPassword", "./gateway", "./platform/daemon", "./assay")...),
	elsewhere("clocks that jump, the turn of the year and of daylight saving time", "no over-admission; the right weeks",
		tests("TestClock.*|TestNeverMoreThanTheLimitInAnyWindow|TestExpires.*|TestDue|TestPosted|TestTurnOfTheMonth", "./gateway/ratelimit", "./ltl-worker/carrier", "./captcha-worker/credits")...),
	elsewhere("a flipped byte, a cut tail, a removed `meta.inf`, in any store", "said within 10 s; half a store is never read as the whole",
		tests("TestAFlippedByteIsNeverAWrongAnswer|TestDamage|TestEveryFlippedBitOfABlockIsSeen|TestAStreamThatShowsLessThanWasSeenIsDamaged", "./assay/...", "./platform/kv")...),
	elsewhere("every stream and bucket deleted in turn, and restored", "not made anew without --accept-loss; restored whole",
		tests("TestWhatWasAcknowledgedBeforeABackupIsInIt|TestADamagedBackupIsRefused|TestWhatWasBornIsNotMadeAnew|TestALostDiskIsNotANewDeployment",
			"./assay/backup", "./platform/provision")...),
	elsewhere("clocks of gateways ±10 min apart", "no over-admission",
		tests("TestGatewaysWithWrongClocksShareTheLimit", "./gateway/ratelimit")...),
}

func tests(run string, packages ...string) []string {
	return append([]string{"go", "test", "-count=1", "-run", "^(" + run + ")$"}, packages...)
}

// elsewhere is a row that a command of this repository shows.
func elsewhere(name, must string, command ...string) fault {
	return fault{name: name, must: must, command: command, run: func(r *row) {
		c := exec.CommandContext(r.Context(), command[0], command[1:]...)
		c.Dir = ".."
		var out bytes.Buffer
		c.Stdout, c.Stderr = &out, &out
		err := c.Run()
		if err != nil {
			r.Log(out.String())
		}
		r.holds(err == nil, "`%s`: %s", strings.Join(command, " "), summary(out.String(), err))
	}}
}

// A row that names no test any more would pass for ever.
func TestFaultsElsewhereAreTestsThatExist(t *testing.T) {
	t.Parallel()
	for _, f := range faultsElsewhere {
		if f.command[0] != "go" {
			continue
		}
		names := strings.Trim(f.command[4], "^()$")
		var files strings.Builder
		for _, name := range f.command[5:] {
			dir, isTree := strings.CutSuffix(name, "/...")
			err := filepath.WalkDir(filepath.Join("..", dir), func(path string, d fs.DirEntry, err error) error {
				switch {
				case err != nil:
					return err
				case d.IsDir() && !isTree && path != filepath.Join("..", dir):
					return filepath.SkipDir
				case !strings.HasSuffix(path, "_test.go"):
					return nil
				}
				text, err := os.ReadFile(path)
				files.Write(text)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		for name := range strings.SplitSeq(names, "|") {
			if !regexp.MustCompile(`(?m)^func ` + name + `\(`).MatchString(files.String()) {
				t.Errorf("%s: no %s in %v", f.name, name, f.command[5:])
			}
		}
	}
}

func summary(out string, err error) string {
	if err != nil {
		return err.Error()
	}
	ran := 0
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "ok") && !strings.Contains(line, "no tests to run") {
			ran++
		}
	}
	return fmt.Sprintf("passed in %d packages", ran)
}
