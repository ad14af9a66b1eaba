package kv

import (
	"context"
	"strconv"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"assay.dev/contracts"
)

// Write is one of several writes that are made together. It puts Value in the place of a key's revision, 0 for a key that is not there.
type Write struct {
	Key      string
	Value    []byte
	Revision uint64
}

// MaxTogether is how many writes a server takes at once.
const MaxTogether = 1000

// SwapTogether makes the writes, each as [Swap] does, or none of them. No key may be in it twice. The server syncs them to its disk
// once, not one by one. It returns the revision of the last one; those before have the numbers before it.
func SwapTogether(ctx context.Context, js jetstream.JetStream, b contracts.Bucket, all []Write) (last uint64, err error) {
	batch := nuid.Next()
	for i, w := range all {
		m := nats.NewMsg(b.Subject(w.Key))
		m.Data = w.Value
		m.Header.Set("Nats-Batch-Id", batch)
		m.Header.Set("Nats-Batch-Sequence", strconv.Itoa(i+1))
		m.Header.Set(jetstream.ExpectedLastSubjSeqHeader, strconv.FormatUint(w.Revision, 10))
		if i < len(all)-1 {
			if err := js.Conn().PublishMsg(m); err != nil {
				return 0, err
			}
			continue
		}
		m.Header.Set("Nats-Batch-Commit", "1")
		ack, err := js.PublishMsg(ctx, m)
		if err != nil {
			return 0, err
		}
		last = ack.Sequence
	}
	return last, nil
}
