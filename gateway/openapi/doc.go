// Package openapi describes the API as an OpenAPI 3.1 document, made from the types and enumerations of package contracts,
// so that it cannot say anything else than they do.
package openapi
