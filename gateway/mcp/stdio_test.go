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

func TestALineIsBounded(t *testing.T) {
	t.Parallel()
	in := io.NopCloser(strings.NewReader(`"` + strings.Repeat("x", maxLine) + `"`))
	read, err := io.ReadAll(messageLines(t.Context(), in, &answerWriter{}))
	if len(read) > 0 || err == nil {
		t.Errorf("%d bytes, %v", len(read), err)
	}
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
