package bus

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/nats-io/nats.go/micro"

	"assay.dev/contracts"
	"assay.dev/platform/internal/handling"
)

// Endpoint answers the requests on one subject.
type Endpoint struct {
	name    string
	subject contracts.Subject
	handle  handling.Handler
}

// elsewhere is the reply that only says where the answer is, and what is not kept there.
func elsewhere(r handling.Reply) (handling.Reply, error) {
	if r.Key == "" {
		return handling.Reply{}, contracts.Errorf(contracts.Internal, "the answer is too large to send")
	}
	return handling.Reply{Key: r.Key, Data: r.OfReply, Moved: true}, nil
}

// replyHeader says where the answer is, when that is all that is sent.
func replyHeader(r handling.Reply) micro.Headers {
	if !r.Moved {
		return nil
	}
	return micro.Headers{contracts.HeaderReplyKey: {string(r.Key)}}
}

// Handle makes an endpoint of f. Name holds no dots. The request is decoded from JSON, and validated when it has a
// method Validate() error; what does not decode is INVALID_REQUEST. f must be idempotent, must end soon after its
// context does, and what it returns must fit the server's maximum payload, or be kept: see [HandleStored].
func Handle[Req, Resp any](name string, s contracts.Subject, f func(context.Context, Req) (Resp, error)) Endpoint {
	return HandleStored(name, s, func(Req) contracts.CacheKey { return "" }, f)
}

// HandleStored is [Handle] for an f that stores its answer in [contracts.AnswersBucket] under key(request) before it
// returns. An answer too large for a reply is read from there by the caller. Where an answer has members that belong to
// one reply and are never stored, such as refresh_failed, its method OfReply() any gives those that are set.
func HandleStored[Req, Resp any](
	name string, s contracts.Subject, key func(Req) contracts.CacheKey, f func(context.Context, Req) (Resp, error),
) Endpoint {
	return Endpoint{name, s, func(ctx context.Context, r *handling.Request) (handling.Reply, error) {
		req, err := handling.Decode[Req](r.Data)
		if err != nil {
			return handling.Reply{}, err
		}
		resp, err := f(ctx, req)
		if err != nil {
			return handling.Reply{}, err
		}
		data, err := json.Marshal(resp)
		if err != nil {
			return handling.Reply{}, fmt.Errorf("encoding the answer: %w", err)
		}
		ofReply, err := ofReply(&resp)
		return handling.Reply{Data: data, Key: key(req), OfReply: ofReply}, err
	}}
}

func ofReply(answer any) ([]byte, error) {
	a, ok := answer.(interface{ OfReply() any })
	if !ok {
		return nil, nil
	}
	members := a.OfReply()
	if members == nil {
		return nil, nil
	}
	return json.Marshal(members)
}
