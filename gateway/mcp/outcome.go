package mcp

import (
	"encoding/json"
	"net/http"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"assay.dev/contracts"
)

// What a result's _meta may hold, since an agent does not see the API's headers.
const (
	metaEnvironment = "assay.dev/environment"
	metaRequestID   = "assay.dev/request-id"
	metaCode        = "assay.dev/code"
	metaRetryAfter  = "assay.dev/retry-after-seconds"
	metaRefresh     = "assay.dev/refresh-failed"
)

// outcome is what came of a call: the API's body, or what to tell of its error.
type outcome struct {
	body json.RawMessage // nil after an error
	text string          // of the error
	code contracts.Code  // of the error
	meta sdk.Meta
}

// message is the result's text: the body as it is, for agents that do not read structured content.
func (o outcome) message() string {
	if o.code != "" {
		return o.text
	}
	return string(o.body)
}

func (o outcome) result() *sdk.CallToolResult {
	r := &sdk.CallToolResult{Meta: o.meta, Content: []sdk.Content{&sdk.TextContent{Text: o.message()}},
		IsError: o.code != ""}
	if o.body != nil {
		r.StructuredContent = o.body
	}
	return r
}

func metaOf(h http.Header) sdk.Meta {
	meta := sdk.Meta{}
	for key, header := range map[string]string{metaEnvironment: "Assay-Environment", metaRequestID: "X-Request-Id"} {
		if v := h.Get(header); v != "" {
			meta[key] = v
		}
	}
	if strings.HasSuffix(h.Get("Cache-Status"), "detail=refresh-failed") {
		meta[metaRefresh] = true
	}
	return meta
}
