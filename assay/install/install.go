// Package install makes the secrets that a deployment needs before its first start and that must not stand in its
// manifests: the keys of the NATS users, the certificates of the NATS servers with their authority, and the
// sandbox's authority.
package install

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/nats-io/nkeys"

	"assay.dev/gateway/session"
	"assay.dev/platform/access"
	"assay.dev/sandbox"
)

// Provided names the secrets that the operator gets from others, such as the key of the CAPTCHA solver. An empty
// secret turns off what needs it.
var Provided = []string{"rapidapi-ltl", "rapidapi-abc", "solver-key", "renderer-key", "soda-token"}

// ConsoleSecret and WebhookKey are the secrets beside them with which all gateways seal the sessions of the console,
// and with which gateways and couriers seal the secrets of webhooks. [Write] makes both.
const (
	ConsoleSecret = "console-secret"
	WebhookKey    = "webhook-key"
)

// Write creates the files below in dir. Only the owner of dir may read them. A file that exists stays as it is, so
// Write may be called again after an upgrade; to replace a key or a certificate, remove its file first. Namespace is
// the Kubernetes namespace of the NATS servers, which stands in the names of their certificate.
//
//	nats/ca.crt, ca.key, tls.crt, tls.key   the servers' certificate and its authority
//	nats/users.env                          the users' public keys, as the servers read them
//	nkeys/USER.nk                           a user's secret key
//	sandbox/sandbox-ca.pem, sandbox-ca.key  what workers of the test environment trust
//	provided/NAME                           empty, for the operator to fill: see [Provided]
//	provided/console-secret, webhook-key    what seals the sessions of the console, and the secrets of webhooks
func Write(dir, namespace string) error {
	for _, sub := range []string{"nats", "nkeys", "sandbox", "provided"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o700); err != nil {
			return err
		}
	}
	if err := writeUsers(dir); err != nil {
		return err
	}
	if err := writeCertificates(filepath.Join(dir, "nats"), namespace); err != nil {
		return err
	}
	if err := sandbox.EnsureAuthority(filepath.Join(dir, "sandbox")); err != nil {
		return err
	}
	for _, name := range Provided {
		if err := writeNew(filepath.Join(dir, "provided", name), nil); err != nil {
			return err
		}
	}
	for _, name := range []string{ConsoleSecret, WebhookKey} {
		if err := writeNew(filepath.Join(dir, "provided", name), []byte(session.NewSecret())); err != nil {
			return err
		}
	}
	return nil
}

// SeedFile is the file into which [Write] puts the secret key of a NATS user, such as DIR/nkeys/gateway.nk.
func SeedFile(dir, user string) string { return filepath.Join(dir, "nkeys", user+".nk") }

// writeUsers makes a key for each NATS user, and writes the public keys as variables of the servers' configuration.
func writeUsers(dir string) error {
	var public strings.Builder
	names := []string{access.SystemUser}
	for _, u := range access.Users() {
		names = append(names, u.Name)
	}
	for _, name := range names {
		key, err := userKey(SeedFile(dir, name))
		if err != nil {
			return fmt.Errorf("user %s: %w", name, err)
		}
		fmt.Fprintf(&public, "%s=%s\n", access.Variable(name), key)
	}
	return os.WriteFile(filepath.Join(dir, "nats", "users.env"), []byte(public.String()), 0o600)
}

// userKey returns the public key that belongs to the secret key in file. It creates the secret key when there is no
// file.
func userKey(file string) (string, error) {
	seed, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		pair, err := nkeys.CreateUser()
		if err != nil {
			return "", err
		}
		if seed, err = pair.Seed(); err != nil {
			return "", err
		}
		if err := writeNew(file, seed); err != nil {
			return "", err
		}
	} else if err != nil {
		return "", err
	}
	pair, err := nkeys.FromSeed(seed)
	if err != nil {
		return "", fmt.Errorf("%s holds no nkey seed", file) // the cause may quote it
	}
	return pair.PublicKey()
}

// writeNew creates a file that only its owner may read. It does nothing when the file exists.
func writeNew(file string, content []byte) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if os.IsExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := f.Write(content); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close()
}
