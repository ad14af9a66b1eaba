package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"assay.dev/contracts"
)

// A line that cannot be taken is answered, and those after it too.
func TestLinesThatAreNoMessageDoNotEndTheSession(t *testing.T) {
	t.Parallel()
	in, client := io.Pipe()
	answers, out := io.Pipe()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = New(contracts.LTL, Deps{API: echo{}, Log: slog.New(slog.DiscardHandler)}).Serve(context.Background(), in, out)
	}()
	lines := bufio.NewScanner(answers)
	lines.Buffer(nil, maxLine)
	for _, c := range []struct {
		name, line, id string
		code           int
	}{
		{"first", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`, "1", 0},
		{"a batch", ` [{"jsonrpc":"2.0","id":2,"method":"ping"},{"jsonrpc":"2.0","id":3,"method":"ping"}]`, "null", -32600},
		{"an empty batch", `[]`, "null", -32600},
		{"no JSON", `hello`, "null", -32700},
		{"JSON cut short", `{"jsonrpc":"2.0",`, "null", -32700},
		{"two messages", `{"jsonrpc":"2.0","id":4,"method":"ping"} {}`, "null", -32700},
		{"an id beyond int64", `{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}`, "12345678901234567890", 0},
		{"an id beyond a float's digits", `{"jsonrpc":"2.0","id":-9007199254740993,"method":"ping"}`, "-9007199254740993", 0},
		{"an id beyond any float", `{"method":"ping","id":1e400,"jsonrpc":"2.0"}`, "1e400", 0},
		{"a fraction, and no such method", `{"jsonrpc":"2.0","id":1.5,"method":"nothing"}`, "1.5", -32601},
		{"a text of digits", `{"jsonrpc":"2.0","id":"12345678901234567890","method":"ping"}`, `"12345678901234567890"`, 0},
		{"no members", `{}`, "null", -32600},
		{"null", `null`, "null", -32600},
		{"a number", `5`, "null", -32600},
		{"a text", `"x"`, "null", -32600},
		{"an id that is true", `{"jsonrpc":"2.0","id":true,"method":"ping"}`, "null", -32600},
		{"an id that is an object", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, "null", -32600},
		{"an id that is null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, "null", -32600},
		{"a method that is a number", `{"jsonrpc":"2.0","id":6,"method":5}`, "6", -32600},
		{"another version", `{"jsonrpc":"1.0","id":"7","method":"ping"}`, `"7"`, -32600},
		{"no version", `{"id":12345678901234567890,"method":"ping"}`, "12345678901234567890", -32600},
		{"no method", `{"jsonrpc":"2.0","id":8}`, "8", -32600},
		{"parameters that are a number", `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":5}`, "9", -32602},
		{"answers that nobody asked for", `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"x"}}` + "\n" + `{"id":9,"result":{}}` + "\n" +
			`{"jsonrpc":"2.0","id":10,"method":"ping"}`, "10", 0},
		{"above the bound", `{"jsonrpc":"2.0","id":11,"method":"ping","params":{"x":"` + strings.Repeat("x", 3*maxLine) + `"}}`, "null", -32600},
		{"at the bound", `{"jsonrpc":"2.0","id":12,"method":"ping"}` + strings.Repeat(" ", maxLine-42), "12", 0},
		{"an empty line and a message", "\r\n" + `{"jsonrpc":"2.0","id":5,"method":"ping"}` + "\r", "5", 0},
	} {
		timer := time.AfterFunc(10*time.Second, func() { _ = out.CloseWithError(context.DeadlineExceeded) })
		if _, err := io.WriteString(client, c.line+"\n"); err != nil || !lines.Scan() {
			t.Fatalf("%s: %v %v", c.name, err, lines.Err())
		}
		timer.Stop()
		var answer struct {
			ID    json.RawMessage
			Error struct{ Code int }
		}
		if err := json.Unmarshal(lines.Bytes(), &answer); err != nil || string(answer.ID) != c.id ||
			answer.Error.Code != c.code {
			t.Errorf("%s: %s", c.name, lines.Text())
		}
	}
	_ = client.Close()
	<-ended
}

// A line without an end is not read for ever, and holds no more memory than one of the bound.
func TestALineIsBounded(t *testing.T) {
	t.Parallel()
	endless := readCloser{endlessText{}, io.NopCloser(nil)}
	var out answerLog
	err := New(contracts.LTL, Deps{API: echo{}, Log: slog.New(slog.DiscardHandler)}).Serve(t.Context(), endless, &out)
	if err == nil || strings.Count(out.String(), "\n") != 1 || !strings.Contains(out.String(), "a message has at most 1048576 bytes") {
		t.Errorf("%v\n%s", err, out.String())
	}
}

type endlessText struct{}

func (endlessText) Read(p []byte) (int, error) {
	copy(p, "x")
	return len(p), nil
}

// A request that was cancelled is not answered, and its end is not counted as a failure of the API.
func TestACancelledCallIsNotAnswered(t *testing.T) {
	t.Parallel()
	in, client := io.Pipe()
	var out answerLog
	asked, codes := make(chan struct{}), make(chan contracts.Code, 1)
	server := New(contracts.LTL, Deps{API: untilHungUp(asked), Log: slog.New(slog.DiscardHandler),
		Called: func(_ string, c contracts.Code) { codes <- c }})
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(context.Background(), in, &out) }()
	say := func(line string) {
		if _, err := io.WriteString(client, line+"\n"); err != nil {
			t.Error(err)
		}
	}
	say(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`)
	say(`{"jsonrpc":"2.0","id":"called","method":"tools/call","params":{"name":"get_fuel_surcharge","arguments":{"carrier":"ODFL"}}}`)
	<-asked
	say(`{"jsonrpc":"2.0","id":"called","method":"ping"}`)
	say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"called"}}`)
	if got := <-codes; got != contracts.Canceled {
		t.Errorf("counted as %s", got)
	}
	say(`{"jsonrpc":"2.0","id":"last","method":"ping"}`)
	_ = client.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if text := out.String(); strings.Contains(text, `"called"`) || !strings.Contains(text, `"last"`) || strings.Count(text, `"id":null`) != 1 {
		t.Errorf("%s", text)
	}
}

