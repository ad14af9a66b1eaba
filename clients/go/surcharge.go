package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"assay.dev/contracts"
)

// Weeks say which weeks are asked for: the newest (Last), the one in force on a day (AsOf), or those that touch the
// days From to To. The zero Weeks ask for the newest four.
type Weeks struct {
	Last int
	AsOf contracts.Date
	From contracts.Date
	To   contracts.Date
	// KnownAt asks for what would have been answered at that moment: a date, or a time as RFC 3339 has it.
	KnownAt string
	// Announced asks for weeks to come too, beside AsOf or From and To.
	Announced bool
}

func (w Weeks) query() url.Values {
	q := values("as_of", string(w.AsOf), "from", string(w.From), "to", string(w.To), "known_at", w.KnownAt)
	if w.Last != 0 {
		q.Set("weeks", strconv.Itoa(w.Last))
	}
	if w.Announced {
		q.Set("announced", "true")
	}
	return q
}

// Carriers lists the carriers and how each is read (contract §4.3).
func (c *Client) Carriers(ctx context.Context) (*Answer[contracts.CarrierListings], error) {
	return ask[contracts.CarrierListings](ctx, c, get("/v1/ltl/carriers", nil))
}

// FuelSurcharge asks for weeks of one carrier (contract §4.2).
func (c *Client) FuelSurcharge(ctx context.Context, carrier contracts.Carrier,
	w Weeks) (*Answer[contracts.Surcharge], error) {
	q := w.query()
	q.Set("carriers", string(carrier))
	return askData[contracts.Surcharge](ctx, c, get("/v1/ltl/fuel-surcharge", q))
}

// FuelSurcharges asks for weeks of several carriers, or of all ten when none is named. Carriers that could not be read
// are in the body's Errors.
func (c *Client) FuelSurcharges(ctx context.Context, carriers []contracts.Carrier,
	w Weeks) (*Answer[contracts.Surcharges], error) {
	q := w.query()
	if len(carriers) > 0 {
		q.Set("carriers", strings.Join(contracts.Texts(carriers), ","))
	}
	a, err := askData[contracts.Surcharges](ctx, c, get("/v1/ltl/fuel-surcharge", q))
	if err != nil || len(a.Body.Results)+len(a.Body.Errors) > 0 {
		return a, err
	}
	var one contracts.Surcharge // what is answered where the names are of one carrier
	if json.Unmarshal(a.Raw, &one) != nil || one.Carrier == "" {
		return nil, &ForeignError{URL: c.base, Status: http.StatusOK}
	}
	a.Body = contracts.Surcharges{Results: []contracts.Surcharge{one}, Errors: []contracts.CarrierFailure{}}
	return a, nil
}

// FuelTable asks for the bracket table of a carrier that applied on a day; "" is today (contract §4.9).
func (c *Client) FuelTable(ctx context.Context, carrier contracts.Carrier,
	asOf contracts.Date) (*Answer[contracts.FuelTable], error) {
	return askData[contracts.FuelTable](ctx, c,
		get("/v1/ltl/fuel-tables", values("carrier", string(carrier), "as_of", string(asOf))))
}

// Diesel asks for the national diesel prices of the Mondays from one day to another (contract §4.10).
func (c *Client) Diesel(ctx context.Context, from, to contracts.Date) (*Answer[contracts.Diesel], error) {
	return askData[contracts.Diesel](ctx, c, get("/v1/ltl/diesel", values("from", string(from), "to", string(to))))
}

func get(path string, query url.Values) request {
	return request{method: http.MethodGet, path: path, query: query}
}

// put keeps what v is at a path.
func put[T any](ctx context.Context, c *Client, path string, v any) (*Answer[T], error) {
	return send[T](ctx, c, http.MethodPut, path, v)
}

// send sends a body of JSON to a path.
func send[T any](ctx context.Context, c *Client, method, path string, v any) (*Answer[T], error) {
	body, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return ask[T](ctx, c,
		request{method: method, path: path, body: body, header: http.Header{"Content-Type": {AuditJSON}}})
}

// remove deletes what is kept at a path.
func (c *Client) remove(ctx context.Context, path string) error {
	_, err := ask[struct{}](ctx, c, request{method: http.MethodDelete, path: path})
	return err
}

// values makes a query of pairs of a name and a value. It leaves out pairs with an empty value.
func values(pairs ...string) url.Values {
	q := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			q.Set(pairs[i], pairs[i+1])
		}
	}
	return q
}
