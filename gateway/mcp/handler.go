package mcp

import (
	"context"
	"net/http"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxMessage bounds a request's body: 200 lines of an audit with all their members, generously.
const maxMessage = 256 << 10

// HandlerOptions say what stands in front of a handler.
type HandlerOptions struct {
	// BehindProxy is set where a proxy on the same machine passes requests on. Without it, requests that arrive on a
	// loopback address must name it as their Host, which defeats DNS rebinding.
	BehindProxy bool
	// Origins are those that browsers may call from, besides the server's own, as scheme://host[:port].
	Origins []string
}

// requestKey is the key of a request's context in that of its call: before protocol 2026-07-28 the SDK lets a call go
// on when its request has ended.
type requestKey struct{}

// Handler serves Streamable HTTP without sessions, for protocol 2026-07-28 and those before it, and answers with JSON.
// A tool call's context is the request's. Requests of other origins are 403, batches 400.
func (s *Server) Handler(o HandlerOptions) (http.Handler, error) {
	streamable := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.sdk },
		&sdk.StreamableHTTPOptions{
			Stateless: true, JSONResponse: true, DisableLocalhostProtection: o.BehindProxy,
		})
	serve := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		streamable.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestKey{}, r.Context())))
	})
	protection := http.NewCrossOriginProtection()
	for _, origin := range o.Origins {
		if err := protection.AddTrustedOrigin(origin); err != nil {
			return nil, err
		}
	}
	return protection.Handler(answerRefusals(serve)), nil
}
