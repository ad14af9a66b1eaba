package system_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/s2"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/assay/backup"
	"assay.dev/contracts"
	"assay.dev/platform/access/accesstest"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/kv"
)

var secretsFile = flag.String("secrets", "", "where the process whose log is looked at says what must not be in it")

// What a webhook goes through leaves no secret of it in logs, spans, metrics, messages, streams, buckets and backups; what its URL has
// in its query is in none but the entry that its owner sees, and the backup of that.
func TestSecretsOfWebhooksStayInside(t *testing.T) {
	if *secretsFile != "" {
		secretsStayInside(t, *secretsFile)
		return
	}
	t.Parallel()
	file := filepath.Join(t.TempDir(), "secrets")
	again := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v", "-secrets", file)
	logs, err := again.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, logs[max(0, len(logs)-4000):])
	}
	text, err := os.ReadFile(file)
	if err != nil || !bytes.Contains(logs, []byte(`"msg":"delivery"`)) {
		t.Fatalf("the log does not tell of deliveries, %v", err)
	}
	for secret := range strings.FieldsSeq(string(text)) {
		if bytes.Contains(logs, []byte(secret)) {
			t.Errorf("%q is in the log", secret)
		}
	}
}

const (
	sealKey    = "canary-seal-key-of-thirty-two-and-more"
	queryToken = "canary-query-token"
)

// forms are what a secret looks like: as it was told, its halves, and the bytes that it is.
func forms(t *testing.T, told any) []string {
	t.Helper()
	text := strings.TrimPrefix(told.(string), "whsec_")
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(raw) != 32 {
		t.Fatal(told, err)
	}
	return []string{text, text[:20], text[20:], hex.EncodeToString(raw), string(raw), base64.URLEncoding.EncodeToString(raw)}
}

func secretsStayInside(t *testing.T, file string) {
	dir, folder := t.TempDir(), filepath.Join(t.TempDir(), "backup")
	spans := filepath.Join(dir, "spans")
	r := start(t, environ(dir).With("ASSAY_LOG_LEVEL", "debug").With("ASSAY_TRACE_FILE", spans).With("ASSAY_WEBHOOK_KEY", sealKey))
	js, disconnect := connect(t, dir)
	heard := accesstest.Overhear(t, js.Conn())
	secrets := r.live(t)
	if err := os.WriteFile(file, []byte(strings.Join(textual(secrets), "\n")+"\n"+queryToken), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := backup.Write(t.Context(), js.Conn(), folder, io.Discard); err != nil {
		t.Fatal(err)
	}
	places := map[string][]byte{"metrics": []byte(r.metrics(t))}
	endpoint := streams(t, js, places)
	backedUp(t, folder, places)
	disconnect()
	r.stop(t)
	var err error
	if places["spans"], err = os.ReadFile(spans); err != nil || !bytes.Contains(places["spans"], []byte("webhook.deliver")) {
		t.Fatalf("no spans of deliveries: %v", err)
	}
	for _, secret := range secrets {
		if said := heard.Holding(secret); len(said) > 0 {
			t.Errorf("%q is in messages on %v", secret, said)
		}
		for where, text := range places {
			if bytes.Contains(text, []byte(secret)) {
				t.Errorf("%q is in %s", secret, where)
			}
		}
	}
	if !bytes.Contains(places[endpoint], []byte(queryToken)) {
		t.Errorf("the endpoint is not among what was looked at: %d places", len(places))
	}
	for _, where := range []string{"metrics", "spans"} {
		if bytes.Contains(places[where], []byte(queryToken)) {
			t.Errorf("the URL's query is in the %s", where)
		}
	}
}

// textual are the secrets that may be looked for in a text by lines.
func textual(secrets []string) (all []string) {
	for _, s := range secrets {
		if !strings.ContainsFunc(s, func(c rune) bool { return c <= ' ' || c > '~' }) {
			all = append(all, s)
		}
	}
	return all
}

// live takes a webhook through its life: made, tested, delivered to, rotated, failing, tried again, and gone.
func (r *running) live(t *testing.T) (secrets []string) {
	t.Helper()
	h := newHook(t)
	status, made := r.order(t, http.MethodPost, "/v1/webhooks", `{"url":"`+h.URL+`/?token=`+queryToken+`","types":["license.status_changed"]}`)
	if status != http.StatusCreated {
		t.Fatalf("%d %v", status, made)
	}
	path, number := "/v1/webhooks/"+made["id"].(string), r.active(t, 3)
	took := func(n int) {
		t.Helper()
		clocktest.Await(t, fmt.Sprint(n, " are taken"), func() bool { all, _ := h.changes(); return len(all) == n })
	}
	r.order(t, http.MethodPost, path, `{"action":"test"}`)
	took(1)
	_, rotated := r.order(t, http.MethodPost, path, `{"action":"rotate"}`)
	r.suspend(t, number[0], h)
	h.refuse(http.StatusServiceUnavailable)
	r.suspend(t, number[1])
	clocktest.Await(t, "one is refused", func() bool { _, refused := h.times(); return refused == 1 })
	h.refuse(0)
	took(3)
	h.refuse(http.StatusGone)
	r.suspend(t, number[2])
	clocktest.Await(t, "it is disabled", func() bool {
		_, _, body := r.get(t, r.base+path, r.keys["test"])
		return strings.Contains(string(body), `"disabled"`)
	})
	return append(append(forms(t, made["secret"]), forms(t, rotated["secret"])...), sealKey, r.keys["test"])
}

// streams adds all that the streams hold, and names the one of endpoints.
func streams(t *testing.T, js jetstream.JetStream, places map[string][]byte) (endpoints string) {
	t.Helper()
	names := js.StreamNames(t.Context())
	for name := range names.Name() {
		stream, err := js.Stream(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		var all bytes.Buffer
		state := stream.CachedInfo().State
		for n := state.FirstSeq; n > 0 && n <= state.LastSeq && state.Msgs > 0; n++ {
			msg, err := stream.GetMsg(t.Context(), n)
			if err != nil {
				continue // it is gone
			}
			header, _ := json.Marshal(msg.Header)
			all.WriteString(msg.Subject)
			all.Write(header)
			all.Write(msg.Data)
			if plain, err := kv.Expand(msg.Data); err == nil {
				all.Write(plain)
			}
		}
		places["stream "+name] = all.Bytes()
	}
	if err := names.Err(); err != nil {
		t.Fatal(err)
	}
	return "stream " + contracts.EndpointsBucket.Stream()
}

// backedUp adds the files of a backup, unpacked.
func backedUp(t *testing.T, folder string, places map[string][]byte) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(folder), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		f, err := os.OpenInRoot(folder, path)
		if err != nil {
			return err
		}
		defer f.Close()
		from := io.Reader(f)
		switch {
		case strings.HasSuffix(path, ".gz"):
			if from, err = gzip.NewReader(f); err != nil {
				return err
			}
		case strings.HasSuffix(path, ".s2"):
			from = s2.NewReader(f)
		}
		places["backup "+path], err = io.ReadAll(from)
		for line := range strings.Lines(string(places["backup "+path])) { // entries have their values in base64
			var e struct{ Data []byte }
			if strings.HasSuffix(path, ".gz") && json.Unmarshal([]byte(line), &e) == nil {
				places["backup "+path] = append(places["backup "+path], e.Data...)
			}
		}
		return err
	})
	if err != nil || len(places["backup "+contracts.EndpointsBucket.Stream()+".jsonl.gz"]) == 0 {
		t.Fatal(err, len(places))
	}
}
