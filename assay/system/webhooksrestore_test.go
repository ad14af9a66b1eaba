package system_test

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/assay/backup"
	"assay.dev/assay/system"
	"assay.dev/contracts"
	"assay.dev/gateway/keys"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/kv"
	"assay.dev/platform/webhook"
)

// refuse has a hook reply a status to what comes; 0 has it take that again.
func (h *hook) refuse(status int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.refusal = status
}

// times are how often a hook took each change, by what the change says, and how many it refused.
func (h *hook) times() (took map[string]int, refused int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	took = map[string]int{}
	for _, c := range h.got {
		took[c.ID]++
	}
	return took, h.refused
}

// of is the id of the change of a license to a status, which a hook took; empty before.
func (h *hook) of(number string, status contracts.Status) (id string) {
	all, _ := h.changes()
	for _, c := range all {
		if c.Data.LicenseNumber == number && c.Data.After != nil && c.Data.After.Status == status {
			id = c.ID
		}
	}
	return id
}

// suspend suspends a license of the sandbox, and returns the id of the change once each hook took it.
func (r *running) suspend(t *testing.T, number string, hooks ...*hook) (id string) {
	t.Helper()
	body := `{"state":"CA","license_number":"` + number + `","status":"SUSPENDED"}`
	if status, said := r.post(t, "changes", body); status != http.StatusAccepted {
		t.Fatalf("%d %s", status, said)
	}
	for _, h := range hooks {
		clocktest.Await(t, number+" is told", func() bool { id = h.of(number, contracts.Suspended); return id != "" })
	}
	return id
}

// active are n licenses of California in force, without an oddity.
func (r *running) active(t *testing.T, n int) (numbers []string) {
	t.Helper()
	_, _, body := r.get(t, r.admin+"/sandbox/licenses?limit=100&case=plain&state=CA", "")
	var all []struct {
		Number string
		Mirror *contracts.LicenseRecord
	}
	if err := json.Unmarshal(body, &all); err != nil {
		t.Fatal(err)
	}
	for _, l := range all {
		if l.Mirror != nil && l.Mirror.Status == contracts.Active {
			numbers = append(numbers, l.Number)
		}
	}
	return numbers[:n]
}

// endpoints are those that are kept, newest the newest change of a status, and last the newest of all.
func endpoints(t *testing.T, js jetstream.JetStream) (all []webhook.Endpoint, newest, last uint64) {
	t.Helper()
	bucket, err := js.KeyValue(t.Context(), contracts.EndpointsBucket.Name)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := kv.Entries(t.Context(), js, bucket, "*.*.*")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		var e webhook.Endpoint
		if err := json.Unmarshal(entry.Value(), &e); err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
	stream, err := js.Stream(t.Context(), contracts.ChangesStream.Name)
	if err != nil {
		t.Fatal(err)
	}
	taken, err := stream.GetLastMsgForSubject(t.Context(), "assay.v1.*.changes.*.*."+string(contracts.StatusChanged)) // what hooks take
	if err != nil {
		t.Fatal(err)
	}
	return all, taken.Sequence, stream.CachedInfo().State.LastSeq
}

// awaitNoted waits until the places of all endpoints lie behind the newest change, and so many deliveries are to be tried again.
func awaitNoted(t *testing.T, js jetstream.JetStream, retries int) {
	t.Helper()
	clocktest.Await(t, "the places are noted", func() bool {
		all, newest, _ := endpoints(t, js)
		open, behind := 0, 0
		for _, e := range all {
			open += len(e.Retries)
			if e.Cursor.Sequence < newest {
				behind++
			}
		}
		return behind == 0 && open == retries
	})
}

// during calls f once a line of a backup's progress names a stream.
type during struct {
	stream string
	f      func()
}

func (d *during) Write(line []byte) (int, error) {
	if strings.HasPrefix(string(line), d.stream+" ") {
		d.f()
	}
	return len(line), nil
}

