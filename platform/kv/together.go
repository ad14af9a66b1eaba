package kv

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
)

// Write is one of several writes that are made together. It puts Value in the place of a key's revision, 0 for a key
// that is not there.
type Write struct {
	Key      string
	Value    []byte
	Revision uint64
}

// MaxTogether is how many writes a server takes at once.
const MaxTogether = 1000

// SwapTogether makes the writes, each as [Swap] does, or none of them. No key may be in it twice. The server syncs them
// to its disk once, not one by one. It returns the revision of the last one; those before have the numbers before it.
func SwapTogether(ctx context.Context, js jetstream.JetStream, b contracts.Bucket,
	all []Write) (last uint64, err error) {
	messages := make([]*nats.Msg, len(all))
	for i, w := range all {
		messages[i] = nats.NewMsg(b.Subject(w.Key))
		messages[i].Data = w.Value
		messages[i].Header.Set(jetstream.ExpectedLastSubjSeqHeader, strconv.FormatUint(w.Revision, 10))
	}
	return PublishTogether(ctx, js.Conn(), messages)
}

// PublishTogether stores the messages one after the other, or none of them: an atomic batch (ADR-50), which is three
// headers; a library for it would bring two modules. It returns the sequence of the last message. The reply to the
// first says whether the stream takes batches; that to the last is the acknowledgement of all.
func PublishTogether(ctx context.Context, conn *nats.Conn, all []*nats.Msg) (last uint64, err error) {
	batch := rand.Text()
	for i, m := range all {
		m.Header.Set("Nats-Batch-Id", batch)
		m.Header.Set("Nats-Batch-Sequence", strconv.Itoa(i+1))
		switch i {
		case len(all) - 1:
			m.Header.Set("Nats-Batch-Commit", "1")
			last, err = request(ctx, conn, m)
		case 0:
			_, err = request(ctx, conn, m)
		default:
			err = conn.PublishMsg(m)
		}
		if err != nil {
			return 0, fmt.Errorf("part %d of %d: %w", i+1, len(all), err)
		}
	}
	return last, nil
}

// request sends a message of a batch and reads the reply: empty, an error, or the acknowledgement of the whole batch,
// of which it gives the last sequence.
func request(ctx context.Context, conn *nats.Conn, m *nats.Msg) (last uint64, err error) {
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
	return ack.Sequence, nil
}
