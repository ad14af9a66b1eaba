package mcp

import (
	"encoding/json"
	"strings"

	"assay.dev/contracts"
)

// registrySchema is the form of a server.json
// (https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/server-json/generic-server-json.md).
const registrySchema = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"

// RegistryEntry is the server.json of a product's server at an address, such as https://api.example.com: what the
// registry of tool servers lists. Its description has at most 100 characters.
func RegistryEntry(p contracts.Product, base string) ([]byte, error) {
	base = strings.TrimRight(base, "/")
	entry := described(p, registrySchema, remoteOf(p, base))
	entry["websiteUrl"] = base + "/"
	return json.MarshalIndent(entry, "", "  ")
}
