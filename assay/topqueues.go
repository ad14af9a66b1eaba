package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/jobs"
)

// queueState counts the jobs of one kind.
type queueState struct {
	Kind        contracts.JobKind     `json:"kind"`
	Environment contracts.Environment `json:"environment"`
	Waiting     uint64                `json:"waiting"`
	InHand      int                   `json:"in_hand"`
	GivenAgain  int                   `json:"given_again"`
}

// readQueues counts the jobs that wait and those in hand. A queue of which no worker has taken a job yet is left out.
func readQueues(ctx context.Context, js jetstream.JetStream) ([]queueState, error) {
	queues := []queueState{}
	for _, env := range contracts.Environments {
		for _, kind := range contracts.JobKinds {
			consumer, err := js.Consumer(ctx, contracts.JobsStream.Name, jobs.ConsumerName(env, kind))
			if errors.Is(err, jetstream.ErrConsumerNotFound) {
				continue
			}
			if err != nil {
				return nil, fmt.Errorf("%s jobs: %w", kind, err)
			}
			info := consumer.CachedInfo()
			queues = append(queues, queueState{kind, env, info.NumPending, info.NumAckPending, info.NumRedelivered})
		}
	}
	return queues, nil
}
