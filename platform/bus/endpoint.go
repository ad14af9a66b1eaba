package bus

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"

	"assay.dev/contracts"
)

// Endpoint answers the requests on one subject.
type Endpoint struct {
	name    string
	subject contracts.Subject
	handle  handler
}

// request is one message on its way through the layers.
type request struct {
	subject  contracts.Subject
	header   nats.Header
	data     []byte
	admitted bool   // it has a slot
	inflight int    // requests in hand when it came
	job      string // its id, when it is a job
}

// reply is what a handler makes of a request: JSON, and where the answer is kept, if it is.
type reply struct {
	data []byte
	key  contracts.CacheKey
	// moved: the answer is under key only.
	moved bool
}

// elsewhere is the reply that only says where the answer is.
func elsewhere(r reply) (reply, error) {
	if r.key == "" {
		return reply{}, contracts.Errorf(contracts.Internal, "the answer is too large to send")
	}
	return reply{key: r.key, moved: true}, nil
}

func (r reply) header() micro.Headers {
	if !r.moved {
		return nil
	}
	return micro.Headers{contracts.HeaderReplyKey: {string(r.key)}}
}

type handler func(context.Context, *request) (reply, error)

// Handle makes an endpoint of f. Name holds no dots. The request is decoded from JSON, and validated when it has a method
// Validate() error; what does not decode is INVALID_REQUEST. f must be idempotent, must end soon after its context does,
// and what it returns must fit the server's maximum payload, or be kept: see [HandleStored].
func Handle[Req, Resp any](name string, s contracts.Subject, f func(context.Context, Req) (Resp, error)) Endpoint {
	return HandleStored(name, s, func(Req) contracts.CacheKey { return "" }, f)
}

// HandleStored is [Handle] for an f that stores its answer in [contracts.AnswersBucket] under key(request) before it
// returns. An answer too large for a reply is read from there by the caller.
func HandleStored[Req, Resp any](
	name string, s contracts.Subject, key func(Req) contracts.CacheKey, f func(context.Context, Req) (Resp, error),
) Endpoint {
	return Endpoint{name, s, func(ctx context.Context, r *request) (reply, error) {
		req, err := decode[Req](r.data)
		if err != nil {
			return reply{}, err
		}
		resp, err := f(ctx, req)
		if err != nil {
			return reply{}, err
		}
		data, err := json.Marshal(resp)
		if err != nil {
			return reply{}, fmt.Errorf("encoding the answer: %w", err)
		}
		return reply{data: data, key: key(req)}, nil
	}}
}

func decode[T any](data []byte) (T, error) {
	var v T
	if err := json.Unmarshal(data, &v); err != nil {
		return v, contracts.Wrap(err, contracts.InvalidRequest, "the request is not understood")
	}
	if checked, ok := any(v).(interface{ Validate() error }); ok {
		return v, checked.Validate()
	}
	return v, nil
}
