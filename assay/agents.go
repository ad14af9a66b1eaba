package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"

	client "assay.dev/clients/go"
	"assay.dev/contracts"
	"assay.dev/gateway/mcp"
)

type agentsCommand struct {
	Entry  agentsEntryCommand  `cmd:"" help:"Print the server.json with which a tool server is published in the MCP registry."`
	Bundle agentsBundleCommand `cmd:"" help:"Write an .mcpb file, from which desktop agents install the tool server of a product."`
}

type agentsEntryCommand struct {
	Product contracts.Product `arg:"" help:"${product}." enum:"${products}"`
	URL     string            `help:"Address of the API as clients see it, such as https://api.example.com." required:""`
}

// Validate checks the address.
func (a agentsEntryCommand) Validate() error { return client.CheckURL(a.URL) }

// Run prints the server.json.
func (a agentsEntryCommand) Run(c *console) error {
	entry, err := mcp.RegistryEntry(a.Product, a.URL)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(c.out, string(entry))
	return err
}

type agentsBundleCommand struct {
	Product contracts.Product `arg:"" help:"${product}." enum:"${products}"`
	File    string            `arg:"" help:"File to write, such as assay-ltl.mcpb."`
	URL     string            `help:"Address of the API that the bundle suggests." default:"http://127.0.0.1:8080"`
	Binary  string            `help:"The assay binary to put into it. Default: this one."`
	System  string            `help:"The system that the binary is for: linux, darwin or windows." enum:"linux,darwin,windows" default:"${system}"`
}

// platforms are the systems as a bundle's manifest names them.
var platforms = map[string]string{"linux": "linux", "darwin": "darwin", "windows": "win32"}

// Validate checks the address.
func (a agentsBundleCommand) Validate() error { return client.CheckURL(a.URL) }

// Run writes the bundle.
func (a agentsBundleCommand) Run(c *console) (err error) {
	path := a.Binary
	if path == "" {
		if a.System != runtime.GOOS {
			return fmt.Errorf("--system %s: this binary is for %s; name another one with --binary", a.System,
				runtime.GOOS)
		}
		if path, err = os.Executable(); err != nil {
			return err
		}
	}
	binary, err := os.Open(path)
	if err != nil {
		return err
	}
	defer binary.Close()
	file, err := os.Create(a.File)
	if err != nil {
		return err
	}
	bundle := mcp.Bundle{Product: a.Product, Platform: platforms[a.System], Binary: binary, URL: a.URL,
		KeyVariable: "ASSAY_API_KEY"}
	if err := errors.Join(bundle.Write(file), file.Close()); err != nil {
		return err
	}
	fmt.Fprintln(c.errs, "assay: wrote", a.File)
	return nil
}
