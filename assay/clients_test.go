package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	client "assay.dev/clients/go"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/daemon"
)

// clientCase is a call of clients/cases.json and what must become of it.
type clientCase struct {
	Name      string          `json:"name"`
	Call      string          `json:"call"`
	Args      json.RawMessage `json:"args,omitempty"`
	Options   clientOptions   `json:"options"`
	Require   []string        `json:"require,omitempty"`
	Documents bool            `json:"documents,omitempty"` // download those that the answer names
	// Below is what follows the address of the running system in the client's.
	Below string `json:"below,omitempty"`
	// Replies are what a server answers, one after the other and then the last one again; none asks the running system.
	Replies []scriptedReply `json:"replies,omitempty"`

	// Want is what the outcome holds at least.
	Want any `json:"want"`
	// Sent is how many requests come; Path is the last one's. Seconds pass at least.
	Sent    *int    `json:"sent,omitempty"`
	Path    string  `json:"path,omitempty"`
	Seconds float64 `json:"seconds,omitempty"`

	Key string `json:"key"`
	URL string `json:"url"`
}

type clientOptions struct {
	Key               string  `json:"key,omitempty"`
	RequireConfidence float64 `json:"require_confidence,omitempty"`
	Timeout           float64 `json:"timeout,omitempty"`
	Attempts          int     `json:"attempts,omitempty"`
}

type scriptedReply struct {
	Status  int               `json:"status,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
	Body    json.RawMessage   `json:"body,omitempty"`
	Hang    bool              `json:"hang,omitempty"`
}

// TestAllClientsDoTheSame runs the table of cases with each client, against the running system and against scripted replies.
func TestAllClientsDoTheSame(t *testing.T) {
	t.Parallel()
	var cases []clientCase
	if err := json.Unmarshal([]byte(readFile(t, "../clients/cases.json")), &cases); err != nil {
		t.Fatal(err)
	}
	base, key := up(t)
	// The past weeks of the cases are seen again, and written, before a client asks: else one would get them as they were before.
	get(t, base+"/v1/ltl/fuel-surcharge?carriers=ODFL&weeks=26", key)
	clocktest.Await(t, "the weeks that were just read are archived", func() bool {
		return !strings.Contains(string(get(t, base+"/v1/ltl/fuel-surcharge?carriers=ODFL&from=2026-09-01&to=2026-09-30", key)), `"evidence_sha256":null`)
	})
	outcomes := map[string][]any{}
	var mu sync.Mutex
	var running sync.WaitGroup
	for name, run := range map[string]func(*testing.T, []clientCase) []any{"go": runGo, "python": runPython, "typescript": runNode} {
		running.Go(func() {
			script := newScript(t, name, cases, base, key)
			if all := run(t, script.cases); all != nil {
				script.check(t)
				mu.Lock()
				defer mu.Unlock()
				outcomes[name] = all
			}
		})
	}
	running.Wait()
	for i, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			for name, all := range outcomes {
				if !holds(all[i], c.Want) {
					t.Errorf("%s: %s\nwant %s", name, text(all[i]), text(c.Want))
				}
				if !reflect.DeepEqual(stripped(all[i], c), stripped(outcomes["go"][i], c)) {
					t.Errorf("%s: %s\nGo: %s", name, text(all[i]), text(outcomes["go"][i]))
				}
			}
		})
	}
	t.Logf("%d cases by %d clients", len(cases), len(outcomes))
}

// text is JSON of a value, for messages.
func text(v any) string {
	encoded, _ := json.Marshal(v)
	return string(encoded)
}

// holds tells whether a value holds all that is wanted: members of objects, and lists by their beginnings.
func holds(got, want any) bool {
	switch want := want.(type) {
	case map[string]any:
		object, ok := got.(map[string]any)
		for name, inner := range want {
			ok = ok && holds(object[name], inner)
		}
		return ok
	case []any:
		list, ok := got.([]any)
		if !ok || len(list) < len(want) || len(want) == 0 && len(list) > 0 {
			return false
		}
		for i, inner := range want {
			if !holds(list[i], inner) {
				return false
			}
		}
		return true
	}
	return fmt.Sprint(got) == fmt.Sprint(want)
}

// stripped is an outcome without what differs from request to request, and without the words of a client's own errors.
func stripped(outcome any, c clientCase) any {
	object, _ := outcome.(map[string]any)
	object = maps.Clone(object)
	if c.Replies == nil {
		delete(object, "request_id")
		delete(object, "age")
		delete(object, "raw")
	}
	if object["error"] == "other" {
		delete(object, "message")
	}
	if c.Call == "states" || c.Call == "carriers" || c.Call == "match" || c.Call == "changes" {
		object["body"] = unread(object["body"])
	}
	return object
}

// unread is a body without the times of readings and without the newest cursor: both move while the clients ask.
func unread(body any) any {
	return lastRead.ReplaceAllString(text(body), "")
}

var lastRead = regexp.MustCompile(`"(last_[a-z]+|read_at|breaker|cursor)":"[^"]*",?`)

