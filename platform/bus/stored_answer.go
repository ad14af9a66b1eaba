package bus

import (
	"context"
	"encoding/json"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/clock"
)

// storedAnswer reads an answer that was too large to send. A replica may be a moment behind the write, so an entry that is
// missing or stale is read again a few times.
func (c *Client) storedAnswer(ctx context.Context, key contracts.CacheKey) ([]byte, error) {
	var doc []byte
	var err error
	for range 5 {
		if doc, err = c.readAnswer(ctx, key); err == nil || clock.Sleep(ctx, 50*time.Millisecond) != nil {
			break
		}
	}
	return doc, err
}

func (c *Client) readAnswer(ctx context.Context, key contracts.CacheKey) ([]byte, error) {
	js, err := jetstream.New(c.deps.Conn)
	if err != nil {
		return nil, unreachable(err)
	}
	bucket, err := js.KeyValue(ctx, contracts.AnswersBucket.Name)
	if err != nil {
		return nil, unreachable(err)
	}
	entry, err := bucket.Get(ctx, string(key))
	if err != nil {
		return nil, contracts.Wrap(err, contracts.SourceUnavailable, "the answer could not be delivered; retry")
	}
	doc, err := Expand(entry.Value())
	var p contracts.Provenance
	if err == nil {
		err = json.Unmarshal(doc, &p)
	}
	if err != nil || !p.Fresh(time.Now()) {
		return nil, contracts.Wrap(err, contracts.SourceUnavailable, "the answer could not be delivered; retry")
	}
	return doc, nil
}
