package mcp

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"assay.dev/contracts"
)

// unhandled begins the SDK's refusal of a method that it does not know.
const unhandled = "JSON RPC not handled"

// answerRefusals answers a message that the SDK refuses with 400 in plain text by a JSON-RPC error: in the protocols
// before 2026-07-28 it does so with unknown methods, and clients take that for a broken connection.
func answerRefusals(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			next.ServeHTTP(w, r)
			return
		}
		var message bytes.Buffer // at most maxMessage, which refuseBatches sees to
		r.Body = readCloser{io.TeeReader(r.Body, &message), r.Body}
		held := &refusalWriter{ResponseWriter: w}
		next.ServeHTTP(held, r)
		if held.isRefusal {
			held.answer(message.Bytes())
		}
	})
}

// refusalWriter holds a 400 in plain text back. Replies hold what the caller sent, so all are written with the escapes of
// [contracts.EscapeJSON]; the SDK writes each as a whole.
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
	if _, err := w.ResponseWriter.Write(contracts.EscapeJSON(b)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// answer answers the call with that id by −32601 for an unknown method, and by the refusal as it was otherwise.
func (w *refusalWriter) answer(message []byte) {
	var call struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	isCall := json.Unmarshal(message, &call) == nil && len(call.ID) > 0 && !bytes.Equal(call.ID, jsonNull)
	if !isCall || !strings.HasPrefix(w.text.String(), unhandled) {
		w.ResponseWriter.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w.ResponseWriter, contracts.Visible(w.text.String())) // a caller that hung up is not our failure
		return
	}
	body, _ := json.Marshal(map[string]any{ // raw messages that were read always marshal
		"jsonrpc": "2.0", "id": call.ID,
		"error": map[string]any{"code": jsonrpc.CodeMethodNotFound,
			"message": "method not found; this server has no such method"},
	})
	w.Header().Set("Content-Type", "application/json")
	w.ResponseWriter.WriteHeader(http.StatusOK)
	_, _ = w.ResponseWriter.Write(contracts.EscapeJSON(body)) // as above
}
