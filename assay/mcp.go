package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/mcp"
	"assay.dev/platform/daemon"
)

type mcpCommand struct {
	Product contracts.Product `arg:"" help:"ltl or abc." enum:"ltl,abc"`
	URL     string            `help:"Address of the API." default:"http://127.0.0.1:8080"`
}

// Help says where the key comes from.
func (mcpCommand) Help() string {
	return `For agents that start their tool servers themselves. The API key is ASSAY_API_KEY, or in the file that
ASSAY_API_KEY_FILE names; every tool call is a request of that key to the API.`
}

// agentConfig are the settings of the command.
type agentConfig struct {
	Key daemon.Secret `env:"ASSAY_API_KEY" help:"key of assay mcp; every tool call is a request of it"`
}

// Run serves the client at standard input and output until it leaves.
func (m mcpCommand) Run(ctx context.Context, c *console) error {
	cfg, err := daemon.Load[agentConfig](c.environ)
	if err != nil {
		return err
	}
	if cfg.Key == "" {
		return errors.New("ASSAY_API_KEY is not set: `assay keys create` issues a key")
	}
	base, err := url.Parse(strings.TrimRight(m.URL, "/"))
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return fmt.Errorf("--url %q: want an address such as http://127.0.0.1:8080", m.URL)
	}
	connections := &http.Transport{Proxy: http.ProxyFromEnvironment, ResponseHeaderTimeout: 2 * time.Minute, IdleConnTimeout: time.Minute}
	defer connections.CloseIdleConnections()
	server := mcp.New(m.Product, mcp.Deps{
		API: keyed{base.String(), cfg.Key, connections}, Log: daemon.NewLog(daemon.Config{LogFormat: daemon.LogText}),
	})
	err = server.Serve(ctx, c.in, keptOpen{c.out})
	if ctx.Err() != nil || errors.Is(err, io.EOF) {
		return nil // told to stop, or left by the client
	}
	return err
}

// keyed sends requests to the API with its key.
type keyed struct {
	base string
	key  daemon.Secret
	next http.RoundTripper
}

// RoundTrip sends r to the API. It follows no redirect, so that the key goes nowhere else.
func (k keyed) RoundTrip(r *http.Request) (*http.Response, error) {
	target, err := url.Parse(k.base + r.URL.RequestURI())
	if err != nil {
		return nil, err
	}
	sent := r.Clone(r.Context())
	sent.URL, sent.Host = target, target.Host
	sent.Header.Set("X-API-Key", k.key.Reveal())
	return k.next.RoundTrip(sent)
}

// keptOpen is a writer that others go on with.
type keptOpen struct{ io.Writer }

func (keptOpen) Close() error { return nil }
