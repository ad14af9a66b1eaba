package api

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"assay.dev/contracts"
	"assay.dev/gateway/answers"
	"assay.dev/gateway/kept"
	"assay.dev/gateway/spreadsheet"
	"assay.dev/platform/feed"
)

// maxWait is how long a request may wait for a change, in seconds.
const maxWait = 60

// listedChanges is the endpoint of what changed. It belongs to no product: a key sees the changes of its own ones.
var listedChanges = &Endpoint{
	Path: "/v1/changes", ID: "listChanges", Waits: true, ToolTokens: true,
	Summary: "What changed since a cursor: weeks, bracket tables, licenses and sources",
	Description: "Without `since` there are no changes, and `cursor` is the newest place: begin there. Then ask again " +
		"and again with the `cursor` of the answer before; `wait` lets the request wait for the next change. A change is " +
		"two clean readings that differ, and has the same `id` wherever it is told. A cursor whose changes are kept no " +
		"longer (13 months), or are others after a restore, is 410, which names the oldest cursor. It costs nothing.",
	Parameters: []*Parameter{
		changesSince.Parameter, changesProduct.Parameter, changesSource.Parameter, changesType.Parameter,
		changesPortfolio.Parameter, changesLimit.Parameter, changesWait.Parameter, format.Parameter, byteOrderMark.Parameter,
	},
	Bodies: bodyType[contracts.Changes](), Table: spreadsheet.New[contracts.Changes]("changes"),
	Failures: []*Failure{CursorGone, ProductNotEnabled, NoPortfolio, Unavailable},
	Tool: &Tool{
		Name: "list_changes", Title: "List changes",
		Description: "Lists what changed since a cursor: weeks that carriers published, announced or revised, bracket " +
			"tables that were replaced, licenses that appeared, left the register, or have another status, expiration date or " +
			"holder, and holds that a public delinquent list placed or lifted, each with the values before and after and the " +
			"evidence of both, and sources that are in doubt, degraded or recovered. Without since it gives the newest cursor " +
			"and no changes; keep the cursor and give it as since the next time. Call again at once with the cursor until the answer's " +
			"cursor is the one that you gave. That a license lapses by its date is no change, and IL and NY never tell a " +
			"change of status. From source.degraded or source.in_doubt until source.recovered an empty list " +
			"proves nothing. An empty list never means that licenses are good. Use it to learn what is new, and " +
			"get_fuel_surcharge or get_license for how it stands now.",
	},
	Answer: listChanges,
}

// CursorGone is what a cursor is answered with that leads to nothing any more.
var CursorGone = &Failure{
	Name: "CursorGone", Status: contracts.Gone.HTTPStatus(),
	Description: "No change is kept that follows the cursor; begin anew with the one that is beside detail.",
	Body:        bodyTypes[Error, CursorError](),
	Example: contracts.Errorf(contracts.Gone,
		"no change is kept that follows this cursor; the oldest cursor is RlFBLjA"),
}

// CursorError is what the body of a cursor that is gone has beside the error.
type CursorError struct {
	Cursor string `json:"cursor" jsonschema:"The oldest cursor, to begin anew with."`
}

// beginAnew adds the oldest cursor to the error of one that is gone.
func beginAnew(err error) error {
	gone := (*feed.GoneError)(nil)
	if !errors.As(err, &gone) {
		return err
	}
	return &bodyError{cause: contracts.AsError(err), body: func(e Error) any {
		return struct {
			Error
			CursorError
		}{e, CursorError{gone.Oldest.String()}}
	}}
}

