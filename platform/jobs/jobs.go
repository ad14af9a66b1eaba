package jobs

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/kv"
)

const (
	// ackWait is how long a worker may be silent before its job goes to another; heartbeat keeps a living one's.
	ackWait   = 10 * time.Second
	heartbeat = ackWait / 4
	// maxAttempts is how many workers may fall over one job. The next one only files its failure.
	maxAttempts = 3
)

// Queue is one environment's end of the work queue.
type Queue struct {
	deps    bus.Deps
	js      jetstream.JetStream
	env     contracts.Environment
	results jetstream.KeyValue
}

// Open binds to the work queue and to the results.
func Open(ctx context.Context, d bus.Deps, js jetstream.JetStream, env contracts.Environment) (*Queue, error) {
	results, err := kv.Open(ctx, js, contracts.ResultsBucket)
	if err != nil {
		return nil, fmt.Errorf("opening the job results: %w", err)
	}
	return &Queue{deps: d, js: js, env: env, results: results}, nil
}

// resultKey is also the message id, by which the queue knows a job it was given already.
func (q *Queue) resultKey(kind contracts.JobKind, id string) string {
	return string(q.env) + "." + string(kind) + "." + id
}

// ConsumerName is the name of the consumer that workers of one kind of job share.
func ConsumerName(env contracts.Environment, kind contracts.JobKind) string {
	return string(env) + "-" + string(kind)
}

func consumerConfig(env contracts.Environment, kind contracts.JobKind) jetstream.ConsumerConfig {
	return jetstream.ConsumerConfig{
		Durable:       ConsumerName(env, kind),
		FilterSubject: contracts.JobSubject(env, kind).Name,
		AckPolicy:     jetstream.AckExplicitPolicy,
		AckWait:       ackWait,
		MaxDeliver:    2 * maxAttempts, // beyond maxAttempts the deliveries are for filing the failure
		MaxAckPending: 1000,
	}
}

// Provision makes what is missing of the consumers, and brings what exists in line.
func Provision(ctx context.Context, js jetstream.JetStream) error {
	for _, env := range contracts.Environments {
		for _, kind := range contracts.JobKinds {
			if _, err := js.CreateOrUpdateConsumer(ctx, contracts.JobsStream.Name,
				consumerConfig(env, kind)); err != nil {
				return fmt.Errorf("consumer of %s jobs in %s: %w", kind, env, err)
			}
		}
	}
	return nil
}
