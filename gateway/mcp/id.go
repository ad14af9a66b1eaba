package mcp

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"strconv"
)

// The SDK reads an id that is a number as a float64 and answers with an int64. An id that this would change goes to the
// SDK as a text that begins with idMark, and is changed back in the answer.
var idMark = "number " + rand.Text() + " "

// markID gives a message whose id the SDK would change a text as its id. Other messages stay as they are. e was read
// from the message.
func markID(message []byte, e envelope) []byte {
	if len(e.ID) == 0 || !isNumber(e.ID) {
		return message
	}
	if n, err := strconv.ParseFloat(string(e.ID), 64); err == nil && strconv.FormatInt(int64(n), 10) == string(e.ID) {
		return message
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(message, &members) != nil {
		return message
	}
	members["id"], _ = json.Marshal(idMark + string(e.ID)) // a text always marshals
	marked, err := json.Marshal(members)
	if err != nil {
		return message
	}
	return marked
}

// unmarkID gives an answer its client's id.
func unmarkID(answer []byte) []byte {
	before, rest, marked := bytes.Cut(answer, []byte(`"id":"`+idMark))
	if !marked {
		return answer
	}
	id, after, _ := bytes.Cut(rest, []byte{'"'})
	return bytes.Join([][]byte{before, []byte(`"id":`), id, after}, nil)
}
