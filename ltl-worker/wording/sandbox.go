package wording

import (
	"context"
	_ "embed"
	"encoding/json"
	"reflect"
	"slices"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/trust"
)

// sandboxWording are the editions of the pages that the built-in stand-in shows, by carrier. The test of this package
// writes it.
//
//go:embed sandbox.json
var sandboxWording []byte

// Sandbox gives the editions of the sandbox's pages.
func Sandbox() (all map[contracts.Carrier][]trust.Edition, err error) {
	return all, json.Unmarshal(sandboxWording, &all)
}

// AcceptSandbox accepts in the test environment what the sandbox's pages say, as an operator does with real ones. What
// is accepted already is not written again.
func AcceptSandbox(ctx context.Context, js jetstream.JetStream) error {
	all, err := Sandbox()
	if err != nil {
		return err
	}
	bucket, err := OpenBucket(ctx, contracts.Test, js)
	if err != nil {
		return err
	}
	for _, c := range contracts.Carriers {
		known, err := bucket.accepted(ctx, c)
		if err != nil {
			return err
		}
		isKnown := func(e trust.Edition) bool {
			return slices.ContainsFunc(known, func(k trust.Edition) bool { return reflect.DeepEqual(k, e) })
		}
		if slices.IndexFunc(all[c], func(e trust.Edition) bool { return !isKnown(e) }) < 0 {
			continue
		}
		if err := bucket.replace(ctx, c, all[c]); err != nil {
			return err
		}
	}
	return nil
}
