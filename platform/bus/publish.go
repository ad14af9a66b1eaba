package bus

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/internal/handling"
)

// Publish puts an event on the stream of s, and returns when the stream has it. Within the stream's window a second
// event of the same id is dropped, so a failed Publish may be repeated.
func Publish(ctx context.Context, js jetstream.JetStream, s contracts.Subject, id string, event any) error {
	data, err := json.Marshal(event)
	if err != nil {
		return fmt.Errorf("encoding the event: %w", err)
	}
	header := nats.Header{}
	handling.Propagator().Inject(ctx, handling.Carrier(header))
	_, err = js.PublishMsg(ctx, &nats.Msg{Subject: s.Name, Header: header, Data: data}, jetstream.WithMsgID(id))
	if err != nil {
		return fmt.Errorf("publishing to %s: %w", s.Template, err)
	}
	return nil
}
