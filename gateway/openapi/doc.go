// Package openapi describes the API as an OpenAPI 3.1 document. The document is made of the table of endpoints in
// package api and of the Go types of the bodies, so it cannot say anything else than they do.
package openapi
