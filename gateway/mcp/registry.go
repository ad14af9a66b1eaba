package mcp

import (
	"encoding/json"
	"strings"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/openapi"
)

// registrySchema is the form of a server.json
// (https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/server-json/generic-server-json.md).
const registrySchema = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"

// registryEntry is a server.json: what the registry of tool servers lists.
type registryEntry struct {
	Schema      string           `json:"$schema"`
	Name        string           `json:"name"`
	Title       string           `json:"title"`
	Description string           `json:"description"` // at most 100 characters
	Version     string           `json:"version"`
	WebsiteURL  string           `json:"websiteUrl"`
	Remotes     []registryRemote `json:"remotes"`
}

type registryRemote struct {
	Type    string       `json:"type"`
	URL     string       `json:"url"`
	Headers []cardHeader `json:"headers"`
}

// RegistryEntry is the server.json of a product's server at an address, such as https://api.example.com.
func RegistryEntry(p contracts.Product, base string) ([]byte, error) {
	base = strings.TrimRight(base, "/")
	product := api.ProductOf(p)
	return json.MarshalIndent(registryEntry{
		Schema: registrySchema, Name: registeredName(p), Title: product.Title, Description: product.Summary, Version: openapi.Version,
		WebsiteURL: base + "/",
		Remotes:    []registryRemote{{Type: "streamable-http", URL: base + Path(p), Headers: []cardHeader{keyHeader(p)}}},
	}, "", "  ")
}

func registeredName(p contracts.Product) string { return "dev.assay/" + Name(p) }

func keyHeader(p contracts.Product) cardHeader {
	return cardHeader{Name: "X-API-Key", Description: "API key with the " + string(p) + " product", Required: true, Secret: true}
}
