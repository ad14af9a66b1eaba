//go:build !race

package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"assay.dev/contracts"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/daemon"
)

// sharedFile is a link of the page of a proof to one of its files.
var sharedFile = regexp.MustCompile(`<a href="(/proof/[A-Z2-7]{26}/([^"]+))" download>`)

// stranger gets a page without a key and without cookies.
func (x *examiner) stranger(path string) (status int, body []byte) {
	x.Helper()
	reply, err := (&http.Client{}).Get(x.base + path)
	if err != nil {
		x.Fatal(err)
	}
	defer reply.Body.Close()
	if body, err = io.ReadAll(reply.Body); err != nil {
		x.Fatal(err)
	}
	return reply.StatusCode, body
}

// share asks for a proof, and gives its path, or the refusal.
func (x *examiner) share(asked map[string]any) (path, refusal string) {
	x.Helper()
	body, err := json.Marshal(asked)
	if err != nil {
		x.Fatal(err)
	}
	r, err := http.NewRequestWithContext(x.Context(), http.MethodPost, x.base+"/v1/shares", bytes.NewReader(body))
	if err != nil {
		x.Fatal(err)
	}
	r.Header = http.Header{"X-Api-Key": {x.key}, "Content-Type": {"application/json"}}
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		x.Fatal(err)
	}
	defer reply.Body.Close()
	var made struct{ Token string }
	text, _ := io.ReadAll(reply.Body)
	if reply.StatusCode != http.StatusCreated || json.Unmarshal(text, &made) != nil {
		return "", fmt.Sprintf("%d %s", reply.StatusCode, text)
	}
	return "/proof/" + made.Token, ""
}

// takeAway wants the page to show a row, and the program to verify the files that it gives, and to refuse them with one bit changed.
func (x *examiner) takeAway(path string, hasRow bool) {
	x.Helper()
	status, page := x.stranger(path)
	if isOutlined := bytes.Contains(page, []byte("<mark class=row>")) || bytes.Contains(page, []byte("<mark class=asked>")); status != 200 || isOutlined != hasRow {
		x.Fatalf("%s: %d, outlined %t: %s", path, status, isOutlined, page)
	}
	args := []string{"evidence", "verify"}
	for _, link := range sharedFile.FindAllStringSubmatch(string(page), -1) {
		status, body := x.stranger(link[1])
		if status != 200 {
			x.Errorf("%s: %d", link[1], status)
		}
		file := x.write(link[2], body)
		if link[2] == "answer.json" {
			args = append(args[:2], append([]string{file}, args[2:]...)...)
			continue
		}
		args = append(args, file)
	}
	if code, out, errs := run(x.T, daemon.Environ{}, args...); code != 0 || !strings.HasSuffix(out, "verified\n") {
		x.Errorf("%s: exit %d\n%s%s", path, code, out, errs)
	}
	_, body := x.stranger(sharedFile.FindStringSubmatch(string(page))[1])
	body[len(body)/2] ^= 1
	args[3] = x.write("changed", body)
	if code, out, _ := run(x.T, daemon.Environ{}, args...); code == 0 {
		x.Errorf("%s: a bit is changed, and nobody notices: %s", path, out)
	}
}

