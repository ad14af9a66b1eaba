package gateway

import (
	"strings"

	"assay.dev/contracts"
)

// route is one path of the API.
type route struct {
	path     string // as gin has it
	template string // as people and telemetry have it
	// product must be among the caller's; empty asks for none.
	product contracts.Product
	// open routes need no key; unlimited ones a key, but they do not count against its limit.
	open, unlimited bool
	// billable routes cost the product's unit price for each answer.
	billable bool
	// parameters are the query parameters that the route knows.
	parameters []string
	answer     func(*gateway, *exchange) (reply, error)
}

// routes is every path there is.
var routes = []*route{
	{
		path: "/health", template: "/health", unlimited: true,
		answer: health,
	}, {
		path: "/openapi.json", template: "/openapi.json", open: true,
		answer: func(g *gateway, _ *exchange) (reply, error) { return g.openapi, nil },
	}, {
		path: "/v1/ltl/fuel-surcharge", template: "/v1/ltl/fuel-surcharge", product: contracts.LTL, billable: true,
		parameters: []string{"carriers", "weeks"}, answer: surcharge,
	}, {
		path: "/v1/ltl/carriers", template: "/v1/ltl/carriers", product: contracts.LTL,
		answer: carriers,
	}, {
		path: "/v1/ltl/accessorials", template: "/v1/ltl/accessorials", product: contracts.LTL,
		parameters: []string{"carrier"}, answer: accessorials,
	}, {
		path: "/v1/abc/search", template: "/v1/abc/search", product: contracts.ABC, billable: true,
		parameters: []string{"state", "dba_name", "owner_name", "address"}, answer: search,
	}, {
		path: "/v1/abc/license/*license_number", template: "/v1/abc/license/{license_number}", product: contracts.ABC, billable: true,
		parameters: []string{"state"}, answer: license,
	}, {
		path: "/v1/abc/states", template: "/v1/abc/states", product: contracts.ABC,
		answer: states,
	},
}

// What is answered where there is no route.
var (
	unknownPath = &route{template: "unmatched", open: true, answer: func(*gateway, *exchange) (reply, error) {
		return reply{}, errNoPath
	}}
	wrongMethod = &route{template: "unmatched", open: true, answer: func(_ *gateway, e *exchange) (reply, error) {
		e.c.Header("Allow", "GET, HEAD")
		return reply{}, contracts.Errorf(contracts.MethodNotAllowed, "use GET or HEAD")
	}}
)

var errNoPath = contracts.Errorf(contracts.NotFound, "there is nothing at this path; GET /openapi.json lists the paths")

// licenseNumber is what the path holds after /v1/abc/license/, decoded once. A further path segment, unlike an encoded
// slash, is another path.
func licenseNumber(e *exchange) (string, error) {
	number := strings.TrimPrefix(e.c.Param("license_number"), "/")
	prefix := strings.TrimSuffix(e.route.path, "*license_number")
	if strings.Contains(number, "/") && strings.Contains(strings.TrimPrefix(e.c.Request.URL.EscapedPath(), prefix), "/") {
		return "", errNoPath
	}
	return number, nil
}
