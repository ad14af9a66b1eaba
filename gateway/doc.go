// Package gateway is the HTTP face of Assay: it authenticates, limits, caches and bills, and reads no source itself.
//
// # A request's way
//
// [route] lists the paths. A request to one of them is taken through [gateway.answer], in the order that the contract's
// errors have: size, key (401), product (403), rate (429), parameters (422, 404), answer. What comes of it, a reply or an
// error, is written in one place each (reply.go, failure.go).
//
// Package keys knows the API keys, ratelimit the limits, answers finds the bodies, usage reports what is billed, and
// openapi describes all of it.
package gateway