// The parameters of the endpoint.
var (
	changesSince = singleParam(Parameter{
		Name: "since", Misnomers: []string{"cursor", "after"}, Description: "The cursor of the answer before. Without it, " +
			"no changes and the newest cursor.",
		Schema: &jsonschema.Schema{Type: "string", MaxLength: jsonschema.Ptr(maxValue)},
	}, feed.Cursor{}, func(p *Parameter, text string) (feed.Cursor, error) {
		c, err := feed.ParseCursor(text)
		if err != nil {
			return c, p.invalid("cursor", "this is not the cursor of an answer; leave it out for the newest one")
		}
		return c, nil
	})

	changesProduct = listParam("product", "Products, separated by commas. Default: those of the key.", contracts.Products)
	changesSource  = listParam("source", "Sources, separated by commas: states, carriers and public delinquent lists. "+
		"Default: all.", allSources())
	changesType = listParam("type", "Types of changes, separated by commas. Default: all.", contracts.ChangeTypes)

	changesPortfolio = patternParam(Parameter{
		Name: "portfolio", Description: "The name of a portfolio of yours: the changes of its licenses, and source.* of " +
			"their states. A page may then be empty although its cursor moved on.",
	}, portfolioNames, wrongPortfolioName)

	changesLimit = integerParam(Parameter{
		Name: "limit", Description: "How many changes the answer holds at most.", Argument: Argument{Default: "20"},
	}, "change", 1, 1000, 100)
	changesWait = integerParam(Parameter{
		Name: "wait", Description: "How many seconds the request waits for a change while there is none. At most 4 requests " +
			"of a tenant wait at once.",
		Argument: Argument{Omitted: true},
	}, "second", 0, maxWait, 0)
)

func allSources() (all []string) {
	for _, p := range contracts.Products {
		all = append(all, p.Sources()...)
	}
	for _, s := range contracts.States {
		if contracts.HasPublicList(s) {
			all = append(all, contracts.PublicListSource(s))
		}
	}
	return all
}

// listParam makes a parameter that is a list of some of the names given, in any case; nil when it is not given.
func listParam[C ~string](name, description string, all []C) Param[[]C] {
	return codeListParam(Parameter{
		Name: name, Description: description, Schema: &jsonschema.Schema{Type: "array", Items: enumSchema(all)},
		Argument: Argument{Schema: &jsonschema.Schema{Type: "string"}},
	}, []C(nil), func(text string) (C, error) {
		if c, ok := contracts.FindCode(text, all); ok {
			return c, nil
		}
		return "", contracts.Invalid(inQuery, name, "enum", "%q is no %s; want %s", contracts.Printable(text), name,
			contracts.Listed(all, "or"))
	}, "a name is missing")
}

// listChanges gives the changes that follow a cursor (contract §4.15). While there are none it waits, if it was asked
// to, and looks in between whether the key still may.
func listChanges(ctx context.Context, a *API, r *Request) (Reply, error) {
	filter, err := a.changesFilter(ctx, r)
	if err != nil {
		return Reply{}, err
	}
	if a.ChangesRead != nil {
		a.ChangesRead(r.Environment)
	}
	since := changesSince.of(r)
	if !changesSince.isGiven(r) {
		since, err = a.Feed.Newest()
		return changesReply(feed.Page{Next: since}), err
	}
	page, err := a.Feed.Read(ctx, filter, since, changesLimit.of(r))
	if err != nil || len(page.Changes) > 0 || changesWait.of(r) == 0 {
		return changesReply(page), beginAnew(err)
	}
	allowed, leave, err := r.Wait()
	if err != nil {
		return Reply{}, err
	}
	defer leave()
	until := time.Now().Add(time.Duration(changesWait.of(r)) * time.Second)
	for len(page.Changes) == 0 && time.Now().Before(until) {
		look, cancel := context.WithTimeout(ctx, min(time.Until(until), lookAgain))
		ended := a.Feed.Wait(look, page.Next)
		cancel()
		if ended || ctx.Err() != nil {
			break
		}
		if err := allowed(ctx); err != nil {
			return Reply{}, err
		}
		if newest, err := a.Feed.Newest(); err == nil && newest == page.Next {
			continue
		}
		if filter, err = a.changesFilter(ctx, r); err != nil { // the portfolio may hold others by now
			return Reply{}, err
		}
		if page, err = a.Feed.Read(ctx, filter, page.Next, changesLimit.of(r)); err != nil {
			return Reply{}, beginAnew(err)
		}
	}
	return changesReply(page), nil
}

// lookAgain is how often a request that waits looks whether its key still may. A revocation holds within 5 s.
const lookAgain = time.Second

// changesFilter is what a request wants to see of what the key may.
func (a *API) changesFilter(ctx context.Context, r *Request) (*feed.Filter, error) {
	filter := &feed.Filter{Environment: r.Environment, Products: changesProduct.of(r), Sources: changesSource.of(r),
		Types: changesType.of(r)}
	name := "portfolio"
	if len(filter.Types) > 0 {
		name = "type"
	} else if len(filter.Sources) > 0 {
		name = "source"
	}
	if err := checkReach(filter, r.Products, changesPortfolio.of(r), inQuery, name); err != nil {
		return nil, err
	}
	return filter, a.narrow(ctx, filter, r.owner(), r.Products, changesPortfolio.of(r))
}

