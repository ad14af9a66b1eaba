package webhook

import (
	"fmt"

	"assay.dev/platform/daemon"
	"assay.dev/platform/seal"
)

// Config holds the settings that gateways and couriers have in common.
type Config struct {
	WebhookKey      daemon.Secret `env:"ASSAY_WEBHOOK_KEY" help:"seals the secrets of webhooks, at least 32 characters, the same for all gateways and couriers; a gateway without one makes no webhooks (assay up makes one)"`
	WebhookLoopback bool          `env:"ASSAY_WEBHOOK_LOOPBACK" envDefault:"false" help:"webhooks may go to this machine too, by http and to any port but our own: to try them only (assay up sets it where ASSAY_LISTEN is a loopback address, and neither ASSAY_PUBLIC_URL nor ASSAY_TRUSTED_PROXIES is set)"`
}

// Validate checks the key, where there is one.
func (c Config) Validate() error {
	if n := len(c.WebhookKey); n > 0 && n < seal.MinSecret {
		return fmt.Errorf("ASSAY_WEBHOOK_KEY has %d characters: want at least %d", n, seal.MinSecret)
	}
	return nil
}

// Sealer is nil without a key.
func (c Config) Sealer() (*Sealer, error) {
	if c.WebhookKey == "" {
		return nil, nil
	}
	return NewSealer(c.WebhookKey.Reveal())
}
