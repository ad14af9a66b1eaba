// Package mcp offers the API to agents as tools and prompts of the Model Context Protocol
// (https://modelcontextprotocol.io/specification), one server a product.
//
// A tool call is a request to the API: it is sent through the [net/http.RoundTripper] that the server is given, and
// its answer or its error becomes the tool's result. In the gateway that leads into the gateway's own request path,
// over stdio to the API's address. So keys, limits, caching, usage and errors are the API's, and nothing of them is
// here.
//
// Every call takes the SDK's path, 0.3 ms: answering plain calls beside it would be a second server to teach every
// version of the protocol. A bracket table has rows without names, because agents' clients cut 30 KB off in the middle.
// Batches are refused.
//
// Which tools there are, the endpoints in package api say; what a tool is made of stands in tool.go, the prompts in
// prompts.go, and what is said of an error in advice.go.
package mcp
