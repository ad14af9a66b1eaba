package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
)

// result is the value in the bucket of job results.
type result struct {
	Value json.RawMessage `json:"value,omitempty"`
	// Failed is the number of a code of package contracts, and Failure the body that goes with it.
	Failed  string          `json:"failed,omitempty"`
	Failure json.RawMessage `json:"failure,omitempty"`
}

func failedResult(err error) result {
	number, _, body := contracts.EncodeError(err)
	return result{Failed: number, Failure: body}
}

func decodeResult[T any](stored []byte) (T, error) {
	var v T
	doc, err := Expand(stored)
	var r result
	if err == nil {
		err = json.Unmarshal(doc, &r)
	}
	if err == nil && r.Failed != "" {
		return v, contracts.DecodeError(r.Failed, r.Failure)
	}
	if err == nil {
		err = json.Unmarshal(r.Value, &v)
	}
	if err != nil {
		return v, contracts.Wrap(err, contracts.Internal, "a worker sent a result that is not understood")
	}
	return v, nil
}

const (
	storeTries = 5
	storePause = 500 * time.Millisecond
)

// store files the result under the job's id. The first result of a job stays: two workers may both have ended it.
func (j *Jobs) store(ctx context.Context, key string, r result) error {
	doc, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("encoding the result: %w", err)
	}
	doc = Compress(doc)
	for range storeTries {
		_, err = j.results.Create(ctx, key, doc)
		if err == nil || errors.Is(err, jetstream.ErrKeyExists) {
			return nil
		}
		if errors.Is(err, nats.ErrMaxPayload) {
			return j.store(ctx, key, failedResult(contracts.Wrap(err, contracts.Internal, "the result is too large to send")))
		}
		if sleep(ctx, storePause) != nil {
			break
		}
	}
	return fmt.Errorf("storing the result: %w", err)
}

func (j *Jobs) stored(ctx context.Context, key string) (doc []byte, found bool, err error) {
	entry, err := j.results.Get(ctx, key)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	return entry.Value(), true, nil
}
