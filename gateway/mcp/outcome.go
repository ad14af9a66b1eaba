package mcp

import (
	"encoding/json"
	"fmt"
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
	metaReason      = "assay.dev/reason" // of a NOT_FOUND
	metaRetryAfter  = "assay.dev/retry-after-seconds"
	metaRefresh     = "assay.dev/refresh-failed"
	metaCost        = "assay.dev/cost-usd"
	metaRemaining   = "assay.dev/requests-left"       // of the minute's
	metaReset       = "assay.dev/one-more-in-seconds" // until one more request is left
)

// outcome is what came of a call: the API's body, or what to tell of its error.
type outcome struct {
	body json.RawMessage // nil after an error
	text string          // of the error, or the answer in words; empty for an answer without a verdict
	code contracts.Code  // of the error
	meta sdk.Meta
}

// invented stands before what a test key is answered with: hosts do not show _meta to the model.
const invented = "INVENTED DATA: answer of a test key."

// result holds the words first, and the body twice: as structured content, and as text for agents that do not read
// that.
func (o outcome) result() *sdk.CallToolResult {
	r := &sdk.CallToolResult{Meta: o.meta, IsError: o.code != ""}
	if o.body != nil && o.meta[metaEnvironment] == string(contracts.Test) {
		r.Content = append(r.Content, &sdk.TextContent{Text: invented})
	}
	if o.text != "" {
		r.Content = append(r.Content, &sdk.TextContent{Text: o.text})
	}
	if o.body != nil {
		r.Content = append(r.Content, &sdk.TextContent{Text: string(o.body)})
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
	var left, reset int
	if n, _ := fmt.Sscanf(h.Get("RateLimit"), `"default";r=%d;t=%d`, &left, &reset); n == 2 {
		meta[metaRemaining], meta[metaReset] = left, reset
	}
	if strings.HasSuffix(h.Get("Cache-Status"), "detail=refresh-failed") {
		meta[metaRefresh] = true
	}
	return meta
}
