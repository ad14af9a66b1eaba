package main

import (
	"cmp"
	"errors"
	"fmt"

	client "assay.dev/clients/go"
	"assay.dev/platform/daemon"
)

// clientConfig are the settings of the commands that ask the API with a key.
type clientConfig struct {
	Key daemon.Secret `env:"ASSAY_API_KEY" help:"key of assay get, assay audit and assay mcp, whose requests are its own"`
	URL string        `env:"ASSAY_API_URL" envDefault:"http://127.0.0.1:8080" help:"address of the API that they ask, where --url names none"`
}

func loadClientConfig(c *console) (clientConfig, error) {
	cfg, err := daemon.Load[clientConfig](c.environ)
	if err == nil && cfg.Key == "" {
		err = errors.New("ASSAY_API_KEY is not set: `assay keys create` issues a key")
	}
	return cfg, err
}

// client makes a client with the options. Options without an address use the address of the settings. The caller closes
// it.
func (cfg clientConfig) client(o client.Options) (*client.Client, error) {
	o.Key, o.URL = cfg.Key.Reveal(), cmp.Or(o.URL, cfg.URL)
	return client.New(o)
}

// newClient is a client by the settings. The caller closes it.
func newClient(c *console, o client.Options) (*client.Client, error) {
	cfg, err := loadClientConfig(c)
	if err != nil {
		return nil, err
	}
	return cfg.client(o)
}

// checkAddress refuses an address on the command line that cannot lead to an API. "" stands for the address of the
// settings.
func checkAddress(address string) error {
	if address == "" {
		return nil
	}
	if err := client.CheckURL(address); err != nil {
		return fmt.Errorf("--url: %w", err)
	}
	return nil
}
