package mcp

import (
	"context"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
)

// pageMaxAge is how long a client may keep what describes the tool servers.
const pageMaxAge = time.Hour

// CatalogPath is where the catalog of server cards is.
const CatalogPath = "/.well-known/mcp/catalog.json"

// Pages are the endpoints that tell agents which tool servers there are and where (SEP-2127, llmstxt.org). They are
// open, and not in the OpenAPI document.
func Pages() []*api.Endpoint {
	pages := []*api.Endpoint{
		DescribingPage("/llms.txt", "text/markdown; charset=utf-8",
			func(base string) ([]byte, error) { return []byte(Guide(base)), nil }),
		DescribingPage(CatalogPath, CatalogType, Catalog),
	}
	for _, p := range contracts.Products {
		pages = append(pages, DescribingPage(CardPath(p), CardType,
			func(base string) ([]byte, error) { return Card(p, base) }))
	}
	return pages
}

// DescribingPage is an endpoint with a text that depends on the API's address only.
func DescribingPage(path, mediaType string, text func(base string) ([]byte, error)) *api.Endpoint {
	return &api.Endpoint{
		Path: path, Access: api.Open, AnyOrigin: true,
		Answer: func(_ context.Context, a *api.API, r *api.Request) (api.Reply, error) {
			body, err := text(a.BaseURL(r))
			return api.Page(body, mediaType, pageMaxAge), err
		},
	}
}
