package evidence

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// publish stores the messages of one document and gives the sequence of the first. repeated tells that the stream had
// it.
func publish(
	ctx context.Context, js jetstream.JetStream, id string, all []*nats.Msg,
) (sequence uint64, repeated bool, err error) {
	if len(all) > 1 {
		sequence, err = publishBatch(ctx, js.Conn(), all)
		return sequence, false, err
	}
	// No second try: who waits for this waits for a quarter of a second.
	ack, err := js.PublishMsg(ctx, all[0], jetstream.WithMsgID(id), jetstream.WithRetryAttempts(0))
	if err != nil {
		return 0, false, err
	}
	return ack.Sequence, ack.Duplicate, nil
}

// The headers of an atomic batch (ADR-50). The stream stores all of its messages, one after the other, or none.
const (
	batchID       = "Nats-Batch-Id"
	batchSequence = "Nats-Batch-Sequence"
	batchCommit   = "Nats-Batch-Commit"
)

// publishBatch stores several messages as one. The reply to the first says whether the stream takes batches; that to
// the last is the acknowledgement of all.
func publishBatch(ctx context.Context, conn *nats.Conn, all []*nats.Msg) (first uint64, err error) {
	id, last := rand.Text(), len(all)-1
	for i, m := range all {
		m.Header.Set(batchID, id)
		m.Header.Set(batchSequence, strconv.Itoa(i+1))
		switch i {
		case 0:
			_, err = requestBatch(ctx, conn, m)
		case last:
			m.Header.Set(batchCommit, "1")
			first, err = requestBatch(ctx, conn, m)
		default:
			err = conn.PublishMsg(m)
		}
		if err != nil {
			return 0, fmt.Errorf("part %d of %d: %w", i+1, len(all), err)
		}
	}
	return first, nil
}

// requestBatch sends a message and reads the reply: empty, an error, or the acknowledgement of the whole batch, of
// which it gives the first sequence.
func requestBatch(ctx context.Context, conn *nats.Conn, m *nats.Msg) (first uint64, err error) {
	reply, err := conn.RequestMsgWithContext(ctx, m)
	if errors.Is(err, nats.ErrNoResponders) {
		err = jetstream.ErrNoStreamResponse
	}
	if err != nil || len(reply.Data) == 0 {
		return 0, err
	}
	var ack struct {
		Error    *jetstream.APIError `json:"error"`
		Sequence uint64              `json:"seq"`
		Count    uint64              `json:"count"`
	}
	switch err := json.Unmarshal(reply.Data, &ack); {
	case err != nil:
		return 0, err
	case ack.Error != nil:
		return 0, ack.Error
	case ack.Count == 0 || ack.Sequence < ack.Count:
		return 0, errors.New("the acknowledgement is not that of a batch")
	}
	return ack.Sequence - ack.Count + 1, nil
}
