package evidence

import (
	"context"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/platform/kv"
)

// publish stores the messages of one document and gives the sequence of the first. repeated tells that the stream had
// it.
func publish(
	ctx context.Context, js jetstream.JetStream, id string, all []*nats.Msg,
) (sequence uint64, repeated bool, err error) {
	if len(all) > 1 {
		last, err := kv.PublishTogether(ctx, js.Conn(), all)
		return last - uint64(len(all)-1), false, err
	}
	// No second try: who waits for this waits for a quarter of a second.
	ack, err := js.PublishMsg(ctx, all[0], jetstream.WithMsgID(id), jetstream.WithRetryAttempts(0))
	if err != nil {
		return 0, false, err
	}
	return ack.Sequence, ack.Duplicate, nil
}
