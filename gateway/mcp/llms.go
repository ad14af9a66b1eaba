package mcp

import (
	"fmt"
	"strings"

	"assay.dev/contracts"
)

const guideHead = `# Assay

> Weekly LTL fuel surcharges of ten carriers and liquor licenses of five states, each with the proof of where it was read.

Every request has an API key in the X-API-Key header. A test_ key is answered from a sandbox with invented data, a live_ key from the real sources. 60 requests a minute by default. %s

## Agent tools (Model Context Protocol, Streamable HTTP)

`

// Guide is the text for /llms.txt (https://llmstxt.org): what there is here and where.
func Guide(base string) string {
	var b strings.Builder
	fmt.Fprintf(&b, guideHead, common)
	for _, p := range contracts.Products {
		fmt.Fprintf(&b, "- [%s](%s): %s %.2f USD an answer. [Server card](%s)\n", Name(p), base+Path(p), summary(p), float64(p.UnitPriceCents())/100, base+CardPath(p))
		for _, t := range tools[p] {
			first, _, _ := strings.Cut(t.description, ". ")
			fmt.Fprintf(&b, "  - %s: %s.\n", t.name, strings.TrimSuffix(first, "."))
		}
	}
	fmt.Fprintf(&b, "- [Catalog](%s): the server cards\n\n## REST\n\n- [OpenAPI 3.1](%s): every path, parameter and error\n", base+CatalogPath, base+"/openapi.json")
	for _, p := range contracts.Products {
		for _, t := range tools[p] {
			fmt.Fprintf(&b, "- GET %s\n", t.path)
		}
	}
	return b.String()
}

// CatalogPath is where the catalog of server cards is.
const CatalogPath = "/.well-known/mcp/catalog.json"