// decode reads an outcome. Numbers keep their digits.
func decode(t *testing.T, line []byte) (outcome any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	if err := d.Decode(&outcome); err != nil {
		t.Errorf("%v: %s", err, line)
	}
	return outcome
}

// script is a server for the scripted cases of one client, which sees what is sent.
type script struct {
	cases []clientCase
	key   string
	mu    sync.Mutex
	seen  map[int][]*http.Request
}

func newScript(t *testing.T, name string, cases []clientCase, base, key string) *script {
	s := &script{key: key, seen: map[int][]*http.Request{}}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	for i, c := range cases {
		c.Key, c.URL = key, base+c.Below
		if c.Replies != nil {
			c.URL = fmt.Sprintf("%s/%s/%d", server.URL, name, i)
		}
		s.cases = append(s.cases, c)
	}
	return s
}

// ServeHTTP answers /<client>/<number of the case>/v1/… with the case's next reply.
func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	parts := strings.SplitN(r.RequestURI, "/", 4)
	i, err := strconv.Atoi(parts[2])
	if err != nil {
		http.NotFound(w, r)
		return
	}
	r.RequestURI = "/" + parts[3]
	s.mu.Lock()
	replies := s.cases[i].Replies
	reply := replies[min(len(s.seen[i]), len(replies)-1)]
	s.seen[i] = append(s.seen[i], r)
	s.mu.Unlock()
	if reply.Hang {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
		return
	}
	for name, value := range reply.Headers {
		w.Header().Set(name, value)
	}
	w.WriteHeader(reply.Status)
	var body string
	if json.Unmarshal(reply.Body, &body) != nil {
		body = string(reply.Body)
	}
	_, _ = io.WriteString(w, body)
}

// check compares what was sent with the cases.
func (s *script) check(t *testing.T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, c := range s.cases {
		sent := s.seen[i]
		if c.Sent != nil && len(sent) != *c.Sent {
			t.Errorf("%s: %s: %d requests, want %d", c.URL, c.Name, len(sent), *c.Sent)
		}
		for _, r := range sent {
			if r.Header.Get("X-API-Key") != s.key || r.Header.Get("Idempotency-Key") != sent[0].Header.Get("Idempotency-Key") {
				t.Errorf("%s: %s: headers %v", c.URL, c.Name, r.Header)
			}
		}
		if n := len(sent); c.Path != "" && n > 0 && !samePath(sent[n-1].RequestURI, c.Path) {
			t.Errorf("%s: %s: asked for %s, want %s", c.URL, c.Name, sent[n-1].RequestURI, c.Path)
		}
	}
}

func samePath(got, want string) bool {
	x, err1 := url.Parse(got)
	y, err2 := url.Parse(want)
	return err1 == nil && err2 == nil && x.EscapedPath() == y.EscapedPath() && reflect.DeepEqual(x.Query(), y.Query())
}

func runPython(t *testing.T, cases []clientCase) []any {
	return runProcess(t, cases, []string{"PYTHONPATH=../clients/python/src", "PYTHONDONTWRITEBYTECODE=1", "no_proxy=*"},
		"python3", "../clients/python/tests/cases.py")
}

func runNode(t *testing.T, cases []clientCase) []any {
	return runProcess(t, cases, nil, "node", "../clients/typescript/test/cases.mjs")
}

// runProcess runs the cases in a process of a client, a line each; nil where its language is not installed.
func runProcess(t *testing.T, cases []clientCase, environ []string, name string, args ...string) []any {
	program, err := exec.LookPath(name)
	if err != nil {
		t.Logf("the client of %s is not tried: %v", name, err)
		return nil
	}
	process := exec.CommandContext(t.Context(), program, args...)
	process.Env = slices.Concat(environ, []string{"PATH=" + daemon.OSEnviron()["PATH"], "HOME=" + t.TempDir()})
	var errs bytes.Buffer
	process.Stderr = &errs
	in, err1 := process.StdinPipe()
	out, err2 := process.StdoutPipe()
	if err1 != nil || err2 != nil || process.Start() != nil {
		t.Errorf("%s: %v, %v", name, err1, err2)
		return nil
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 16<<20)
	var outcomes []any
	for _, c := range cases {
		began := time.Now()
		if err := json.NewEncoder(in).Encode(c); err != nil || !lines.Scan() {
			t.Errorf("%s: %s: %v, %v", name, c.Name, err, lines.Err())
			break
		}
		outcomes = append(outcomes, decode(t, lines.Bytes()))
		checkPace(t, name, c, began)
	}
	_ = in.Close()
	if err := process.Wait(); err != nil || len(outcomes) != len(cases) {
		t.Errorf("%s: %v, %d outcomes\n%s", name, err, len(outcomes), &errs)
		return nil
	}
	return outcomes
}