// untilHungUp is an API that says that it was asked and never answers.
type untilHungUp chan struct{}

func (u untilHungUp) RoundTrip(r *http.Request) (*http.Response, error) {
	close(u)
	<-r.Context().Done()
	return nil, r.Context().Err()
}

// What was asked before the input ended is answered before the session ends.
func TestTheEndOfTheInputLosesNoAnswer(t *testing.T) {
	t.Parallel()
	const lines = `no JSON
{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get_fuel_surcharge","arguments":{"carrier":"ODFL"}}}
`
	var out answerLog
	in := &announcedEnd{Reader: strings.NewReader(lines), reached: make(chan struct{})}
	server := New(contracts.LTL, Deps{API: echoAfter(in.reached), Log: slog.New(slog.DiscardHandler)})
	if err := server.Serve(t.Context(), in, &out); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{`"id":null`, `"id":1`, `"id":2`} {
		if !strings.Contains(out.String(), id) {
			t.Errorf("no answer with %s in\n%s", id, out.String())
		}
	}
}

// announcedEnd is an input whose end closes reached.
type announcedEnd struct {
	io.Reader
	reached chan struct{}
}

func (r *announcedEnd) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil {
		close(r.reached)
	}
	return n, err
}

func (r *announcedEnd) Close() error { return nil }

// echoAfter is an API that answers once the channel is closed.
type echoAfter chan struct{}

func (e echoAfter) RoundTrip(r *http.Request) (*http.Response, error) {
	<-e
	return echo{}.RoundTrip(r)
}

// answerLog keeps what is written.
type answerLog struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *answerLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *answerLog) Close() error { return nil }

func (l *answerLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// No line keeps a session from the next one.
func FuzzLines(f *testing.F) {
	for _, seed := range []string{
		`{}`, `null`, `[]`, `{`, "\xff", `{"jsonrpc":"2.0","id":1e400,"method":"tools/call","params":{"name":"list_carriers"}}`,
		`{"jsonrpc":"2.0","id":"x","method":"prompts/get","params":{"name":5}}`, `{"jsonrpc":"2.0","id":3,"error":{"code":1}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}`, `{"jsonrpc":"2.0","METHOD":"ping","id":0}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":null}`, `{"jsonrpc":"2.0","id":2,"id":null,"method":"initialize","params":{}}`,
	} {
		f.Add(seed)
	}
	server := New(contracts.LTL, Deps{API: echo{}, Log: slog.New(slog.DiscardHandler)})
	f.Fuzz(func(t *testing.T, line string) {
		var out answerLog
		in := io.NopCloser(strings.NewReader(line + "\n" + `{"jsonrpc":"2.0","id":"the last","method":"ping"}` + "\n"))
		if err := server.Serve(t.Context(), in, &out); err != nil || !strings.Contains(out.String(), `"id":"the last","result"`) {
			t.Errorf("%q: %v\n%s", line, err, out.String())
		}
		for answer := range strings.Lines(out.String()) {
			if !json.Valid([]byte(answer)) {
				t.Errorf("%q: %s", line, answer)
			}
		}
	})
}
