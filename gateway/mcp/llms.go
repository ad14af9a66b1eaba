package mcp

import (
	"fmt"
	"strings"

	"assay.dev/gateway/api"
	"assay.dev/gateway/keys"
)

const guideHead = `# Assay

> Weekly LTL fuel surcharges of freight carriers and liquor licenses of U.S. states, each with the proof of where it was read.

Every request has an API key in the X-API-Key header. A test_ key is answered from a sandbox with invented data, a live_ key from the real sources. %d requests a minute by default. %s

## Agent tools (Model Context Protocol, Streamable HTTP)

`

// Guide is the text for /llms.txt (https://llmstxt.org): what there is here and where.
func Guide(base string) string {
	var b strings.Builder
	fmt.Fprintf(&b, guideHead, keys.DefaultLimit, toolAdvice)
	for _, p := range api.Products {
		fmt.Fprintf(&b, "- [%s](%s): %s %.2f USD an answer. [Server card](%s)\n",
			Name(p.Product), base+Path(p.Product), p.Summary, p.PriceUSD(), base+CardPath(p.Product))
		for _, e := range p.Tools() {
			first, _, _ := strings.Cut(e.Tool.Description, ". ")
			fmt.Fprintf(&b, "  - %s: %s.\n", e.Tool.Name, strings.TrimSuffix(first, "."))
		}
	}
	fmt.Fprintf(&b, "- [Catalog](%s): the server cards\n\n## REST\n\n", base+CatalogPath)
	fmt.Fprintf(&b, "- [OpenAPI 3.1](%s): every path, parameter and error\n", base+"/openapi.json")
	for _, p := range api.Products {
		for _, e := range p.Tools() {
			fmt.Fprintf(&b, "- %s %s\n", e.Methods()[0], e.Path)
		}
	}
	return b.String()
}
