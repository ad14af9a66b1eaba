package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"

	"assay.dev/contracts"
	"assay.dev/platform/kv"
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
	doc, err := kv.Expand(stored)
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

// errFiled ends the filing of a result that is no better than the one that is there.
var errFiled = errors.New("the job has a result")

// store files the result under the job's id. The first result of a job stays, as two workers may both have ended it, but
// for a failure: a worker that was given up, whose NATS was away, may bring what was paid for.
func (q *Queue) store(ctx context.Context, key string, r result) error {
	doc, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("encoding the result: %w", err)
	}
	doc = kv.Compress(doc)
	err = kv.Change(ctx, q.results, key, func(old []byte) ([]byte, error) {
		if old != nil {
			if _, err := decodeResult[json.RawMessage](old); err == nil || r.Failed != "" {
				return nil, errFiled
			}
		}
		return doc, nil
	})
	switch {
	case err == nil || errors.Is(err, errFiled):
		return nil
	case errors.Is(err, nats.ErrMaxPayload):
		return q.store(ctx, key, failedResult(contracts.Wrap(err, contracts.Internal,
			"the result is too large to send")))
	}
	return fmt.Errorf("storing the result: %w", err)
}

func (q *Queue) stored(ctx context.Context, key string) (doc []byte, found bool, err error) {
	doc, revision, err := kv.Get(ctx, q.results, key)
	return doc, revision > 0, err
}