// checkReach refuses a filter that no change can ever pass with a key or token of some products: who waits for one would
// wait for ever. in and name say what of it is to be changed.
func checkReach(f *feed.Filter, key []contracts.Product, portfolio, in, name string) error {
	mayPass := func(p contracts.Product) bool {
		isOfType := func(t contracts.ChangeType) bool { return t.Product() == p || t.Product() == "" }
		isOfSource := func(source string) bool { // a public list is abc's too
			return slices.Contains(contracts.LTL.Sources(), source) == (p == contracts.LTL)
		}
		return (len(f.Products) == 0 || slices.Contains(f.Products, p)) &&
			(len(f.Types) == 0 || slices.ContainsFunc(f.Types, isOfType)) &&
			(len(f.Sources) == 0 || slices.ContainsFunc(f.Sources, isOfSource)) &&
			(portfolio == "" || p == contracts.ABC)
	}
	if slices.ContainsFunc(key, mayPass) {
		return nil
	}
	if i := slices.IndexFunc(contracts.Products, mayPass); i >= 0 {
		return notSubscribed(contracts.Products[i])
	}
	return contracts.Invalid(in, name, "contradiction", "no change can be of all that is asked for: surcharge, table "+
		"and source.in_doubt are of carriers, license and hold of states, and a portfolio has licenses alone; leave "+
		"a part of it out")
}

func notSubscribed(p contracts.Product) error {
	return contracts.Errorf(contracts.ProductNotEnabled, "this key, or this token, is not subscribed to the %s product; "+
		"subscribe to it, or leave it out", p)
}

// narrow narrows a filter to the products of a key or token, and to the licenses of a portfolio where one is named.
func (a *API) narrow(ctx context.Context, filter *feed.Filter, of kept.Owner, products []contracts.Product,
	portfolio string) error {
	if filter.Products == nil {
		filter.Products = products
	}
	for _, p := range filter.Products {
		if !slices.Contains(products, p) {
			return notSubscribed(p)
		}
	}
	filter.Products = slices.Clone(filter.Products)
	if portfolio == "" {
		return nil
	}
	p, err := a.Portfolios.Get(ctx, of, portfolio)
	filter.Licenses = make(feed.Licenses, len(p.Licenses))
	for _, l := range p.Licenses {
		filter.Licenses.Add(l.State, l.LicenseNumber)
	}
	return err
}

// LatestChanges are the newest changes that a page shows to a tenant with a key of some products, newest first. query
// has product, type and portfolio, each empty for all. before and next are places of [feed.Feed.Latest].
func (a *API) LatestChanges(
	ctx context.Context, of kept.Owner, products []contracts.Product, query url.Values, before uint64, limit int,
) (changes []json.RawMessage, next uint64, err error) {
	filter := &feed.Filter{Environment: of.Environment}
	portfolio := query.Get("portfolio")
	if err := CheckPortfolioName(portfolio); portfolio != "" && err != nil {
		return nil, 0, err
	}
	if p := query.Get("product"); p != "" {
		filter.Products = []contracts.Product{contracts.Product(p)}
	}
	if t := query.Get("type"); t != "" {
		filter.Types = []contracts.ChangeType{contracts.ChangeType(t)}
	}
	err = cmp.Or(checkReach(filter, products, portfolio, inQuery, "type"), a.narrow(ctx, filter, of, products, portfolio))
	if err != nil {
		return nil, 0, err
	}
	if a.ChangesRead != nil {
		a.ChangesRead(of.Environment)
	}
	return a.Feed.Latest(filter, before, limit)
}

// changesReply is a page as the API has it. The changes are as they were published.
func changesReply(p feed.Page) Reply {
	var body bytes.Buffer
	body.WriteString(`{"changes":[`)
	for i, c := range p.Changes {
		if i > 0 {
			body.WriteByte(',')
		}
		body.Write(c)
	}
	cursor, _ := json.Marshal(p.Next.String()) // a string always marshals
	body.WriteString(`],"cursor":`)
	body.Write(append(cursor, '}'))
	doc := contracts.EscapeJSON(body.Bytes())
	return Reply{Body: doc, ETag: answers.ETag(doc)}
}
