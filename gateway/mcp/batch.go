package mcp

import (
	"bufio"
	"io"
	"net/http"
	"strconv"
)

// batchError is the answer to a JSON-RPC batch: MCP has none since its version 2025-06-18, and a client asks for 1,000
// lists in one with 50 KB.
const batchError = `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batches are not supported; send one message at a time"}}`

// refuseBatches answers a body that is an array with 400 and passes all else on.
func refuseBatches(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			next.ServeHTTP(w, r)
			return
		}
		body := bufio.NewReaderSize(http.MaxBytesReader(w, r.Body, maxMessage), 512)
		if beginsWith(body) == '[' {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", strconv.Itoa(len(batchError)))
			w.Header().Set("Connection", "close") // what is left of the body is not worth reading
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, batchError) // a caller that hung up is not our failure
			return
		}
		r.Body = readCloser{body, r.Body}
		next.ServeHTTP(w, r)
	})
}

// readCloser reads from one and closes another.
type readCloser struct {
	io.Reader
	io.Closer
}

// beginsWith is the first byte after white space, which stays unread; 0 when there is none.
func beginsWith(r *bufio.Reader) byte {
	for {
		switch b, err := r.ReadByte(); {
		case err != nil:
			return 0
		case !isSpace(b):
			_ = r.UnreadByte() // follows a read
			return b
		}
	}
}

// isSpace tells of JSON's white space (RFC 8259 §2).
func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }
