// Package wire is the API over HTTP. It takes each request through the checks of the contract in their order (size,
// key 401, product 403, rate 429), lets package api answer it (parameters 422 and 404, data) and writes the reply or
// the failure, each in one place (reply.go, failure.go).
//
// An [Server] is the handler of all paths: the endpoints of package api, the pages and tool servers of package mcp,
// and 404 and 405 for all else.
package wire
