package api

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/singleflight"

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

// Catalog has the listings of the sources that workers describe in [contracts.SourcesBucket]. It goes on with what it
// knows while the bucket cannot be read.
type Catalog struct {
	bucket  jetstream.KeyValue
	known   sync.Map // listingID to listed
	status  atomic.Pointer[Status]
	looking singleflight.Group // one look at a listing serves all who wait for it; nobody else waits
}

// listingID is one product in one environment, such as the carriers of live.
type listingID struct {
	environment contracts.Environment
	product     contracts.Product
}

// listed is a listing as it was when the bucket was looked at.
type listed struct {
	reply    Reply
	lookedAt time.Time
}

// OpenCatalog binds the bucket.
func OpenCatalog(ctx context.Context, js jetstream.JetStream) (*Catalog, error) {
	bucket, err := kv.Open(ctx, js, contracts.SourcesBucket)
	if err != nil {
		return nil, err
	}
	return &Catalog{bucket: bucket}, nil
}

// listSources answers with the listing of the sources of the endpoint's product that workers have described, in the
// order of [contracts.Product.Sources].
func listSources[Listing any](body func([]Listing) any) func(context.Context, *API, *Request) (Reply, error) {
	return func(ctx context.Context, a *API, r *Request) (Reply, error) {
		c, on := a.Catalog, listingID{r.Environment, r.endpoint.Product}
		if known, ok := c.recent(on); ok {
			return known.reply, nil
		}
		reply, err, _ := c.looking.Do(string(on.environment)+"."+string(on.product), func() (any, error) {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), catalogTimeout)
			defer cancel()
			all, err := readListings[Listing](ctx, c.bucket, on)
			return c.update(on, len(all), body(all), err)
		})
		if err != nil {
			return Reply{}, err
		}
		return reply.(Reply), nil
	}
}

// recent is the listing that needs no look at the bucket yet.
func (c *Catalog) recent(on listingID) (listed, bool) {
	known, ok := c.last(on)
	return known, ok && time.Since(known.lookedAt) < catalogLife
}

func (c *Catalog) last(on listingID) (listed, bool) {
	value, _ := c.known.Load(on)
	known, ok := value.(listed)
	return known, ok
}

// update keeps what a look at the bucket found: a body with a number of listings, or an error. After a look that found
// nothing the last listing goes on.
func (c *Catalog) update(on listingID, listings int, body any, err error) (Reply, error) {
	known, ok := c.last(on)
	switch {
	case err == nil && listings > 0:
		encoded, err := answers.Marshal(body)
		if err != nil {
			return Reply{}, err
		}
		known.reply = Page(encoded, "", catalogLife)
	case !ok:
		return Reply{}, contracts.Wrap(err, contracts.SourceUnavailable,
			"no worker has described its sources yet; retry later").After(workerRetry)
	}
	known.lookedAt = time.Now()
	c.known.Store(on, known)
	return known.reply, nil
}

func readListings[Listing any](ctx context.Context, bucket jetstream.KeyValue, on listingID) ([]Listing, error) {
	var all []Listing
	for _, code := range on.product.Sources() {
		entry, err := bucket.Get(ctx, contracts.ListingKey(on.environment, on.product, code))
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