// Webhooks live through a backup, the loss of all streams and a restore. What was delivered before the backup, and noted, is not delivered
// again. What was delivered later comes again with the same id where the backup has it, as the manifest says. No place passes a change.
func TestARestoreRepeatsWhatTheManifestSays(t *testing.T) {
	t.Parallel()
	dir, folder := t.TempDir(), filepath.Join(t.TempDir(), "backup")
	// The backup may take longer than the first pause.
	r := start(t, environ(dir), func(cfg *system.Config) { cfg.Schedule = slices.Repeat([]time.Duration{5 * time.Second}, 100) })
	steady, failing := newHook(t), newHook(t)
	for _, h := range []*hook{steady, failing} {
		clocktest.Await(t, "an endpoint is made", func() bool { // 503 until the feed is followed
			status, _ := r.order(t, http.MethodPost, "/v1/webhooks", `{"url":"`+h.URL+`","types":["license.status_changed"]}`)
			return status == http.StatusCreated
		})
	}
	number := r.active(t, 5)
	before := r.suspend(t, number[0], steady, failing)
	failing.refuse(http.StatusServiceUnavailable)
	retried := r.suspend(t, number[1], steady)
	clocktest.Await(t, "one is refused", func() bool { _, refused := failing.times(); return refused > 0 })
	conn, disconnect := connect(t, dir)
	awaitNoted(t, conn, 1)
	var while string
	m, err := backup.Write(t.Context(), conn.Conn(), folder, &during{contracts.EndpointsBucket.Stream(), func() {
		failing.refuse(0)
		while = r.suspend(t, number[2], steady, failing)
	}})
	if err != nil {
		t.Fatal(err)
	}
	lost := r.suspend(t, number[3], steady, failing)
	clocktest.Await(t, "the second attempt", func() bool { took, _ := failing.times(); return took[retried] == 1 })
	want := map[string]int{before: 1, retried: 1, while: 1, lost: 1}
	for name, h := range map[string]*hook{"steady": steady, "failing": failing} {
		if took, _ := h.times(); !maps.Equal(took, want) {
			t.Fatalf("%s took %v before the loss, want %v", name, took, want)
		}
	}
	if said := strings.Join(m.Lost, "\n"); !strings.Contains(said, "delivered since then, or in the second before it") {
		t.Errorf("the manifest does not say what may come twice: %s", said)
	}
	disconnect()
	r.stop(t)
	edition := restore(t, dir, folder)

	r = start(t, environ(dir))
	again, disconnect := connect(t, dir)
	defer disconnect()
	clocktest.Await(t, "an edition of this life is known", func() bool { return comparedLast(t, again) != edition })
	after := r.suspend(t, number[4], steady, failing)
	awaitNoted(t, again, 0)
	want[while], want[after] = 2, 1
	for name, c := range map[string]struct {
		*hook
		retried int
	}{"steady": {steady, 1}, "failing": {failing, 2}} {
		want[retried] = c.retried
		took, _ := c.times()
		for id, n := range want {
			if took[id] != n {
				t.Errorf("%s took %s %d times, want %d", name, id, took[id], n)
			}
		}
		for _, id := range told(t, again) {
			if took[id] == 0 {
				t.Errorf("%s was not told %s", name, id)
			}
		}
	}
}

// comparedLast is which edition of California was compared last.
func comparedLast(t *testing.T, js jetstream.JetStream) string {
	t.Helper()
	bucket, err := js.KeyValue(t.Context(), contracts.ComparedBucket.Name)
	if err != nil {
		t.Fatal(err)
	}
	entry, err := bucket.Get(t.Context(), contracts.ComparedKey(contracts.Test, contracts.ABC, string(contracts.CA)))
	if err != nil {
		t.Fatal(err)
	}
	return string(entry.Value())
}

// restore loses the streams of a data directory, and puts back what a backup holds, as `assay restore` and `assay keys confirm` do.
func restore(t *testing.T, dir, folder string) (edition string) {
	t.Helper()
	if err := os.RemoveAll(filepath.Join(dir, "nats")); err != nil {
		t.Fatal(err)
	}
	conn, stop, err := system.StartNATS(t.Context(), dir, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := stop(); err != nil {
			t.Error(err)
		}
	}()
	if _, err := backup.Restore(t.Context(), conn, folder, nil, 1, io.Discard); err != nil {
		t.Fatal(err)
	}
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	all, _, last := endpoints(t, js)
	for _, e := range all {
		if e.Cursor.Sequence > last {
			t.Errorf("the place %d lies behind the last change, %d", e.Cursor.Sequence, last)
		}
	}
	store, err := keys.OpenStore(t.Context(), js)
	if err == nil {
		err = store.Confirm(t.Context())
	}
	if err != nil || len(all) != 2 {
		t.Fatal(fmt.Sprint(len(all), " endpoints "), err)
	}
	return comparedLast(t, js)
}

// told are the ids of the changes of a status that the stream has.
func told(t *testing.T, js jetstream.JetStream) (ids []string) {
	t.Helper()
	stream, err := js.Stream(t.Context(), contracts.ChangesStream.Name)
	if err != nil {
		t.Fatal(err)
	}
	for n := uint64(1); n <= stream.CachedInfo().State.LastSeq; n++ {
		msg, err := stream.GetMsg(t.Context(), n)
		if err != nil || !strings.HasSuffix(msg.Subject, string(contracts.StatusChanged)) {
			continue // it is of another type
		}
		var c contracts.Change
		if err := json.Unmarshal(msg.Data, &c); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, c.ID)
	}
	return ids
}
