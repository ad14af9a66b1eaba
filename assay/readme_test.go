package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/daemon"
	"assay.dev/sandbox"
)

const (
	readme = "../README.md"
	guide  = "../docs/guide.md"
)

var (
	readmeRequest  = regexp.MustCompile(`curl (?:-H "X-API-Key: \$KEY" )?"?localhost:8080(/[^"\s]*)`)
	guideRequest   = regexp.MustCompile(`curl -H "X-API-Key: \$KEY" "\$API(/[^"\s$]*)"`)
	welcomeRequest = regexp.MustCompile(`curl -H "X-API-Key: test_\S+" "http://[^/]+(/[^"\s]*)`)
	saidConfidence = regexp.MustCompile(`"extraction_confidence":([0-9.]+)`)
	readmeLicense  = regexp.MustCompile(`/v1/abc/license/([^?]+)\?state=([A-Z]{2})`)
)

// TestTheFirstAnswersMayBeActedOn asks what the readme, the guide and `assay up` say to ask first. Each answer
// is sure enough to act on.
func TestTheFirstAnswersMayBeActedOn(t *testing.T) {
	t.Parallel()
	base, key, printed := sharedUp(t)
	for from, requests := range map[string][][]string{
		"readme":   readmeRequest.FindAllStringSubmatch(readFile(t, readme), -1),
		"guide":    guideRequest.FindAllStringSubmatch(readFile(t, guide), -1),
		"assay up": welcomeRequest.FindAllStringSubmatch(printed, -1),
	} {
		for _, r := range requests {
			if strings.HasPrefix(r[1], "/v1/abc/portfolios/") {
				continue // what the example before it has kept: see TestTheExamplesOfTheGuideWork
			}
			for _, said := range saidConfidence.FindAllSubmatch(get(t, base+r[1], key), -1) {
				sure, err := strconv.ParseFloat(string(said[1]), 64)
				if err != nil || sure < contracts.MinConfidence {
					t.Errorf("%s: %s has a confidence of %s", from, r[1], said[1])
				}
			}
		}
		if len(requests) < 3 {
			t.Errorf("%s: only %d requests were found", from, len(requests))
		}
	}
}

// TestTheRequestsOfTheReadmeWork asks each of them of a system that has just started, as a newcomer does.
func TestTheRequestsOfTheReadmeWork(t *testing.T) {
	t.Parallel()
	base, key, _ := upIn(t, t.TempDir())
	requests := readmeRequest.FindAllStringSubmatch(readFile(t, readme), -1)
	for _, r := range requests {
		if body := get(t, base+r[1], key); !json.Valid(body) {
			t.Errorf("%s: %s", r[1], body)
		}
	}
	if len(requests) < 3 {
		t.Errorf("only %d requests were found", len(requests))
	}
}

// TestTheExamplesOfTheGuideWork pastes those of the guide into a shell, as a newcomer does.
// A reply that is no success fails.
func TestTheExamplesOfTheGuideWork(t *testing.T) {
	t.Parallel()
	base, key := up(t)
	_, _, printed := sharedUp(t)
	admin := regexp.MustCompile(`metrics at (\S+)/metrics`).FindStringSubmatch(printed)[1]
	program, dir := binaryFile(t), t.TempDir()
	examples := strings.Split(readFile(t, guide), "```sh\n")[1:]
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "bin"), 0o700), os.Symlink(program, filepath.Join(dir, "bin", "assay"))); err != nil {
		t.Fatal(err)
	}
	for _, example := range examples {
		code, _, _ := strings.Cut(example, "```")
		shell := exec.CommandContext(t.Context(), "bash", "-eo", "pipefail", "-c", `curl() { command curl -sSf "$@"; }`+"\n"+code)
		shell.Dir = dir
		shell.Env = []string{"PATH=" + dir + "/bin:" + daemon.OSEnviron()["PATH"], "HOME=" + dir, "KEY=" + key, "API=" + base, "ADMIN=" + admin, "ASSAY_API_URL=" + base, "no_proxy=*"}
		if out, err := shell.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s\n%s", err, code, out)
		}
	}
	if audited := readFile(t, filepath.Join(dir, "march-audited.csv")); !strings.Contains(audited, "A2,ESTES,2026-09-11,OVERBILLED,,53.75,") || len(examples) < 8 {
		t.Errorf("of %d examples, the audit is\n%s", len(examples), audited)
	}
	for file, want := range map[string]string{
		"minute-matched.csv": "K2,CA,REVIEW,,,,,,,,,,\"400240 PAPER QUARRY LOUNGE, ", "minute-verdicts.csv": ",PASS,",
		"minute-changes.json": `"before":{"status":"ACTIVE"},"after":{"status":"SUSPENDED"}`, "minute-stops.csv": ",CA,K2,400240,PAPER QUARRY LOUNGE,",
	} {
		if text := readFile(t, filepath.Join(dir, file)); !strings.Contains(text, want) || file == "minute-stops.csv" && strings.Count(text, ",STOP,") != 1 ||
			file == "minute-verdicts.csv" && strings.Count(text, want) != 2 {
			t.Errorf("%s lacks %s:\n%s", file, want, text)
		}
	}
}

// TestTheLicensesOfTheDocumentsStay looks for the numbers in sandboxes of other years: their data move with the
// calendar.
func TestTheLicensesOfTheDocumentsStay(t *testing.T) {
	for _, years := range []int{0, 1, 5} {
		box, err := sandbox.Start(sandbox.Options{Clock: func() time.Time { return time.Now().AddDate(years, 0, 0) }})
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, l := range readmeLicense.FindAllStringSubmatch(readFile(t, readme)+readFile(t, guide), -1) {
			for _, entry := range box.Licensing().Register.Of(contracts.State(l[2])) {
				if entry.Number == l[1] {
					found = append(found, fmt.Sprintf("%s %s %s", l[2], entry.Number, entry.Primary.Status))
				}
			}
		}
		if got := strings.Join(found, ", "); got != "CA 400000 ACTIVE, CA 400000 ACTIVE, IL 2-1100003 REVOKED" {
			t.Errorf("in %d years: %s", years, got)
		}
		if err := box.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestTheWelcomeGivesLicenseNumbers asks for the numbers that assay up prints.
func TestTheWelcomeGivesLicenseNumbers(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for seconds")
	}
	t.Parallel()
	base, key, text := sharedUp(t)
	for _, state := range contracts.States {
		line := regexp.MustCompile(fmt.Sprintf(`(?m)^  %s  (\S+) ACTIVE, (\S+) `, state)).FindStringSubmatch(text)
		if line == nil {
			t.Errorf("no numbers of %s in\n%s", state, text)
			continue
		}
		for _, number := range line[1:] {
			var answer struct{ Record contracts.LicenseRecord }
			body := get(t, base+"/v1/abc/license/"+number+"?state="+string(state), key)
			if err := json.Unmarshal(body, &answer); err != nil || answer.Record.LicenseNumber == "" {
				t.Errorf("%s %s: %v %s", state, number, err, body)
			}
		}
	}
}
