package api

import (
	"context"
	"strings"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/answers"
)

// documentMaxAge is how long a client may keep the OpenAPI document.
const documentMaxAge = 5 * time.Minute

// service are the endpoints of no product.
var service = []*Endpoint{
	{
		Path: "/health", ID: "getHealth", Access: Unlimited, ToolTokens: true,
		Summary:     "Whether the service answers and the key is good",
		Description: "Neither counts against the rate limit nor costs anything.",
		Bodies: bodyType[struct {
			Status string `json:"status,omitempty"`
		}](),
		Answer: health,
	}, {
		Path: "/openapi.json", ID: "getOpenAPI", Access: Open,
		Summary: "This document",
		Bodies: bodyType[struct {
			OpenAPI string `json:"openapi"`
		}](),
		Answer: document,
	},
}

// What is answered where there is no endpoint.
var (
	UnknownPath = &Endpoint{Path: "unmatched", Access: Open,
		Answer: func(_ context.Context, _ *API, r *Request) (Reply, error) {
			return Reply{}, NoPath(r.Path)
		}}
	WrongMethod = &Endpoint{Path: "unmatched", Access: Open,
		Answer: func(_ context.Context, _ *API, r *Request) (Reply, error) {
			return Reply{}, contracts.Errorf(contracts.MethodNotAllowed, "use %s", strings.Join(methodsAt(r.Path), " or "))
		}}
)

// health tells that the gateway answers and that the key is good (contract §4.1).
func health(context.Context, *API, *Request) (Reply, error) { return healthy, nil }

var healthy = Reply{Body: []byte(`{"status":"ok"}`), ETag: answers.ETag([]byte(`{"status":"ok"}`))}

// DocumentPage is the reply with an OpenAPI document.
func DocumentPage(document []byte) Reply { return Page(document, "", documentMaxAge) }

func document(_ context.Context, a *API, _ *Request) (Reply, error) { return a.Document() }
