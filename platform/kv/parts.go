package kv

import (
	"context"
	"strconv"

	"github.com/nats-io/nats.go/jetstream"
)

// partSize is how much of a document an entry has: NATS takes 1 MiB.
const partSize = 512 << 10

// partKey is the key of the i-th part of a document.
func partKey(key string, i int) string {
	if i == 0 {
		return key
	}
	return key + "." + strconv.Itoa(i)
}

// PutParts keeps a document under a key, and under keys below it what one entry has no room for. check may refuse to
// replace the first part that is there; it is given nil where there is none.
func PutParts(ctx context.Context, bucket jetstream.KeyValue, key string, document []byte,
	check func(first []byte) error) error {
	if len(document) >= partSize { // who is refused must not have written over another one's further parts
		first, _, err := Get(ctx, bucket, key)
		if err == nil {
			err = check(first)
		}
		if err != nil {
			return err
		}
	}
	// The first part comes last: where it is, the others are. A part that is full has another one behind it.
	for i := len(document) / partSize; i >= 0; i-- {
		part := document[i*partSize : min((i+1)*partSize, len(document))]
		err := Change(ctx, bucket, partKey(key, i), func(old []byte) ([]byte, error) {
			if i > 0 {
				return part, nil
			}
			return part, check(old)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// GetParts is the document that [PutParts] kept under a key; nil where there is none.
func GetParts(ctx context.Context, bucket jetstream.KeyValue, key string) (document []byte, err error) {
	for i := 0; ; i++ {
		part, _, err := Get(ctx, bucket, partKey(key, i))
		switch {
		case err != nil || part == nil && i == 0:
			return nil, err
		case part == nil:
			return nil, &Damaged{Stream: "KV_" + bucket.Bucket(), What: "a part of a document is missing"}
		}
		if document = append(document, part...); len(part) < partSize {
			return document, nil
		}
	}
}

// PurgeParts removes the document under a key, its first part first.
func PurgeParts(ctx context.Context, bucket jetstream.KeyValue, key string) error {
	for i := 0; ; i++ {
		key := partKey(key, i)
		part, _, err := Get(ctx, bucket, key)
		if err == nil && part != nil {
			err = Retry(ctx, func(ctx context.Context) error { return bucket.Purge(ctx, key) })
		}
		if err != nil || len(part) < partSize {
			return err
		}
	}
}
