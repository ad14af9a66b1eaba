package kv

import (
	"context"
	"errors"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
)

// Swap replaces the value of a key at a revision (0 for a key that is not there), and returns the new revision. It
// exists because the methods of a bucket take no options, such as a TTL or how long a stream without a leader is
// asked again.
func Swap(
	ctx context.Context, js jetstream.JetStream, b contracts.Bucket, key string, value []byte, revision uint64,
	opts ...jetstream.PublishOpt,
) (uint64, error) {
	opts = append(opts, jetstream.WithExpectLastSequencePerSubject(revision))
	ack, err := js.PublishMsg(ctx, &nats.Msg{Subject: b.Subject(key), Data: value}, opts...)
	if err != nil {
		return 0, err
	}
	return ack.Sequence, nil
}

// Full tells whether a stream that discards new messages had no room for one (the server's JSStreamStoreFailedF).
func Full(err error) bool {
	var refused *jetstream.APIError
	return errors.As(err, &refused) && refused.ErrorCode == 10077
}

// Conflict tells whether a compare-and-set found another revision than the one it was to replace, or a key that it was
// to create. A replicated stream says so by another code than a single one, and jetstream maps both only for a bucket's
// methods, not for a publish.
func Conflict(err error) bool {
	var refused *jetstream.APIError
	return errors.As(err, &refused) && (refused.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence ||
		refused.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant)
}