// Of every carrier and every state: a stranger opens the proof of an answer, takes it away and verifies it offline; of every state also the
// proof that there is no such license. A value that was typed is refused.
func TestProofsOfAllSourcesAreShared(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("waits for seconds")
	}
	x := newExaminer(t)
	for _, c := range contracts.Carriers {
		answer := map[string]any{}
		if err := json.Unmarshal(get(t, x.base+"/v1/ltl/fuel-surcharge?weeks=1&carriers="+string(c), x.key), &answer); err != nil {
			t.Fatal(err)
		}
		path, refusal := x.share(map[string]any{"answer": answer})
		if refusal != "" {
			t.Errorf("%s: %s", c, refusal)
			continue
		}
		x.takeAway(path, true)
		week := answer["weeks"].([]any)[0].(map[string]any)
		week["fuel_surcharge_pct"] = week["fuel_surcharge_pct"].(float64) + 1
		if _, refusal := x.share(map[string]any{"answer": answer}); !strings.HasPrefix(refusal, "422") {
			t.Errorf("%s: a percent that was typed: %q", c, refusal)
		}
	}
	for state, numbers := range map[contracts.State][2]string{
		contracts.CA: {"", "999999"}, contracts.TX: {"", "999999999"}, contracts.NY: {"", "0340-22-999999"}, contracts.FL: {"", "BEV9999999"},
		contracts.IL: {"", "1A-1999999"},
	} {
		lookup := func(number string) string {
			return "/v1/abc/license/" + url.PathEscape(number) + "?state=" + string(state)
		}
		var found contracts.Search
		if err := json.Unmarshal(get(t, x.base+"/v1/abc/search?limit=1&dba_name=cafe&state="+string(state), x.key), &found); err != nil || len(found.Results) == 0 {
			t.Fatalf("%s: %v", state, err)
		}
		answer := map[string]any{}
		if err := json.Unmarshal(get(t, x.base+lookup(found.Results[0].LicenseNumber), x.key), &answer); err != nil {
			t.Fatal(err)
		}
		if path, refusal := x.share(map[string]any{"answer": answer}); refusal != "" {
			t.Errorf("%s: %s", state, refusal)
		} else {
			x.takeAway(path, true)
		}
		answer["record"].(map[string]any)["owner_name"] = "TYPED"
		if _, refusal := x.share(map[string]any{"answer": answer}); !strings.HasPrefix(refusal, "422") {
			t.Errorf("%s: an owner that was typed: %q", state, refusal)
		}
		x.sharesAbsence(state, numbers[1], lookup(numbers[1]))
	}
}

func (x *examiner) sharesAbsence(state contracts.State, number, lookup string) {
	x.Helper()
	var absent struct {
		Verifiability contracts.Verifiability `json:"_verifiability"`
	}
	body, answer := x.refused(lookup), map[string]any{}
	if err := cmp.Or(json.Unmarshal(body, &absent), json.Unmarshal(body, &answer)); err != nil || absent.Verifiability.EvidenceSHA256 == nil {
		x.Fatalf("%s %s: %v %+v", state, number, err, absent)
	}
	x.provesAbsence(number, body, absent.Verifiability.Evidence)
	path, refusal := "", ""
	clocktest.Await(x.T, "the lookup is stored", func() bool {
		path, refusal = x.share(map[string]any{"state": state, "license_number": number, "evidence_sha256": absent.Verifiability.EvidenceSHA256})
		return !strings.Contains(refusal, "no lookup of this license is kept")
	})
	if refusal != "" {
		x.Errorf("%s %s: %s", state, number, refusal)
		return
	}
	x.takeAway(path, false)
	if _, refusal := x.share(map[string]any{"answer": answer}); refusal != "" {
		x.Errorf("%s %s, as the answer: %s", state, number, refusal)
	}
}

// provesAbsence wants the body of a 404 to be verified by the command and by the console, and refused where its words are of another license.
func (x *examiner) provesAbsence(number string, body []byte, of []contracts.Evidence) {
	x.Helper()
	var documents []string
	for _, d := range of {
		documents = append(documents, x.write(d.SHA256, get(x.T, fmt.Sprintf("%s/v1/evidence/%s?at=%s", x.base, d.SHA256, d.At), x.key)))
	}
	verify := func(body []byte) (int, string) {
		code, out, errs := run(x.T, daemon.Environ{}, append([]string{"evidence", "verify", x.write("absence.json", body)}, documents...)...)
		return code, out + errs
	}
	if code, out := verify(body); code != 0 || !strings.Contains(out, number+": ") || !strings.HasSuffix(out, "verified\n") {
		x.Errorf("%s: exit %d %s", number, code, out)
	}
	if status, v := x.consoleProof(body); status != http.StatusOK || !v.isVerified || v.good < 2 || v.bad > 0 {
		x.Errorf("%s: the console says %d %+v", number, status, v)
	}
	other := bytes.Replace(body, []byte(number), []byte("400000"), 1) // in the words
	if code, out := verify(other); code == 0 || bytes.Equal(other, body) {
		x.Errorf("%s: words of another license: exit %d %s", number, code, out)
	}
}

// refused is the body of a 404.
func (x *examiner) refused(path string) []byte {
	x.Helper()
	r, err := http.NewRequestWithContext(x.Context(), http.MethodGet, x.base+path, nil)
	if err != nil {
		x.Fatal(err)
	}
	r.Header.Set("X-API-Key", x.key)
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		x.Fatal(err)
	}
	defer reply.Body.Close()
	body, _ := io.ReadAll(reply.Body)
	if reply.StatusCode != http.StatusNotFound {
		x.Fatalf("%s: %d %s", path, reply.StatusCode, body)
	}
	return body
}
