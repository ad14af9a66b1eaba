package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxLine bounds a message over standard input, in bytes.
const maxLine = 1 << 20

// parseError is the answer to a line that is not JSON (JSON-RPC 2.0, §5.1).
const parseError = `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"this line is not JSON; send one message a line"}}`

// Serve talks to one client over in and out, a message a line, until in ends or ctx does. A line that is a batch or
// no JSON is answered with an error, and the session goes on.
func (s *Server) Serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	answers := &lockedWriter{WriteCloser: out}
	return s.sdk.Run(ctx, &sdk.IOTransport{Reader: messageLines(in, answers), Writer: answers})
}

// lockedWriter keeps lines whole that are written at the same time.
type lockedWriter struct {
	mu sync.Mutex
	io.WriteCloser
}

func (w *lockedWriter) Write(line []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.WriteCloser.Write(line)
}

// messageLines passes on the lines of a client that hold one JSON value and answers the others: the SDK ends the
// session at the first line that it cannot read. It ends when in does, or when the returned reader is closed.
func messageLines(in io.ReadCloser, out io.Writer) io.ReadCloser {
	passed, to := io.Pipe()
	go func() {
		lines := bufio.NewScanner(in)
		lines.Buffer(nil, maxLine)
		for lines.Scan() {
			if err := passLine(lines.Bytes(), to, out); err != nil {
				_ = to.CloseWithError(err)
				return
			}
		}
		_ = to.CloseWithError(lines.Err())
	}()
	return readCloser{passed, closers{passed, in}}
}

func passLine(line []byte, to, out io.Writer) error {
	line = bytes.TrimSpace(line)
	var err error
	switch {
	case len(line) == 0:
	case !json.Valid(line):
		_, err = io.WriteString(out, parseError+"\n")
	case line[0] == '[':
		_, err = io.WriteString(out, batchError+"\n")
	default:
		_, err = to.Write(append(line, '\n'))
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