// checkPace looks that a case took as long as it must at least.
func checkPace(t *testing.T, name string, c clientCase, began time.Time) {
	if took := time.Since(began); took.Seconds() < c.Seconds {
		t.Errorf("%s: %s took %s", name, c.Name, took)
	}
}

// exampleEnviron is what the examples of the clients find in their environment, besides the key and the address.
func exampleEnviron(t *testing.T) []string {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	all := daemon.OSEnviron()
	return []string{
		"ASSAY=" + root, "PYTHONPATH=" + root + "/clients/python/src", "PYTHONDONTWRITEBYTECODE=1", "no_proxy=*", "PATH=" + all["PATH"],
		"HOME=" + all["HOME"], "GOCACHE=" + all["GOCACHE"], "GOFLAGS=" + all["GOFLAGS"],
	}
}

// TestTheExamplesOfTheClientsWork runs those of the READMEs as a newcomer does, and verifies the proof that they download.
func TestTheExamplesOfTheClientsWork(t *testing.T) {
	t.Parallel()
	base, key := up(t)
	environ := append(exampleEnviron(t), "ASSAY_API_KEY="+key, "ASSAY_API_URL="+base)
	module, err := filepath.Abs("../clients/typescript/dist/index.js")
	if err != nil {
		t.Fatal(err)
	}
	for program, c := range map[string]struct{ readme, language, file, command string }{
		"python3": {"../clients/python/README.md", "python", "try.py", "python3 try.py"},
		"node":    {"../clients/typescript/README.md", "ts", "try.mjs", "node try.mjs"},
		"go":      {"../clients/go/README.md", "go", "main.go", codeBlock(t, "../clients/go/README.md", "```sh\ngo mod init")},
	} {
		t.Run(program, func(t *testing.T) {
			if _, err := exec.LookPath(program); err != nil {
				t.Skip(err)
			}
			example := codeBlock(t, c.readme, "```"+c.language+"\n")
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, c.file), []byte(strings.ReplaceAll(example, "@assay/client", module)), 0o600); err != nil {
				t.Fatal(err)
			}
			process := exec.CommandContext(t.Context(), "bash", "-ec", c.command)
			process.Dir, process.Env = dir, environ
			out, err := process.CombinedOutput()
			if err != nil || !strings.Contains(string(out), "A1 OVERBILLED 46.32\nA2 OVERBILLED 53.75\nA3 MATCH 46.32\n") {
				t.Fatalf("%v\n%s", err, out)
			}
			documents, err := filepath.Glob(filepath.Join(dir, "TX-*"))
			if err != nil || len(documents) == 0 {
				t.Fatalf("%v, no document of %s", err, readFile(t, filepath.Join(dir, "answer.json")))
			}
			must(t, nil, append([]string{"evidence", "verify", filepath.Join(dir, "answer.json")}, documents...)...)
		})
	}
}

// codeBlock is the code of the first block of a Markdown file that begins so.
func codeBlock(t *testing.T, file, begin string) string {
	t.Helper()
	_, code, found := strings.Cut(readFile(t, file), begin)
	if !found {
		t.Fatalf("%s has no %q", file, begin)
	}
	_, first, _ := strings.Cut(begin, "\n")
	code, _, _ = strings.Cut(code, "```")
	return first + code
}

func runGo(t *testing.T, cases []clientCase) (outcomes []any) {
	for _, c := range cases {
		began := time.Now()
		outcome, err := callGo(t.Context(), c)
		if err != nil {
			outcome = goFailure(err)
		}
		encoded, err := json.Marshal(outcome)
		if err != nil {
			t.Error(err)
		}
		outcomes = append(outcomes, decode(t, encoded))
		checkPace(t, "go", c, began)
	}
	return outcomes
}

// options are those of the case for the Go client.
func (c clientCase) options() client.Options {
	o := client.Options{
		Key: c.Key, URL: c.URL, RequireConfidence: c.Options.RequireConfidence, Attempts: c.Options.Attempts,
		Timeout: time.Duration(c.Options.Timeout * float64(time.Second)),
	}
	if c.Options.Key != "" {
		o.Key = c.Options.Key
	}
	return o
}
