package bustest

import (
	"bytes"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Slow is a JetStream through which a fetch that waits for nothing can be cut short, as by a stream that is slow: what
// is sent to cut is asked for in place of the next fetch, such as {"batch":3}; nothing is, where that is empty.
func Slow(t testing.TB, conn *nats.Conn) (js jetstream.JetStream, cut chan<- string) {
	t.Helper()
	const prefix = "SLOW.API"
	cuts := make(chan string, 1)
	_, err := conn.Subscribe(prefix+".>", func(msg *nats.Msg) {
		if bytes.Contains(msg.Data, []byte(`"no_wait":true`)) {
			select {
			case instead := <-cuts:
				if msg.Data = []byte(instead); instead == "" {
					return
				}
			default:
			}
		}
		if msg.Subject = strings.TrimPrefix(msg.Subject, prefix+"."); !strings.HasPrefix(msg.Subject, "$KV.") {
			msg.Subject = jetstream.DefaultAPIPrefix + msg.Subject
		}
		_ = conn.PublishMsg(msg)
	})
	if err != nil {
		t.Fatal(err)
	}
	if js, err = jetstream.NewWithAPIPrefix(conn, prefix); err != nil {
		t.Fatal(err)
	}
	return js, cuts
}
