package api

import (
	"context"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"assay.dev/contracts"
	"assay.dev/gateway/spreadsheet"
)

// Access says who may ask an endpoint and which limit counts the request.
type Access int

const (
	// Limited endpoints need a key with the endpoint's product. Each request counts against the tenant's limit.
	Limited Access = iota
	// Unlimited endpoints need a key. Their requests do not count against the tenant's limit.
	Unlimited
	// Open endpoints need no key. Their requests count against the limits of anonymous requests. They ignore
	// parameters, as web pages do.
	Open
)

// Endpoint is one path of the API.
type Endpoint struct {
	// Path is the path as OpenAPI writes it. One segment may be a parameter, such as {license_number}. Only one that is
	// a [Parameter.Segment] may have more of the path after it.
	Path string
	// Method is the request's method; empty for GET and HEAD.
	Method string
	// ID is the name of the operation in the OpenAPI document. An endpoint without one is not in the document.
	ID     string
	Access Access
	// Creates: the 200 is a 201 where the request made what was not there.
	Creates bool
	// Waits: a request may wait for something to happen; see [Request.Wait].
	Waits bool
	// IsLarge: its answers may be large, or made of what is, and few are made at once.
	IsLarge bool
	// what the key must be subscribed to; set by the [Product] that has the endpoint; empty for any key
	Product contracts.Product
	// ToolTokens: the endpoint is of no product, and takes the token for any tool server (contract §4.8). It answers with
	// what is of that server's product.
	ToolTokens bool
	// Billable endpoints cost the product's unit price for each answer to a live key.
	Billable bool
	// LinePriced endpoints cost a price of their own for each line that they resolve, to a live key.
	LinePriced bool

	Summary, Description string
	Parameters           []*Parameter
	// Rule reports what is wrong with several parameters together; nil for nothing.
	Rule func(*Request)
	// Upload is the body of requests; nil for none.
	Upload *Upload
	// Bodies are the Go types of the 200's body: one of them. A call of the tool is answered with the first. An
	// endpoint that never answers 200 has none.
	Bodies []reflect.Type
	// Table is the 200's body as CSV; nil for none. Endpoints of a [Product] with a table have the parameters format and
	// bom besides (contract §7.2).
	Table *spreadsheet.Table
	// Forms are those of the 200 besides JSON that its parameters choose.
	Forms []Form
	// MediaType is the media type of a 200's body that is not JSON, such as text/html. Such an endpoint has no Bodies.
	MediaType string
	// Document is an example of a body that is not JSON. Those of others are [ExamplesOf] the endpoint.
	Document string
	// Sourced endpoints answer with data that was read from a source, and say how old it is.
	Sourced bool
	// Failures are those that only some endpoints have. The document adds those that follow from Access.
	Failures []*Failure
	// AnyOrigin lets the pages of every web site read the answer.
	AnyOrigin bool
	// Tool is how agents call the endpoint; nil for not at all.
	Tool *Tool

	// Answer answers a request whose parameters are in order.
	Answer func(context.Context, *API, *Request) (Reply, error)
}

// Tool is an endpoint as agents call it (contract §4.8). Its arguments are the endpoint's parameters.
type Tool struct {
	Name, Title, Description string
	// Body is the Go type of what a call is answered with, and Reshape makes it of the API's body; nil where it is that
	// body.
	Body    reflect.Type
	Reshape func(body []byte) ([]byte, error)
	// InWords says the verdict of the API's body in one line, before the body; nil for a tool without verdicts.
	InWords func(body []byte) (string, error)
}

// Product is a product with what people and agents are told of it.
type Product struct {
	contracts.Product
	// Title has two or three words, Summary is one sentence.
	Title, Summary string
	// ToolUse tells agents which of the product's tools to use for what.
	ToolUse string
	// Endpoints begin with the listing of the product's sources.
	Endpoints []*Endpoint
	// Shared are endpoints of no product that are tools of this product's server too.
	Shared []*Endpoint
}

