package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"

	client "assay.dev/clients/go"
	"assay.dev/contracts"
	"assay.dev/gateway/mcp"
	"assay.dev/platform/daemon"
)

type mcpCommand struct {
	Product contracts.Product `arg:"" help:"${product}." enum:"${products}"`
	URL     string            `help:"Address of the API, or of its tool server, such as http://127.0.0.1:8080/mcp/ltl; default: ASSAY_API_URL." placeholder:"URL"`
}

// Help says where the key comes from.
func (mcpCommand) Help() string {
	return `For agents that start their tool servers themselves. The API key is ASSAY_API_KEY, or in the file that
ASSAY_API_KEY_FILE names; every tool call is a request of that key to the API. What is wrong with the address or with
the API is said on standard error at the start, and in the answer of each tool.`
}

// Validate checks the address.
func (m mcpCommand) Validate() error {
	_, err := m.base(cmp.Or(m.URL, client.DefaultURL))
	return err
}

// base is the address of the API. The address of its tool server, which ends with /mcp/ltl or /mcp-ltl/, is
// understood too.
func (m mcpCommand) base(address string) (string, error) {
	base, err := url.Parse(address)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return "", fmt.Errorf("--url %q: want an address such as http://127.0.0.1:8080", contracts.Printable(address))
	}
	path := strings.TrimRight(base.Path, "/")
	for _, p := range contracts.Products {
		before, found := cutToolServer(path, p)
		if found && p != m.Product {
			return "", fmt.Errorf("--url %q: this is the tool server of %s; for it say assay mcp %[2]s",
				contracts.Printable(address), p)
		}
		path = before
	}
	return base.Scheme + "://" + base.Host + strings.TrimRight(path, "/"), nil
}

func cutToolServer(path string, p contracts.Product) (before string, found bool) {
	for _, end := range []string{"/mcp/", "/mcp-"} {
		if before, found = strings.CutSuffix(path, end+string(p)); found {
			return before, true
		}
	}
	return path, false
}

// Run serves the client at standard input and output until it leaves.
func (m mcpCommand) Run(ctx context.Context, c *console) error {
	cfg, err := loadClientConfig(c)
	if err != nil {
		return err
	}
	base, err := m.base(cmp.Or(m.URL, cfg.URL))
	if err != nil {
		return err
	}
	api, err := cfg.client(client.Options{URL: base})
	if err != nil {
		return err
	}
	defer api.Close()
	if err := (agentAPI{api}).check(ctx, c, m.Product); err != nil {
		return err
	}
	server := mcp.New(m.Product, mcp.Deps{API: agentAPI{api},
		Log: daemon.NewLog(daemon.Config{LogFormat: daemon.LogText})})
	err = server.Serve(ctx, c.in, keptOpen{c.out})
	if ctx.Err() != nil || errors.Is(err, io.EOF) {
		return nil // told to stop, or left by the client
	}
	return err
}

// keptOpen is a writer that is not closed, because others go on writing to it.
type keptOpen struct{ io.Writer }

// Close leaves the writer open.
func (keptOpen) Close() error { return nil }
