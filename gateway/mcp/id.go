package mcp

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
)

// The SDK reads an id that is a number as a float64 and answers with an int64. One that does not outlive that is given to it as a text that
// begins with idMark, and comes back to the client as it went.
var idMark = "number " + rand.Text() + " "

// markID gives a message whose id the SDK would change a text as its id. Other messages stay as they are.
func markID(message []byte) []byte {
	var e envelope
	if json.Unmarshal(message, &e) != nil || len(e.ID) == 0 || e.ID[0] != '-' && (e.ID[0] < '0' || e.ID[0] > '9') {
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

// keepIDs has messages answered with the ids that they have.
func keepIDs(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			next.ServeHTTP(w, r)
			return
		}
		message, err := io.ReadAll(r.Body) // at most maxMessage, which refuseBatches sees to
		marked := markID(message)
		r.Body = readCloser{io.MultiReader(bytes.NewReader(marked), failedReader{err}), r.Body}
		if len(marked) != len(message) {
			r.ContentLength = int64(len(marked))
			w = &idWriter{w}
		}
		next.ServeHTTP(w, r)
	})
}

// failedReader ends as a body did.
type failedReader struct{ err error }

func (f failedReader) Read([]byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	return 0, io.EOF
}

// idWriter writes answers, each as a whole.
type idWriter struct{ http.ResponseWriter }

// Unwrap is for [http.ResponseController].
func (w *idWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *idWriter) Write(b []byte) (int, error) {
	if _, err := w.ResponseWriter.Write(unmarkID(b)); err != nil {
		return 0, err
	}
	return len(b), nil
}
