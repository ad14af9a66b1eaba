package worker

import (
	"context"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/listing"
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

func (w *Worker) publishListings(ctx context.Context, sources []Source) error {
	var listed []listing.Source
	for _, s := range sources {
		if s.Listing != nil {
			key := contracts.ListingKey(w.cfg.Environment, w.service.Product, s.Code)
			listed = append(listed, listing.Source{Key: key, Listing: s.Listing, Health: s.Health, Tell: s.Tell})
		}
	}
	listings, err := listing.Open(ctx, w.JetStream, w.Log, listed)
	if err != nil {
		return err
	}
	w.Go("listings", listings.Run)
	return nil
}