// Claims tells people and agents what an answer claims of itself (contract §2.1). The OpenAPI document, the tools'
// instructions and /llms.txt have these words from here.
const Claims = `Every data answer has a _verifiability block. Bill, ship or sign only if extraction_confidence is at least 0.90 ` +
	`and the verdict on a license or a delivery, if there is one, is PASS, DELIVER or CASH_ONLY. notes says what is in doubt. complete false: something that was asked for may exist ` +
	`and could not be shown. not_reported names members that the source cannot show, so an empty list there does not mean none; ` +
	`inferred names members that are computed, not printed. current false (fuel surcharges): the week that is due is not shown, so the ` +
	`newest week is not the current rate.`

// Products are all products, in the order they are shown.
var Products = []Product{ltl, abc}

// Endpoints are all endpoints. Pages that only describe the tool servers stand in package mcp.
var Endpoints = allEndpoints()

func allEndpoints() []*Endpoint {
	all := slices.Concat(service, evidenceEndpoints, []*Endpoint{listedChanges}, webhookEndpoints, shareEndpoints)
	for _, p := range Products {
		for _, e := range p.Endpoints {
			if e.Product = p.Product; e.Table != nil {
				e.Parameters = append(e.Parameters, format.Parameter, byteOrderMark.Parameter)
			}
			all = append(all, e)
		}
	}
	return all
}

// ProductOf is what is told of a product.
func ProductOf(p contracts.Product) Product {
	i := slices.IndexFunc(Products, func(known Product) bool { return known.Product == p })
	return Products[i]
}

// Methods are those that the endpoint has.
func (e *Endpoint) Methods() []string {
	if e.Method == "" {
		return []string{http.MethodGet, http.MethodHead}
	}
	return []string{e.Method}
}

// Tools are the product's endpoints that agents call.
func (p Product) Tools() []*Endpoint {
	var tools []*Endpoint
	for _, e := range p.Endpoints {
		if e.Tool != nil {
			tools = append(tools, e)
		}
	}
	for _, e := range p.Shared {
		own := *e
		own.Product = p.Product
		tools = append(tools, &own)
	}
	return tools
}

// ListingPath is where the product's sources are listed. It costs nothing, and no source is read for it.
func (p Product) ListingPath() string { return p.Endpoints[0].Path }

// PriceUSD is the price of one billable answer, in dollars.
func (p Product) PriceUSD() float64 { return float64(p.UnitPriceCents()) / 100 }

// IsUpcoming tells whether the endpoint only says that it is not available yet.
func (e *Endpoint) IsUpcoming() bool { return slices.Contains(e.Failures, ComingSoon) }

// Route is the endpoint's path up to its path parameter, the parameter's name, and the path after it: "/v1/evidence/",
// "sha256" and "/view" for /v1/evidence/{sha256}/view. The last two are empty for a path without a parameter.
func (e *Endpoint) Route() (prefix, parameter, suffix string) {
	prefix, rest, _ := strings.Cut(e.Path, "{")
	parameter, suffix, _ = strings.Cut(rest, "}")
	return prefix, parameter, suffix
}

// InSegment tells whether the endpoint's path parameter is one segment of the path, without slashes.
func (e *Endpoint) InSegment() bool {
	return slices.ContainsFunc(e.Parameters, func(p *Parameter) bool { return p.Segment })
}

// bodyType and bodyTypes are the types of [Endpoint.Bodies].
func bodyType[T any]() []reflect.Type { return []reflect.Type{reflect.TypeFor[T]()} }

func bodyTypes[T, U any]() []reflect.Type { return append(bodyType[T](), bodyType[U]()...) }

// SchemaRef refers to a component schema of the OpenAPI document by its name, which is that of the Go type.
func SchemaRef(name string) string { return "#/components/schemas/" + name }
