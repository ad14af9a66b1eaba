package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"assay.dev/contracts"
)

// envelope is what tells requests, notifications and answers from each other (JSON-RPC 2.0, §4 and §5).
type envelope struct {
	ID     json.RawMessage `json:"id"`
	Method json.RawMessage `json:"method"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

// isAnswer tells of what is never answered, or two peers would refuse each other's refusals for ever.
func (e envelope) isAnswer() bool { return e.Method == nil && (e.Result != nil || e.Error != nil) }

// replyID is the id of an answer to the message: null where it has none that one may have.
func (e envelope) replyID() json.RawMessage {
	if len(e.ID) > 0 && (e.ID[0] == '"' || isNumber(e.ID)) {
		return e.ID
	}
	return jsonNull
}

func isNumber(value json.RawMessage) bool {
	return value[0] == '-' || '0' <= value[0] && value[0] <= '9'
}

// screen gives a message the form that the SDK takes, or says what to answer to one that the SDK would end the session
// at, or leave without an answer.
func screen(message []byte) (marked, refused []byte) {
	var e envelope
	notJSON := new(json.SyntaxError)
	err := json.Unmarshal(message, &e) // one that has no members is refused below
	switch {
	case bytes.HasPrefix(bytes.TrimSpace(message), []byte{'['}): // MCP has none since its version 2025-06-18, and one of 50 KB asks for 1,000 lists
		return nil, refusal(jsonNull, jsonrpc.CodeInvalidRequest, "batches are not supported; send one message at a time")
	case errors.As(err, &notJSON):
		return nil, refusal(jsonNull, jsonrpc.CodeParseError, "this is not JSON; send one message at a time")
	}
	marked = markID(message, e)
	if _, err := jsonrpc.DecodeMessage(marked); err != nil ||
		!e.isAnswer() && (e.Method == nil || bytes.Equal(e.ID, jsonNull)) {
		return nil, refusal(e.replyID(), jsonrpc.CodeInvalidRequest,
			`this is no message of JSON-RPC; it has "jsonrpc":"2.0", a method, and a text or a number as id where it wants an answer`)
	}
	return marked, nil
}

// tooLarge is the answer to a message above so many bytes, whose id is not known.
func tooLarge(bound int64) []byte {
	return refusal(jsonNull, jsonrpc.CodeInvalidRequest,
		fmt.Sprintf("a message has at most %d bytes here; call again with shorter arguments, such as fewer lines", bound))
}

// outward is an answer of the SDK's as its client gets it: with the client's id, the escapes of [contracts.EscapeJSON],
// and no words of Go.
func outward(answer []byte) []byte {
	answer = unmarkID(answer)
	var e envelope
	if bytes.Contains(answer, []byte("unmarshaling")) && json.Unmarshal(answer, &e) == nil && e.Error != nil {
		return refusal(e.replyID(), jsonrpc.CodeInvalidParams, "the parameters have not the form that this method takes")
	}
	return contracts.EscapeJSON(answer)
}

// refusal is an answer that says why there is no other (JSON-RPC 2.0, §5.1).
func refusal(id json.RawMessage, code int, message string) []byte {
	body, _ := json.Marshal(map[string]any{ // raw messages that were read always marshal
		"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": message},
	})
	return contracts.EscapeJSON(body)
}
