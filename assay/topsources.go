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
	"assay.dev/platform/kv"
)

// sourceState is what the workers last said of a source.
type sourceState struct {
	Source      string                `json:"source"`
	Environment contracts.Environment `json:"environment"`
	contracts.SourceHealth
}

// readSources reads the state of every source that a worker has described.
func readSources(ctx context.Context, js jetstream.JetStream) ([]sourceState, error) {
	bucket, err := kv.Open(ctx, js, contracts.SourcesBucket)
	if err != nil {
		return nil, err
	}
	states := []sourceState{}
	add := func(env contracts.Environment, p contracts.Product, code string) {
		state := sourceState{Source: code, Environment: env}
		known, e := readSource(ctx, bucket, contracts.ListingKey(env, p, code), &state.SourceHealth)
		if err = errors.Join(err, e); known {
			states = append(states, state)
		}
	}
	for _, env := range contracts.Environments {
		for _, p := range contracts.Products {
			for _, code := range p.Sources() {
				add(env, p, code)
			}
		}
	}
	return states, err
}

// readSource fills in health, and says whether a worker has described the source.
func readSource(
	ctx context.Context, bucket jetstream.KeyValue, key string, health *contracts.SourceHealth,
) (bool, error) {
	entry, err := bucket.Get(ctx, key)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return false, nil
	}
	if err == nil {
		err = json.Unmarshal(entry.Value(), health)
	}
	if err != nil {
		return false, fmt.Errorf("source %s: %w", key, err)
	}
	return true, nil
}

func (s sourceState) write(w io.Writer) {
	read, ago := "never", ""
	if s.LastSuccess != nil {
		read, ago = moment(*s.LastSuccess), time.Since(*s.LastSuccess).Round(time.Second).String()
	}
	fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", s.Source, s.Environment, cmp.Or(s.Breaker, "-"), read, ago)
}
