package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"assay.dev/contracts"
)

// maxLine bounds a message over standard input, in bytes.
const maxLine = 1 << 20

// parseError is the answer to a line that is not JSON (JSON-RPC 2.0, §5.1).
const parseError = `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"this line is not JSON; send one message a line"}}`

// maxLastAnswers is how long a session waits, once its input has ended, for answers under way.
const maxLastAnswers = 30 * time.Second

// Serve talks to one client over in and out, a message a line, until in ends and what it asked is answered, or ctx
// ends. A line that is a batch or no JSON is answered with an error, and the session goes on.
func (s *Server) Serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	answers := &answerWriter{WriteCloser: out, answered: make(chan struct{}, 1)}
	return s.sdk.Run(ctx, &sdk.IOTransport{Reader: messageLines(ctx, in, answers), Writer: answers})
}

// answerWriter keeps lines whole that are written at the same time, and counts the requests that wait for their answer.
type answerWriter struct {
	io.WriteCloser
	mu       sync.Mutex
	pending  int
	answered chan struct{} // receives after an answer was written
}

// envelope is what tells a request from an answer (JSON-RPC 2.0, §4 and §5).
type envelope struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
}

// hasID tells a request from a notification, and an answer from one to a line that could not be read.
func (m envelope) hasID() bool { return m.ID != nil && string(m.ID) != "null" }

func (w *answerWriter) Write(line []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var message envelope
	if json.Unmarshal(line, &message) == nil && message.Method == "" && message.hasID() {
		w.pending--
		select {
		case w.answered <- struct{}{}:
		default:
		}
	}
	if _, err := w.WriteCloser.Write(contracts.EscapeJSON(unmarkID(line))); err != nil {
		return 0, err
	}
	return len(line), nil
}

// expect counts the line when it is a request.
func (w *answerWriter) expect(line []byte) {
	var message envelope
	if json.Unmarshal(line, &message) == nil && message.Method != "" && message.hasID() {
		w.mu.Lock()
		w.pending++
		w.mu.Unlock()
	}
}

func (w *answerWriter) isWaiting() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.pending > 0
}

// awaitAnswers waits until every request is answered, for maxLastAnswers at most.
func (w *answerWriter) awaitAnswers(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, maxLastAnswers)
	defer cancel()
	for w.isWaiting() {
		select {
		case <-w.answered:
		case <-ctx.Done():
			return
		}
	}
}

// messageLines passes on the lines of a client that hold one JSON value and answers the others: the SDK ends the
// session at the first line that it cannot read. It ends when in does and all is answered, or when the returned reader
// is closed: the SDK drops answers under way once its input ends.
func messageLines(ctx context.Context, in io.ReadCloser, out *answerWriter) io.ReadCloser {
	passed, to := io.Pipe()
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		defer cancel()
		lines := bufio.NewScanner(in)
		lines.Buffer(nil, maxLine)
		for lines.Scan() {
			if err := passLine(lines.Bytes(), to, out); err != nil {
				_ = to.CloseWithError(err)
				return
			}
		}
		out.awaitAnswers(ctx)
		_ = to.CloseWithError(lines.Err())
	}()
	return readCloser{passed, closers{passed, in, closer(cancel)}}
}

// closer is a function that ends something.
type closer func()

// Close calls it.
func (c closer) Close() error { c(); return nil }

func passLine(line []byte, to io.Writer, out *answerWriter) error {
	line = bytes.TrimSpace(line)
	var err error
	switch {
	case len(line) == 0:
	case !json.Valid(line):
		_, err = io.WriteString(out, parseError+"\n")
	case line[0] == '[':
		_, err = io.WriteString(out, batchError+"\n")
	default:
		out.expect(line)
		_, err = to.Write(append(markID(line), '\n'))
	}
	return err
}

// closers are closed together.
type closers []io.Closer

// Close closes all.
func (c closers) Close() error {
	var errs []error
	for _, one := range c {
		errs = append(errs, one.Close())
	}
	return errors.Join(errs...)
}
