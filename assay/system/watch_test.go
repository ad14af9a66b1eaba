package system_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/clock/clocktest"
)

// post sends a call to the sandbox, as an operator would.
func (r *running) post(t *testing.T, call, body string) (status int, said string) {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, r.admin+"/sandbox/"+call, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: clocktest.Patience}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text)
}

// compared are the states of the test environment that are watched.
func compared(t *testing.T, js jetstream.JetStream) (states int) {
	t.Helper()
	bucket, err := js.KeyValue(t.Context(), contracts.ComparedBucket.Name)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range contracts.States {
		if _, err := bucket.Get(t.Context(), contracts.ComparedKey(contracts.Test, contracts.ABC, string(s))); err == nil {
			states++
		}
	}
	return states
}

// The stand-in's registers are watched once somebody wants their changes; the very first change that is posted is told, also of a state
// whose file was loaded before.
func TestTheFirstChangeThatIsPostedIsTold(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := start(t, environ(dir))
	js, disconnect := connect(t, dir)
	defer disconnect()
	if status, _, body := r.get(t, r.base+"/v1/abc/license/400012?state=CA", r.keys["test"]); status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	if n := compared(t, js); n > 0 {
		t.Errorf("%d states are watched before anybody wants it", n)
	}
	if status, said := r.post(t, "changes", `{"state":"CA","license_number":"400000","status":"NONE"}`); status != http.StatusUnprocessableEntity {
		t.Errorf("no status: %d %s", status, said)
	}
	if status, said := r.post(t, "changes", `{"state":"CA","license_number":"400000","status":"SUSPENDED"}`); status != http.StatusAccepted {
		t.Fatalf("%d %s", status, said)
	}
	stream, err := js.Stream(t.Context(), contracts.ChangesStream.Name)
	if err != nil {
		t.Fatal(err)
	}
	clocktest.Await(t, "the change is told", func() bool {
		msg, err := stream.GetLastMsgForSubject(t.Context(), contracts.ChangeSubject(contracts.Test, contracts.ABC, "CA", contracts.StatusChanged).Name)
		return err == nil && strings.Contains(string(msg.Data), `"400000"`) && strings.Contains(string(msg.Data), `"SUSPENDED"`)
	})
	clocktest.Await(t, "all states are watched", func() bool { return compared(t, js) == len(contracts.States) })
}

// Who reads the changes of the test environment has them watched from then on.
func TestReadingChangesBeginsTheWatch(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := start(t, environ(dir))
	js, disconnect := connect(t, dir)
	defer disconnect()
	if status, _, body := r.get(t, r.base+"/v1/changes", r.keys["live"]); status != http.StatusOK || compared(t, js) > 0 {
		t.Errorf("%d %s, %d states are watched for a reader of live changes", status, body, compared(t, js))
	}
	read := func(since string) (page contracts.Changes) {
		status, _, body := r.get(t, r.base+"/v1/changes?wait=60&since="+since, r.keys["test"])
		if err := json.Unmarshal(body, &page); err != nil || status != http.StatusOK {
			t.Fatalf("%d %s %v", status, body, err)
		}
		return page
	}
	_, _, body := r.get(t, r.base+"/v1/changes", r.keys["test"])
	var page contracts.Changes
	if err := json.Unmarshal(body, &page); err != nil || page.Cursor == "" {
		t.Fatalf("%s %v", body, err)
	}
	if status, said := r.post(t, "changes", `{"state":"NY","license_number":"`+r.plain(t, "NY", 1)[0]+`","status":"EXPIRED"}`); status != http.StatusAccepted {
		t.Fatalf("%d %s", status, said)
	}
	clocktest.Await(t, "the change is read", func() bool { page = read(page.Cursor); return len(page.Changes) > 0 })
	if got := page.Changes[0]; len(page.Changes) != 1 || got.Source != "NY" || got.Type != contracts.LicenseLeft {
		t.Errorf("%+v", page.Changes)
	}
	clocktest.Await(t, "all states are watched", func() bool { return compared(t, js) == len(contracts.States) })
}

// plain are the numbers of n licenses of the stand-in without an oddity.
func (r *running) plain(t *testing.T, state string, n int) (numbers []string) {
	t.Helper()
	_, _, body := r.get(t, fmt.Sprintf("%s/sandbox/licenses?limit=%d&case=plain&state=%s", r.admin, n, state), "")
	var all []struct{ Number string }
	if err := json.Unmarshal(body, &all); err != nil || len(all) != n {
		t.Fatalf("%s %v", body, err)
	}
	for _, l := range all {
		numbers = append(numbers, l.Number)
	}
	return numbers
}
