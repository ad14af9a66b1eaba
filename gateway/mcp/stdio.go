package mcp

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxLine bounds a message over standard input, in bytes.
const maxLine = 1 << 20

// maxSkipped bounds what is read of a longer message to find its end, in bytes.
const maxSkipped = 64 << 20

// maxLastAnswers is how long a session waits, once its input has ended, for answers under way.
const maxLastAnswers = 30 * time.Second

// Serve talks to one client over in and out, a message a line, until in ends and what it asked is answered, or ctx
// ends. A line that is no message is answered with an error, and the session goes on.
func (s *Server) Serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	answers := &answerWriter{WriteCloser: out, pending: map[jsonrpc.ID]bool{}, answered: make(chan struct{}, 1)}
	return s.sdk.Run(ctx, &sdk.IOTransport{Reader: messageLines(ctx, in, answers), Writer: answers})
}

// answerWriter keeps lines whole that are written at the same time, knows the requests that wait for their answer, and
// drops the answer to one that was cancelled: MCP has none.
type answerWriter struct {
	io.WriteCloser
	mu       sync.Mutex
	pending  map[jsonrpc.ID]bool // whether it was cancelled
	answered chan struct{}       // receives after an answer was written
}

// Write writes a line of the SDK's.
func (w *answerWriter) Write(line []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	isCancelled := false
	if message, err := jsonrpc.DecodeMessage(line); err == nil {
		if answer, ok := message.(*jsonrpc.Response); ok {
			isCancelled = w.pending[answer.ID]
			delete(w.pending, answer.ID)
			select {
			case w.answered <- struct{}{}:
			default:
			}
		}
	}
	if isCancelled {
		return len(line), nil
	}
	if _, err := w.WriteCloser.Write(append(outward(bytes.TrimSuffix(line, []byte{'\n'})), '\n')); err != nil {
		return 0, err
	}
	return len(line), nil
}

// refuse writes an answer of [screen].
func (w *answerWriter) refuse(answer []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err := w.WriteCloser.Write(append(answer, '\n'))
	return err
}

// expect notes a request, or that one was cancelled. It is false for a request of an id that waits for its answer: the
// SDK has none to it.
func (w *answerWriter) expect(line []byte) bool {
	message, err := jsonrpc.DecodeMessage(line)
	request, ok := message.(*jsonrpc.Request)
	if err != nil || !ok {
		return true
	}
	id, isCancelled := request.ID, false
	if request.Method == "notifications/cancelled" {
		var params sdk.CancelledParams
		if json.Unmarshal(request.Params, &params) != nil {
			return true
		}
		id, _ = jsonrpc.MakeID(params.RequestID) // one that is none is that of no request
		isCancelled = true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	_, isPending := w.pending[id]
	if id.IsValid() && isPending == isCancelled {
		w.pending[id] = isCancelled
	}
	return isCancelled || !isPending
}

func (w *answerWriter) isWaiting() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, isCancelled := range w.pending {
		if !isCancelled {
			return true
		}
	}
	return false
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

// messageLines passes on the messages of a client and answers other lines: the SDK ends the session at the first line
// that it cannot read. It ends when in does and all is answered, or when the returned reader is closed: the SDK drops
// answers under way once its input ends.
func messageLines(ctx context.Context, in io.ReadCloser, out *answerWriter) io.ReadCloser {
	passed, to := io.Pipe()
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		defer cancel()
		err := passLines(bufio.NewReaderSize(in, maxLine), to, out)
		if err == io.EOF { //nolint:errorlint // that of the input itself
			out.awaitAnswers(ctx)
		}
		_ = to.CloseWithError(err)
	}()
	return readCloser{passed, closers{passed, in, closer(cancel)}}
}

// readCloser reads from one and closes another.
type readCloser struct {
	io.Reader
	io.Closer
}

// passLines passes lines on until their end, which it returns.
func passLines(lines *bufio.Reader, to io.Writer, out *answerWriter) error {
	for {
		line, end := lines.ReadSlice('\n')
		var err error
		if errors.Is(end, bufio.ErrBufferFull) {
			end = skipLine(lines)
			err = out.refuse(tooLarge(maxLine))
		} else {
			err = passLine(bytes.TrimSpace(line), to, out)
		}
		if err = cmp.Or(err, end); err != nil {
			return err
		}
	}
}

// skipLine reads to the end of a line, which is not far.
func skipLine(lines *bufio.Reader) error {
	for range maxSkipped / maxLine {
		if _, err := lines.ReadSlice('\n'); !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
	return fmt.Errorf("a line is above %d bytes", maxSkipped)
}

func passLine(line []byte, to io.Writer, out *answerWriter) error {
	if len(line) == 0 {
		return nil
	}
	marked, refused := screen(line)
	if refused != nil {
		var e envelope
		if json.Unmarshal(line, &e) == nil && e.isAnswer() {
			return nil
		}
		return out.refuse(refused)
	}
	if !out.expect(marked) {
		return out.refuse(refusal(jsonNull, jsonrpc.CodeInvalidRequest, "a request of this id waits for its answer; "+
			"give each an id of its own"))
	}
	_, err := to.Write(append(marked, '\n'))
	return err
}

// closer is a function that ends something.
type closer func()

// Close calls it.
func (c closer) Close() error { c(); return nil }

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
