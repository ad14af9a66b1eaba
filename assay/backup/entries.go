package backup

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

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

// readEntries writes each message of a bucket to w until nothing is left that was there when it began. While keys are
// overwritten their messages move to the end, so it reads on until the server says that no message waits.
func readEntries(ctx context.Context, js jetstream.JetStream, b contracts.Bucket, w io.Writer) (Store, error) {
	stream, err := js.Stream(ctx, b.Stream())
	if err != nil {
		return Store{}, err
	}
	began := stream.CachedInfo().State
	s := Store{Stream: b.Stream(), First: began.FirstSeq, Last: began.LastSeq, LastAt: began.LastTime}
	if began.Msgs == 0 {
		return s, nil
	}
	consumer, err := js.OrderedConsumer(ctx, b.Stream(), jetstream.OrderedConsumerConfig{})
	if err != nil {
		return s, err
	}
	messages, err := consumer.Messages()
	if err != nil {
		return s, err
	}
	defer messages.Stop()
	lines, keys := json.NewEncoder(w), map[string]bool{}
	for {
		msg, meta, err := nextMessage(ctx, messages)
		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil && (b.TTL > 0 || b.PerKeyTTL) {
			break // the last messages expired
		}
		if err != nil {
			return s, fmt.Errorf("message %d of %d: %w", s.Messages+1, began.Msgs, err)
		}
		e := entry{meta.Sequence.Stream, meta.Timestamp, msg.Subject(), msg.Headers(), msg.Data()}
		if err := lines.Encode(e); err != nil {
			return s, err
		}
		keys[e.Subject] = true
		s.Messages, s.Last, s.LastAt = s.Messages+1, max(s.Last, e.Sequence), e.Time
		if meta.NumPending == 0 && e.Sequence >= began.LastSeq {
			break
		}
	}
	s.Keys = uint64(len(keys))
	if s.Keys < began.NumSubjects && b.TTL == 0 && !b.PerKeyTTL {
		return s, fmt.Errorf("it says that it holds %d keys and delivers %d", began.NumSubjects, s.Keys)
	}
	return s, nil
}

func nextMessage(ctx context.Context, messages jetstream.MessagesContext) (jetstream.Msg, *jetstream.MsgMetadata, error) {
	ctx, cancel := context.WithTimeout(ctx, nextTime)
	defer cancel()
	msg, err := messages.Next(jetstream.NextContext(ctx))
	if err != nil {
		return nil, nil, err
	}
	meta, err := msg.Metadata()
	return msg, meta, err
}

// writeEntries stores what readEntries read in a bucket that is empty.
func writeEntries(ctx context.Context, js jetstream.JetStream, file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	zipped, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	var waiting []jetstream.PubAckFuture
	for lines := json.NewDecoder(zipped); ; {
		var e entry
		switch err := lines.Decode(&e); {
		case errors.Is(err, io.EOF):
			return acknowledged(ctx, waiting)
		case err != nil:
			return err
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
}

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

// stored is the header without what was a condition of the write at its time.
func stored(h nats.Header) nats.Header {
	kept := nats.Header{}
	for name, values := range h {
		if !strings.HasPrefix(name, "Nats-Expected-") && name != nats.MsgIdHdr {
			kept[name] = values
		}
	}
	return kept
}
