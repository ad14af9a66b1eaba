package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/jobs"
	"assay.dev/platform/kv"
)

// showSources prints what workers say of their sources.
func showSources(ctx context.Context, w io.Writer, js jetstream.JetStream) error {
	bucket, err := kv.Open(ctx, js, contracts.SourcesBucket)
	if err != nil {
		return err
	}
	fmt.Fprintln(w, "SOURCE\tENVIRONMENT\tBREAKER\tLAST READ\tAGO")
	for _, env := range contracts.Environments {
		for _, code := range contracts.Carriers {
			err = errors.Join(err, showSource(ctx, w, bucket, env, contracts.LTL, string(code)))
		}
		for _, code := range contracts.States {
			err = errors.Join(err, showSource(ctx, w, bucket, env, contracts.ABC, string(code)))
		}
	}
	fmt.Fprintln(w)
	return err
}

// showSource leaves out a source that no worker has described.
func showSource(ctx context.Context, w io.Writer, bucket jetstream.KeyValue, env contracts.Environment, p contracts.Product, code string) error {
	entry, err := bucket.Get(ctx, contracts.ListingKey(env, p, code))
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil
	}
	var health contracts.SourceHealth
	if err == nil {
		err = json.Unmarshal(entry.Value(), &health)
	}
	if err != nil {
		return fmt.Errorf("source %s: %w", code, err)
	}
	read, ago := "never", ""
	if health.LastSuccess != nil {
		read, ago = health.LastSuccess.Format(time.DateTime), time.Since(*health.LastSuccess).Round(time.Second).String()
	}
	_, err = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", code, env, cmp.Or(health.Breaker, "-"), read, ago)
	return err
}

// showQueues prints the jobs that wait and those in hand.
func showQueues(ctx context.Context, w io.Writer, js jetstream.JetStream) error {
	fmt.Fprintln(w, "QUEUE\tENVIRONMENT\tWAITING\tIN HAND\tGIVEN AGAIN")
	for _, env := range contracts.Environments {
		for _, kind := range contracts.JobKinds {
			consumer, err := js.Consumer(ctx, contracts.JobsStream.Name, jobs.ConsumerName(env, kind))
			if errors.Is(err, jetstream.ErrConsumerNotFound) {
				continue // no worker has asked for such jobs yet
			}
			if err != nil {
				return fmt.Errorf("%s jobs: %w", kind, err)
			}
			info := consumer.CachedInfo()
			fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\n", kind, env, info.NumPending, info.NumAckPending, info.NumRedelivered)
		}
	}
	fmt.Fprintln(w)
	return nil
}
