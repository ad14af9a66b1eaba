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

// serverCard tells a client where a server is and how to connect, before it does.
type serverCard struct {
	Schema      string       `json:"$schema"`
	Name        string       `json:"name"`
	Version     string       `json:"version"`
	Title       string       `json:"title"`
	Description string       `json:"description"`
	Remotes     []cardRemote `json:"remotes"`
}

type cardRemote struct {
	Type      string       `json:"type"`
	URL       string       `json:"url"`
	Headers   []cardHeader `json:"headers"`
	Protocols []string     `json:"supportedProtocolVersions"`
}

type cardHeader struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Required    bool   `json:"isRequired"`
	Secret      bool   `json:"isSecret"`
}

// Card is the server card of a product's server, as JSON. Base is the address of the API.
func Card(p contracts.Product, base string) ([]byte, error) {
	product := api.ProductOf(p)
	return json.Marshal(serverCard{
		Schema: cardSchema, Name: registeredName(p), Version: openapi.Version, Title: product.Title,
		Description: product.Summary,
		Remotes: []cardRemote{{
			Type: "streamable-http", URL: base + Path(p), Protocols: sdk.SupportedProtocolVersions(),
			Headers: []cardHeader{keyHeader(p)},
		}},
	})
}

// Path is where the server is served.
func Path(p contracts.Product) string { return "/mcp/" + string(p) }

// CardPath is where its card is.
func CardPath(p contracts.Product) string { return "/.well-known" + Path(p) + "/server-card.json" }

type catalog struct {
	SpecVersion string         `json:"specVersion"`
	Entries     []catalogEntry `json:"entries"`
}

type catalogEntry struct {
	Identifier  string `json:"identifier"`
	DisplayName string `json:"displayName"`
	Type        string `json:"type"`
	URL         string `json:"url"`
}

// Catalog lists the server cards, as JSON.
func Catalog(base string) ([]byte, error) {
	c := catalog{SpecVersion: "draft"}
	for _, p := range contracts.Products {
		c.Entries = append(c.Entries, catalogEntry{
			Identifier: "urn:air:assay.dev:" + Name(p), DisplayName: api.ProductOf(p).Title, Type: CardType,
			URL: base + CardPath(p),
		})
	}
	return json.Marshal(c)
}
