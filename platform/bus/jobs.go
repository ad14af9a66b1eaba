package bus

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
)

const (
	// ackWait is how long a worker may be silent before its job goes to another; heartbeat keeps a living one's.
	ackWait   = 10 * time.Second
	heartbeat = ackWait / 4
	// maxAttempts is how many workers may fall over one job. The next one only files its failure.
	maxAttempts = 3
)

// Jobs is one environment's end of the work queue.
type Jobs struct {
	deps    Deps
	js      jetstream.JetStream
	env     contracts.Environment
	results jetstream.KeyValue
}

// OpenJobs binds to the work queue and to the results.
func OpenJobs(ctx context.Context, d Deps, js jetstream.JetStream, env contracts.Environment) (*Jobs, error) {
	results, err := OpenBucket(ctx, js, contracts.ResultsBucket)
	if err != nil {
		return nil, fmt.Errorf("opening the job results: %w", err)
	}
	return &Jobs{deps: d, js: js, env: env, results: results}, nil
}

// resultKey is also the message id, by which the queue knows a job it was given already.
func (j *Jobs) resultKey(kind contracts.JobKind, id string) string {
	return string(j.env) + "." + string(kind) + "." + id
}

// JobConsumer is the name of the consumer that workers of one kind of job share.
func JobConsumer(env contracts.Environment, kind contracts.JobKind) string {
	return string(env) + "-" + string(kind)
}

func jobConsumer(env contracts.Environment, kind contracts.JobKind) jetstream.ConsumerConfig {
	return jetstream.ConsumerConfig{
		Durable:       JobConsumer(env, kind),
		FilterSubject: contracts.JobSubject(env, kind).Name,
		AckPolicy:     jetstream.AckExplicitPolicy,
		AckWait:       ackWait,
		MaxDeliver:    2 * maxAttempts, // beyond maxAttempts the deliveries are for filing the failure
		MaxAckPending: 1000,
	}
}
