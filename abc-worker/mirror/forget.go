package mirror

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
)

// forget deletes an object. The object store's own Delete purges the stream, which no service may do; a message that
// replaces all others of its subject needs no such right. The subjects are those of NATS's ADR-20.
func (s *Store) forget(ctx context.Context, object string) error {
	info, err := s.files.GetInfo(ctx, object)
	if err != nil {
		return err
	}
	info.Deleted, info.Size, info.Chunks, info.Digest, info.ModTime = true, 0, 0, "", time.Time{}
	meta, err := json.Marshal(info)
	if err != nil {
		return err
	}
	if err := s.replace(ctx, "M."+base64.URLEncoding.EncodeToString([]byte(object)), meta); err != nil {
		return err
	}
	return s.replace(ctx, "C."+info.NUID, nil)
}

func (s *Store) replace(ctx context.Context, subject string, data []byte) error {
	msg := nats.NewMsg("$O." + contracts.MirrorsStore + "." + subject)
	msg.Header.Set(jetstream.MsgRollup, jetstream.MsgRollupSubject)
	msg.Data = data
	_, err := s.JetStream.PublishMsg(ctx, msg)
	return err
}
