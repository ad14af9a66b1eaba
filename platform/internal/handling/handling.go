// Package handling is how a message is handled, be it a call's request (package bus) or a job (package jobs): what it
// carries, the layers that it passes on its way to the handler, and the slots that bound how many are in hand.
package handling

import (
	"context"
	"encoding/json"
	"time"

	"github.com/nats-io/nats.go"

	"assay.dev/contracts"
)

// Request is one message on its way through the layers.
type Request struct {
	Subject  contracts.Subject
	Header   nats.Header
	Data     []byte
	Admitted bool          // it has a slot
	Inflight int           // messages in hand when it came
	Job      string        // its id, when it is a job
	Waited   time.Duration // of a job, in the queue
}

// Reply is what a handler makes of a request: JSON, and where the answer is kept, if it is.
type Reply struct {
	Data []byte
	Key  contracts.CacheKey
	// OfReply is JSON of what belongs to this reply alone and is not kept under Key; empty when there is nothing.
	OfReply []byte
	// Moved: the answer is under Key only, and Data is OfReply.
	Moved bool
}

// Handler handles one request.
type Handler func(context.Context, *Request) (Reply, error)

// Layer wraps a handler, such as with a span or a deadline.
type Layer func(Handler) Handler

// Decode reads the JSON of a request, and validates it when T has a method Validate() error. What does not decode is
// INVALID_REQUEST.
func Decode[T any](data []byte) (T, error) {
	var v T
	if err := json.Unmarshal(data, &v); err != nil {
		return v, contracts.Wrap(err, contracts.InvalidRequest, "the request is not understood")
	}
	if checked, ok := any(v).(interface{ Validate() error }); ok {
		return v, checked.Validate()
	}
	return v, nil
}
