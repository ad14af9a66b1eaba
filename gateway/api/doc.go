// Package api is what Assay answers.
//
// [Endpoints] is the one table of it. The gateway's routes, the OpenAPI document, the agents' tools and the checks of
// parameters are all made of that table, so none of them can say anything else than the others.
//
//   - To add an endpoint, add one [Endpoint] to its product (ltl.go, abc.go), an example of its body to examples.json, and write the
//     function that answers it.
//   - To add a parameter, define it beside the endpoints that have it.
//   - To add a product, write a file such as ltl.go and name its [Product] in [Products].
//
// The package knows nothing of keys, limits and headers: those are package wire's.
package api
