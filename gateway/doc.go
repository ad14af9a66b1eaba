// Package gateway is the HTTP face of Assay: it authenticates, limits, caches and bills, and reads no source itself.
// This package has the settings and puts the parts together:
//
//   - wire: requests and replies over HTTP, who calls and what they may
//   - api: the one table of endpoints (parameters, bodies, prices, tools), and the functions that answer them
//   - openapi and mcp: the OpenAPI document and the agents' tool servers, both made of that table
//   - session: who is logged in at the console
//   - site: the pages for people; coding: compressed bodies
//   - answers: the bytes of an answer, from memory, from the shared cache or from a worker
//   - keys, ratelimit, usage: API keys, limits of tenants, what is billed
package gateway
