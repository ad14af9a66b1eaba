package mcp

import (
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/openapi"
)

// The media types of discovery (SEP-2127 and the server card extension's docs/discovery.md).
const (
	CardType    = "application/mcp-server-card+json"
	CatalogType = "application/json"
)

const cardSchema = "https://static.modelcontextprotocol.io/schemas/v2/server-card.schema.json"

// object is a JSON object.
type object = map[string]any

// Card is the server card of a product's server, as JSON: it tells a client where the server is and how to connect,
// before it does. Base is the address of the API.
func Card(p contracts.Product, base string) ([]byte, error) {
	remote := remoteOf(p, base)
	remote["supportedProtocolVersions"] = sdk.SupportedProtocolVersions()
	return json.Marshal(described(p, cardSchema, remote))
}

// described is what a server card and the registry say of a product's server.
func described(p contracts.Product, schema string, remote object) object {
	product := api.ProductOf(p)
	return object{
		"$schema": schema, "name": "dev.assay/" + Name(p), "title": product.Title, "description": product.Summary,
		"version": openapi.Version,
		"remotes": []object{remote},
	}
}

// remoteOf is where the server is, and which header it needs.
func remoteOf(p contracts.Product, base string) object {
	key := object{"name": "X-API-Key", "description": keyDescription(p), "isRequired": true, "isSecret": true}
	return object{"type": "streamable-http", "url": base + Path(p), "headers": []object{key}}
}

func keyDescription(p contracts.Product) string { return "API key with the " + string(p) + " product" }

// Path is where the server is served.
func Path(p contracts.Product) string { return "/mcp/" + string(p) }

// CardPath is where its card is.
func CardPath(p contracts.Product) string { return "/.well-known" + Path(p) + "/server-card.json" }

// Catalog lists the server cards, as JSON.
func Catalog(base string) ([]byte, error) {
	var entries []object
	for _, p := range contracts.Products {
		entries = append(entries, object{
			"identifier": "urn:air:assay.dev:" + Name(p), "displayName": api.ProductOf(p).Title, "type": CardType,
			"url": base + CardPath(p),
		})
	}
	return json.Marshal(object{"specVersion": "draft", "entries": entries})
}
