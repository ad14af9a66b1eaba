package gateway

import (
	"net/http"
	"strings"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/answers"
	"assay.dev/gateway/mcp"
)

// discoveryMaxAge is how long a client may keep what describes the agent tools.
const discoveryMaxAge = time.Hour

// discoveryRoutes tell agents what there is and where (SEP-2127, llmstxt.org).
func discoveryRoutes() []*route {
	all := []*route{
		discovery("/llms.txt", "text/markdown; charset=utf-8", func(base string) ([]byte, error) { return []byte(mcp.Guide(base)), nil }),
		discovery(mcp.CatalogPath, mcp.CatalogType, mcp.Catalog),
	}
	for _, p := range contracts.Products {
		all = append(all, discovery(mcp.CardPath(p), mcp.CardType, func(base string) ([]byte, error) { return mcp.Card(p, base) }))
	}
	return all
}

func discovery(path, kind string, text func(base string) ([]byte, error)) *route {
	return &route{path: path, template: path, open: true, answer: func(g *gateway, e *exchange) (reply, error) {
		body, err := text(g.base(e.c.Request))
		e.c.Header("Access-Control-Allow-Origin", "*")
		return reply{body: body, kind: kind, etag: answers.ETag(body), maxAge: discoveryMaxAge}, err
	}}
}

// maxHost bounds a host name with its port (RFC 1035 §2.3.4).
const maxHost = 255 + len(":65535")

// base is the address of the API as clients see it; empty when the request does not tell it.
func (g *gateway) base(r *http.Request) string {
	if g.publicURL != "" {
		return g.publicURL
	}
	if len(r.Host) > maxHost || strings.Trim(r.Host, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.:-[]") != "" {
		return ""
	}
	return "http://" + r.Host
}
