package mirror

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
)

// pieceSize is that of nats.go.
const pieceSize = 128 << 10

// put stores an object. The object store's own Put publishes without waiting, for which nats.go 1.55 starts a goroutine
// that sometimes stays for ever. The subjects and the description are those of NATS's ADR-20.
func (s *Store) put(ctx context.Context, object string, body []byte) error {
	sum := sha256.Sum256(body)
	info := jetstream.ObjectInfo{
		ObjectMeta: jetstream.ObjectMeta{Name: object, Opts: &jetstream.ObjectMetaOptions{ChunkSize: pieceSize}},
		Bucket:     contracts.MirrorsStore, NUID: rand.Text(), Size: uint64(len(body)),
		Digest: "SHA-256=" + base64.URLEncoding.EncodeToString(sum[:]),
	}
	for piece := range slices.Chunk(body, pieceSize) {
		if _, err := s.JetStream.Publish(ctx, "$O."+contracts.MirrorsStore+".C."+info.NUID, piece); err != nil {
			return err
		}
		info.Chunks++
	}
	return s.describe(ctx, info)
}

// forget deletes an object. The object store's own Delete purges the stream, which no service may do; a message that
// replaces all others of its subject needs no such right. The subjects are those of NATS's ADR-20.
func (s *Store) forget(ctx context.Context, object string) error {
	info, err := s.files.GetInfo(ctx, object)
	if err != nil {
		return err
	}
	info.Deleted, info.Size, info.Chunks, info.Digest, info.ModTime = true, 0, 0, "", time.Time{}
	if err := s.describe(ctx, *info); err != nil {
		return err
	}
	return s.replace(ctx, "C."+info.NUID, nil)
}

func (s *Store) describe(ctx context.Context, info jetstream.ObjectInfo) error {
	meta, err := json.Marshal(info)
	if err != nil {
		return err
	}
	return s.replace(ctx, "M."+base64.URLEncoding.EncodeToString([]byte(info.Name)), meta)
}

func (s *Store) replace(ctx context.Context, subject string, data []byte) error {
	msg := nats.NewMsg("$O." + contracts.MirrorsStore + "." + subject)
	msg.Header.Set(jetstream.MsgRollup, jetstream.MsgRollupSubject)
	msg.Data = data
	_, err := s.JetStream.PublishMsg(ctx, msg)
	return err
}
