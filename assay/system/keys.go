package system

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/gateway/keys"
	"assay.dev/gateway/session"
	"assay.dev/platform/daemon"
	"assay.dev/platform/seal"
)

// Files with what seals the sessions of the console, so that they outlast a restart, and the secrets of webhooks.
const (
	consoleSecretFile = "console-secret"
	webhookKeyFile    = "webhook-key"
)

// secret reads a secret, or makes it when there is none that is long enough.
func (d *data) secret(file string) (daemon.Secret, error) {
	text, err := os.ReadFile(d.path(file))
	switch {
	case err == nil && len(text) >= seal.MinSecret:
		return daemon.Secret(text), nil
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return "", err
	}
	made := session.NewSecret()
	return daemon.Secret(made), d.writeFile(file, made)
}

// keysFile holds the keys that assay up prints, one a line.
const keysFile = "keys"

// printedKeys returns one key for each environment. It takes the key of an earlier start when that is still
// accepted, and else issues a new one, but not in place of a live key that has ended: who revoked it wants none.
func printedKeys(ctx context.Context, js jetstream.JetStream, d *data) (map[contracts.Environment]string, error) {
	store, err := keys.OpenStore(ctx, js)
	if err != nil {
		return nil, err
	}
	kept, good, err := keptKeys(ctx, store, d)
	if err != nil {
		return nil, err
	}
	var lines strings.Builder
	for _, env := range contracts.Environments {
		if good[env] == "" && (env == contracts.Test || kept[env] == "") {
			good[env], err = store.Create(ctx, keys.Record{Tenant: "local", Environment: env,
				Products: contracts.Products})
			if err != nil {
				return nil, fmt.Errorf("creating the %s key: %w", env, err)
			}
		}
		fmt.Fprintln(&lines, cmp.Or(good[env], kept[env]))
	}
	return good, d.writeFile(keysFile, lines.String())
}

// keptKeys reads the keys of an earlier start that the store holds. Those that are good are neither revoked nor
// expired.
func keptKeys(
	ctx context.Context, store *keys.Store, d *data,
) (kept, good map[contracts.Environment]string, err error) {
	text, err := os.ReadFile(d.path(keysFile))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, nil, err
	}
	listed, err := store.List(ctx)
	if err != nil {
		return nil, nil, err
	}
	kept, good = map[contracts.Environment]string{}, map[contracts.Environment]string{}
	for key := range strings.FieldsSeq(string(text)) {
		hash, err := keys.Parse(key)
		if err != nil {
			continue
		}
		for _, l := range listed {
			if l.ID != hash.ID() {
				continue
			}
			kept[l.Environment] = key
			if l.Usable() == nil {
				good[l.Environment] = key
			}
		}
	}
	return kept, good, nil
}
