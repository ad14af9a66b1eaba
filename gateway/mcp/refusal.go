package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"assay.dev/contracts"
)

// unhandled begins the SDK's refusal of a method that it does not know.
const unhandled = "JSON RPC not handled"

// answerRefusals answers a message that the SDK would refuse in plain text by a JSON-RPC error, as clients take the
// other for a broken connection, and gives an answer the id that its message has.
func answerRefusals(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			next.ServeHTTP(w, r)
			return
		}
		held := &refusalWriter{ResponseWriter: w}
		message, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
		var above *http.MaxBytesError
		if errors.As(err, &above) {
			held.answer(http.StatusRequestEntityTooLarge, tooLarge(above.Limit))
			return
		}
		marked, refused := screen(message)
		if refused != nil { // also where the body broke off
			held.answer(http.StatusBadRequest, refused)
			return
		}
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(marked)), int64(len(marked)) // net/http closes the body itself
		next.ServeHTTP(held, r)
		if held.isRefusal {
			held.refuse(message)
		}
	})
}

// refusalWriter holds a 400 in plain text back. Replies hold what the caller sent, so all are [outward]; the SDK
// writes each as a whole.
type refusalWriter struct {
	http.ResponseWriter
	isRefusal bool
	text      strings.Builder
}

// Unwrap is for [http.ResponseController].
func (w *refusalWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *refusalWriter) WriteHeader(status int) {
	w.isRefusal = status == http.StatusBadRequest && strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain")
	if !w.isRefusal {
		w.ResponseWriter.WriteHeader(status)
	}
}

func (w *refusalWriter) Write(b []byte) (int, error) {
	if w.isRefusal {
		return w.text.Write(b)
	}
	if _, err := w.ResponseWriter.Write(outward(b)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// refuse answers a message by the refusal that was held back: 200 and −32601 for an unknown method that wants an
// answer.
func (w *refusalWriter) refuse(message []byte) {
	var e envelope
	_ = json.Unmarshal(message, &e) // screen saw to it
	if strings.HasPrefix(w.text.String(), unhandled) && e.ID != nil {
		w.answer(http.StatusOK,
			refusal(e.replyID(), jsonrpc.CodeMethodNotFound, "method not found; this server has no such method"))
		return
	}
	w.answer(http.StatusBadRequest,
		refusal(e.replyID(), jsonrpc.CodeInvalidRequest, contracts.Visible(strings.TrimSpace(w.text.String()))))
}

func (w *refusalWriter) answer(status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.ResponseWriter.WriteHeader(status)
	_, _ = w.ResponseWriter.Write(body) // a caller that hung up is not our failure
}
