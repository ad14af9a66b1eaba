package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/gateway/keys"
	"assay.dev/platform/kv"
	"assay.dev/platform/webhook"
)

type webhooksCommand struct {
	List    listWebhooks   `cmd:"" help:"List all webhooks, with how they stand."`
	Disable disableWebhook `cmd:"" help:"End the deliveries of one, until its tenant resumes it."`
}

// Help says what is shown.
func (webhooksCommand) Help() string {
	return `TENANT is a hash where no key of the tenant is known. BEHIND is how many changes follow the webhook's place, of any kind: up to
1,000 that do not concern it are not noted. Of its URL only the host is shown.
` + targetHelp
}

// withWebhooks calls f with each webhook of the deployment and its key in the bucket.
func withWebhooks(ctx context.Context, js jetstream.JetStream,
	f func(jetstream.KeyValue, string, *webhook.Endpoint) error) error {
	bucket, err := kv.Open(ctx, js, contracts.EndpointsBucket)
	if err != nil {
		return err
	}
	entries, err := kv.Entries(ctx, js, bucket, "*.*.*")
	for _, entry := range entries {
		var e webhook.Endpoint
		if entry.Operation() != jetstream.KeyValuePut {
			continue
		}
		if err := json.Unmarshal(entry.Value(), &e); err != nil {
			return fmt.Errorf("the webhook %s cannot be understood: %w", entry.Key(), err)
		}
		err = errors.Join(err, f(bucket, entry.Key(), &e))
	}
	return err
}

type listWebhooks struct{}

// Run prints all webhooks.
func (listWebhooks) Run(ctx context.Context, c *console) error {
	conn, js, err := connect(ctx, c)
	if err != nil {
		return err
	}
	defer conn.Close()
	changes, streamErr := js.Stream(ctx, contracts.ChangesStream.Name)
	store, err := keys.OpenStore(ctx, js)
	if err = errors.Join(streamErr, err); err != nil {
		return err
	}
	issued, err := store.List(ctx)
	if err != nil {
		return err
	}
	tenants, last := map[string]string{}, changes.CachedInfo().State.LastSeq
	for _, k := range issued {
		tenants[contracts.OwnerKey(k.Environment, k.Tenant)] = k.Tenant
	}
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tTENANT\tENVIRONMENT\tHOST\tSTATE\tFAILING SINCE\tRETRIES\tBEHIND")
	err = withWebhooks(ctx, js, func(_ jetstream.KeyValue, key string, e *webhook.Endpoint) error {
		owner, since := strings.TrimSuffix(key, "."+e.ID), "-"
		env, hash, _ := strings.Cut(owner, ".")
		if e.FailingSince != nil {
			since = e.FailingSince.Format(time.RFC3339)
		}
		u, _ := url.Parse(e.URL)
		_, err := fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%d\t%d\n",
			e.ID, cmp.Or(tenants[owner], hash), env, cmp.Or(u, &url.URL{}).Host, e.Status(), since, len(e.Retries),
			last-min(e.Cursor.Sequence, last))
		return err
	})
	return errors.Join(err, w.Flush())
}

type disableWebhook struct {
	ID string `arg:"" help:"The webhook's id, as webhooks list shows it."`
}

// Run disables it.
func (d disableWebhook) Run(ctx context.Context, c *console) error {
	conn, js, err := connect(ctx, c)
	if err != nil {
		return err
	}
	defer conn.Close()
	unknown := errors.New("there is no webhook of that id")
	err = withWebhooks(ctx, js, func(bucket jetstream.KeyValue, key string, e *webhook.Endpoint) error {
		if e.ID != d.ID {
			return nil
		}
		unknown = nil
		return kv.Change(ctx, bucket, key, func(old []byte) ([]byte, error) {
			var e webhook.Endpoint
			if err := json.Unmarshal(old, &e); err != nil {
				return nil, err
			}
			e.Disabled = "the operator ended it"
			return json.Marshal(e)
		})
	})
	return errors.Join(err, unknown)
}
