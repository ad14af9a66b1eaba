package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/gateway/answers"
	"assay.dev/platform/kv"
)

const (
	// catalogLife is how long a listing is served without a look at the bucket.
	catalogLife = 5 * time.Second
	// catalogTimeout bounds one look at the whole of a listing.
	catalogTimeout = time.Second
)

// catalog answers the two listings from what workers say of their sources in [contracts.SourcesBucket]. It goes on with
// what it knows while the bucket cannot be read.
type catalog struct {
	bucket jetstream.KeyValue

	mu   sync.Mutex
	last map[shelf]*listed
}

// shelf is one product in one environment.
type shelf struct {
	environment contracts.Environment
	product     contracts.Product
}

// listed is the listing of a shelf.
type listed struct {
	reply   reply
	checked time.Time
}

func openCatalog(ctx context.Context, js jetstream.JetStream) (*catalog, error) {
	bucket, err := kv.Open(ctx, js, contracts.SourcesBucket)
	if err != nil {
		return nil, err
	}
	return &catalog{bucket: bucket, last: map[shelf]*listed{}}, nil
}

// carriers lists what is known of each carrier (contract §4.3).
func carriers(g *gateway, e *exchange) (reply, error) {
	if err := e.parameters().err(nil); err != nil {
		return reply{}, err
	}
	return listSources(e, g.catalog, contracts.LTL, contracts.Carriers, func(all []contracts.CarrierListing) any {
		return contracts.CarrierListings{Carriers: all}
	})
}

// states lists what each state's sources can and cannot prove (contract §4.7).
func states(g *gateway, e *exchange) (reply, error) {
	if err := e.parameters().err(nil); err != nil {
		return reply{}, err
	}
	return listSources(e, g.catalog, contracts.ABC, contracts.States, func(all []contracts.StateListing) any {
		return contracts.StateListings{States: all}
	})
}

// listSources serves the listing of the sources that workers have described, in the order of codes.
func listSources[Code ~string, Listing any](
	e *exchange, c *catalog, p contracts.Product, codes []Code, body func([]Listing) any,
) (reply, error) {
	c.mu.Lock() // one look serves all who wait for it
	defer c.mu.Unlock()
	on := shelf{e.caller.Environment, p}
	known := c.last[on]
	if known != nil && time.Since(known.checked) < catalogLife {
		return known.reply, nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(e.ctx), catalogTimeout)
	defer cancel()
	all, err := readListings[Code, Listing](ctx, c.bucket, on, codes)
	switch {
	case err == nil && len(all) > 0:
		encoded, err := answers.Marshal(body(all))
		if err != nil {
			return reply{}, err
		}
		known = &listed{reply: reply{body: encoded, etag: answers.ETag(encoded), maxAge: catalogLife}, checked: time.Now()}
		c.last[on] = known
	case known != nil:
		known.checked = time.Now()
	default:
		return reply{}, contracts.Wrap(err, contracts.SourceUnavailable, "no worker has described its sources yet; retry later").After(workerRetry)
	}
	return known.reply, nil
}

func readListings[Code ~string, Listing any](ctx context.Context, bucket jetstream.KeyValue, on shelf, codes []Code) ([]Listing, error) {
	all := make([]Listing, 0, len(codes))
	for _, code := range codes {
		entry, err := bucket.Get(ctx, contracts.ListingKey(on.environment, on.product, string(code)))
		if errors.Is(err, jetstream.ErrKeyNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		var l Listing
		if json.Unmarshal(entry.Value(), &l) == nil { // else of another version: as good as not described
			all = append(all, l)
		}
	}
	return all, nil
}
