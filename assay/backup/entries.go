package backup

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/nats-io/jsm.go"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
)

// entry is a message of a bucket: a line of JSON in a compressed file.
type entry struct {
	Sequence uint64      `json:"sequence"`
	Time     time.Time   `json:"time"`
	Subject  string      `json:"subject"`
	Header   nats.Header `json:"header,omitempty"`
	Data     []byte      `json:"data,omitempty"`
}

// nextTime bounds the wait for one message.
const nextTime = 5 * time.Second

// reading writes messages of a bucket to a file and remembers which keys they are of.
type reading struct {
	lines *json.Encoder
	seen  map[string]bool
	store Store
}

func (r *reading) addEntry(e entry) error {
	r.seen[e.Subject] = true
	r.store.Messages++
	r.store.Last, r.store.LastAt = max(r.store.Last, e.Sequence), later(r.store.LastAt, e.Time)
	return r.lines.Encode(e)
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// readEntries writes a bucket to w. For each key that the bucket held at the beginning it writes that value or a
// later one, and the history where one is kept. It lists the keys first and asks for each by its name: a reader of
// messages in their order misses a key that is overwritten meanwhile.
func readEntries(ctx context.Context, js jetstream.JetStream, b contracts.Bucket, w io.Writer) (Store, error) {
	manager, err := jsm.New(js.Conn(), jsm.WithTimeout(nextTime))
	if err != nil {
		return Store{}, err
	}
	stream, err := js.Stream(ctx, b.Stream())
	if err != nil {
		return Store{}, err
	}
	info, err := stream.Info(ctx, jetstream.WithSubjectFilter(b.Subject(">")))
	if err != nil {
		return Store{}, err
	}
	r := &reading{lines: json.NewEncoder(w), seen: map[string]bool{}}
	r.store = Store{Stream: b.Stream(), First: info.State.FirstSeq, Last: info.State.LastSeq, LastAt: info.State.LastTime}
	if b.History > 1 && info.State.Msgs > 0 {
		if err := r.history(ctx, js, info); err != nil {
			return r.store, err
		}
	}
	for subject := range info.State.Subjects {
		if r.seen[subject] {
			continue
		}
		if err := errors.Join(ctx.Err(), r.newest(manager, b, subject)); err != nil {
			return r.store, err
		}
	}
	r.store.Keys = uint64(len(r.seen))
	return r.store, nil
}

// history reads the messages in their order up to the one that was the last.
func (r *reading) history(ctx context.Context, js jetstream.JetStream, info *jetstream.StreamInfo) error {
	consumer, err := js.OrderedConsumer(ctx, info.Config.Name, jetstream.OrderedConsumerConfig{})
	if err != nil {
		return err
	}
	messages, err := consumer.Messages()
	if err != nil {
		return err
	}
	defer messages.Stop()
	for {
		msg, meta, err := nextMessage(ctx, messages)
		if err != nil {
			return fmt.Errorf("message %d of %d: %w", r.store.Messages+1, info.State.Msgs, err)
		}
		e := entry{meta.Sequence.Stream, meta.Timestamp, msg.Subject(), msg.Headers(), msg.Data()}
		if err := r.addEntry(e); err != nil {
			return err
		}
		if meta.Sequence.Stream >= info.State.LastSeq {
			return nil
		}
	}
}

func nextMessage(ctx context.Context, messages jetstream.MessagesContext) (jetstream.Msg,
	*jetstream.MsgMetadata, error) {
	ctx, cancel := context.WithTimeout(ctx, nextTime)
	defer cancel()
	msg, err := messages.Next(jetstream.NextContext(ctx))
	if err != nil {
		return nil, nil, err
	}
	meta, err := msg.Metadata()
	return msg, meta, err
}

// noMessage is the server's JSNoMessageFoundErr.
const noMessage = 10037

// newest asks the leader for the last message of a key. In a bucket whose entries expire it may be gone by now.
func (r *reading) newest(manager *jsm.Manager, b contracts.Bucket, subject string) error {
	msg, err := manager.ReadLastMessageForSubject(b.Stream(), subject)
	if jsm.IsNatsError(err, noMessage) && (b.TTL > 0 || b.PerKeyTTL) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("an entry that is counted cannot be read: %w", err)
	}
	header, err := nats.DecodeHeadersMsg(msg.Header)
	if err != nil && len(msg.Header) > 0 {
		return err
	}
	return r.addEntry(entry{msg.Sequence, msg.Time, msg.Subject, header, msg.Data})
}

// writeEntries stores what readEntries read in a bucket that is empty.
func writeEntries(ctx context.Context, js jetstream.JetStream, dir string, b contracts.Bucket) error {
	f, err := os.OpenInRoot(dir, entriesFile(b))
	if err != nil {
		return err
	}
	defer f.Close()
	zipped, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	var waiting []jetstream.PubAckFuture
	lines := bufio.NewScanner(zipped)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		var e entry
		switch err := json.Unmarshal(lines.Bytes(), &e); {
		case err != nil:
			return err
		case !strings.HasPrefix(e.Subject, b.Subject("")):
			return fmt.Errorf("an entry of %s is of the subject %q", b.Name, e.Subject)
		case e.Header.Get("Nats-Marker-Reason") != "":
			continue // the server's own word that an entry ended
		}
		ack, err := js.PublishMsgAsync(&nats.Msg{Subject: e.Subject, Header: stored(e.Header), Data: e.Data})
		if err != nil {
			return err
		}
		if waiting = append(waiting, ack); len(waiting) == maxWaiting {
			if err := acknowledged(ctx, waiting); err != nil {
				return err
			}
			waiting = waiting[:0]
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	return acknowledged(ctx, waiting)
}

// maxLine bounds an entry in base64 with its headers. A server takes 1 MB unless it is told otherwise.
const maxLine = 16 << 20

// maxWaiting bounds the messages that are under way.
const maxWaiting = 256

func acknowledged(ctx context.Context, waiting []jetstream.PubAckFuture) error {
	for _, ack := range waiting {
		select {
		case <-ack.Ok():
		case err := <-ack.Err():
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// stored returns the header without the conditions of the write, and without what joined it with other writes.
func stored(h nats.Header) nats.Header {
	kept := nats.Header{}
	for name, values := range h {
		if !strings.HasPrefix(name, "Nats-Expected-") && !strings.HasPrefix(name, "Nats-Batch-") && name != nats.MsgIdHdr {
			kept[name] = values
		}
	}
	return kept
}
