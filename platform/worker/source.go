package worker

import (
	"context"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
)

// Source is one source of the product, such as a carrier or a state.
type Source struct {
	// Code names it within the product, such as "ODFL".
	Code string
	// Listing is the source as callers see it, with the health that is given. Nothing else in it may change. It is nil
	// for a source that is not listed.
	Listing func(contracts.SourceHealth) any
	// Health is how the source is now; nil when this worker does not serve it.
	Health func() contracts.SourceHealth
	// Tell tells that the health is another one; nil where nobody is told.
	Tell func(context.Context, contracts.SourceHealth) error
	// Endpoints answer requests for the source; none when this worker does not serve it.
	Endpoints []bus.Endpoint
}
