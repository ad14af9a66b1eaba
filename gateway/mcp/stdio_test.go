package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"strings"
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
	read, err := io.ReadAll(messageLines(in, io.Discard))
	if len(read) > 0 || err == nil {
		t.Errorf("%d bytes, %v", len(read), err)
	}
}
