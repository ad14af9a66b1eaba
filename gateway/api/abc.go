package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/answers"
	"assay.dev/gateway/lines"
	"assay.dev/gateway/spreadsheet"
)

// abc is the liquor license product.
var abc = Product{
	Product: contracts.ABC, Title: "Liquor licenses",
	Summary: "Liquor licenses of " + contracts.Listed(contracts.States, "and") +
		", each with its proof and what its source cannot say.",
	ToolUse: "Use get_license when the license number is known, search_licenses when only a name or address is, " +
		"check_delivery for whether a wholesaler may deliver to its holder, list_states for what each state's register can " +
		"prove, list_changes for what has changed.",
	Shared: []*Endpoint{listedChanges},
	Endpoints: slices.Concat([]*Endpoint{
		{
			Path: "/v1/abc/states", ID: "listStates",
			Summary: "The states, how each is read and what it can prove",
			Bodies:  bodyType[contracts.StateListings](), Table: spreadsheet.New[contracts.StateListings]("states"),
			Tool: &Tool{
				Name: "list_states", Title: "List states",
				Description: "Lists the states whose liquor licenses can be looked up: the agency, which filters a search has, " +
					"CAPTCHA and anti-bot measures, typical latency, license type codes, known limitations, and whether NOT_FOUND is " +
					"proof that there is no license. Use it before relying on a missing license.",
			},
			// contract §4.7
			Answer: listSources(func(all []contracts.StateListing) any { return contracts.StateListings{States: all} }),
		}, {
			Path: "/v1/abc/search", ID: "searchLicenses", Billable: true,
			Summary: "Liquor licenses by name or address",
			Description: "At least one of dba_name, owner_name and address must be given. next_cursor of a page asks for the " +
				"one after it, with the same state and filters; each page is an answer of its own.",
			Parameters: []*Parameter{
				issuer.Parameter, searchDBAName.Parameter, searchOwnerName.Parameter, searchAddress.Parameter,
				searchLimit.Parameter, searchCursor.Parameter,
			},
			Rule:   needSearchFilter,
			Bodies: bodyType[contracts.Search](), Table: spreadsheet.New[contracts.Search]("results"), Sourced: true,
			Failures: []*Failure{NotFound},
			Tool: &Tool{
				Name: "search_licenses", Title: "Search liquor licenses",
				Description: "Finds liquor licenses of one state by parts of their trade name, holder's name or address. Give at " +
					"least one of dba_name, owner_name and address; a license must match all that are given. Use it when the license " +
					"number is not known, then get_license for the one meant. Each result has a verdict with its reasons; in CA and " +
					"TX suspensions are not looked for here, get_license does. total_results counts all matches; results holds a " +
					"page of them, 10 by default. next_cursor, when it is not null, is the cursor of the next page. IL and TX can " +
					"take 5 to 60 seconds.",
				InWords: searchInWords,
			},
			Answer: searchLicenses,
		}, {
			Path: "/v1/abc/license/{license_number}", ID: "getLicense", Billable: true,
			Summary: "One liquor license",
			Description: "404 with the reason LICENSE_ABSENT or TYPE_ABSENT means that the license is proven not to exist, and " +
				"has the proof; what cannot be proven is 503.",
			Parameters: []*Parameter{licenseNumber.Parameter, issuer.Parameter},
			Bodies:     bodyType[contracts.License](), Table: spreadsheet.New[contracts.License]("record"), Sourced: true,
			Failures: []*Failure{NoLicense},
			Tool: &Tool{
				Name: "get_license", Title: "Get liquor license",
				Description: "Looks up one liquor license by its number at the state regulator: status (ACTIVE, SUSPENDED, " +
					"EXPIRED or REVOKED), expiration date, type, holder, address and suspensions, with the evidence URL. Use it to " +
					"verify a license: verdict is PASS, CONDITIONAL (a suspension is open), FAIL or UNVERIFIED for today in the " +
					"state, and reasons says why. NOT_FOUND with LICENSE_ABSENT is proof that there is no such license; " +
					"SOURCE_UNAVAILABLE proves nothing. IL and TX can take 5 to 60 seconds.",
				InWords: licenseInWords,
			},
			Answer: getLicense,
		},
		matching, checking, judging,
	}, portfolioEndpoints, []*Endpoint{stopsEndpoint}, holdEndpoints),
}

// The parameters of the product.
var (
	issuer = codeParam(Parameter{
		Name: "state", Required: true, Schema: enumSchema(contracts.States),
		Description: "The state that issued the license, in any case.",
		Argument:    Argument{Description: "The state that issued the license."},
	}, contracts.ParseState, "this parameter is required: "+contracts.Listed(contracts.States, "or"))

	licenseNumber = textParam(Parameter{
		Name: "license_number", InPath: true, Required: true,
		Description: "As the state issued it; a number that the state cannot have issued is answered with 422, which says " +
			"the forms that it issues. CA: a license type before the number (58-400051) asks for that type.",
		Argument: Argument{Description: "The number as the state issued it. IL needs the class (1A-1143621). CA: a license " +
			"type before the number (58-400051) asks for that type."},
	}, "the license number is missing")

	searchDBAName = textParam(Parameter{
		Name: "dba_name", Description: "Part of the trade name.",
		Argument: Argument{Description: "Part of the trade name (doing business as)."},
	}, "")
	searchOwnerName = textParam(Parameter{
		Name: "owner_name", Description: "Part of the holder's name.",
		Argument: Argument{Description: "Part of the holder's or applicant's name."},
	}, "")
	searchAddress = textParam(Parameter{
		Name: "address", Misnomers: []string{"city", "street"}, Description: "Part of the street or city as people write " +
			"it, or a ZIP code of five digits; without the state.",
	}, "")

	searchLimit = integerParam(Parameter{
		Name: "limit", Description: "How many results the page holds at most.",
		Argument: Argument{Default: "10"},
	}, "result", 1, contracts.MaxResults, contracts.MaxResults)
	searchCursor = textParam(Parameter{
		Name: "cursor", Description: "The next_cursor of the page before, with the same state and filters. " +
			"Without it, the first page.",
	}, "")
)

// searchLicenses finds licenses by what their records hold (contract §4.5). All pages are made of the answer to the
// first one as long as it holds them; those beyond are asked for by themselves.
func searchLicenses(ctx context.Context, a *API, r *Request) (Reply, error) {
	q := contracts.SearchRequest{State: issuer.of(r), Query: searchQuery(r), Fresh: r.Fresh,
		Schema: contracts.AnswerSchema}
	after, err := readCursor(r, q)
	if err != nil {
		return Reply{}, err
	}
	found, err := answers.Get(ctx, a.Answers, searchQuestion(r, q, after))
	if errors.Is(err, answers.ErrNoView) {
		q.After = after
		found, err = answers.Get(ctx, a.Answers, searchQuestion(r, q, after))
	}
	return foundReply(found, err)
}

// searchQuestion asks for the page after a position.
func searchQuestion(r *Request, q contracts.SearchRequest,
	after contracts.Position) answers.Question[contracts.SearchAnswer] {
	env := r.Environment // r is used again when this request has ended
	return answers.Question[contracts.SearchAnswer]{
		Key: contracts.SearchKey(env, q), View: answers.View{Size: searchLimit.of(r), After: after}, Fresh: q.Fresh,
		RequestID: r.ID, Subject: contracts.SearchSubject(env, q.State), Request: q, MaxTime: licenseMaxTime(q.State),
		Body: func(a contracts.SearchAnswer, view answers.View) (contracts.Provenance, any, error) {
			now := time.Now()
			a.EndWithVerdict(now)
			page, next := a.Body(view.Size, view.After, now)
			if !a.Whole && view.After != q.After && len(page.Results) < view.Size {
				return a.Provenance, nil, answers.ErrNoView
			}
			if next != nil {
				page.NextCursor = new(writeCursor(env, q, *next))
			}
			return a.Provenance, page, nil
		},
	}
}

func searchQuery(r *Request) contracts.Query {
	return contracts.Query{DBAName: searchDBAName.of(r), OwnerName: searchOwnerName.of(r), Address: searchAddress.of(r)}
}

func needSearchFilter(r *Request) {
	if searchQuery(r) == (contracts.Query{}) {
		r.violate(inQuery, "", "missing_params", "give at least one of dba_name, owner_name and address")
	}
}

// getLicense looks one license up (contract §4.6).
func getLicense(ctx context.Context, a *API, r *Request) (Reply, error) {
	return foundReply(a.lookup(ctx, r, issuer.of(r), licenseNumber.of(r)))
}

// lookup finds the answer about a license, whose body is a [contracts.License].
func (a *API) lookup(ctx context.Context, r *Request, state contracts.State, text string) (answers.Found, error) {
	number, err := contracts.NormalLicenseNumber(state, text)
	if err != nil {
		return answers.Found{}, err
	}
	found, err := a.lookupNormal(ctx, r, state, number)
	if err != nil || state != contracts.NY || !contracts.IsFormerNumber(state, number) {
		return found, err
	}
	// Changes end the answer by the number of today alone, and a read costs nothing here, as it does in TX.
	var record struct {
		LicenseNumber string `json:"license_number"`
	}
	if err := json.Unmarshal(found.Body, &record); err != nil {
		return found, err
	}
	if number, err = contracts.NormalLicenseNumber(state, record.LicenseNumber); err != nil {
		return found, nil //nolint:nilerr // the source has no number of today
	}
	return a.lookupNormal(ctx, r, state, number)
}

func (a *API) lookupNormal(ctx context.Context, r *Request, state contracts.State,
	number string) (answers.Found, error) {
	q := contracts.LicenseRequest{State: state, Number: number, Fresh: r.Fresh}
	return answers.Get(ctx, a.Answers, answers.Question[contracts.LicenseAnswer]{
		Key: contracts.LicenseKey(r.Environment, q), Subject: contracts.LicenseSubject(r.Environment, state),
		Fresh: r.Fresh, RequestID: r.ID, Request: q, MaxTime: licenseMaxTime(state), Body: licenseBody,
	})
}

func licenseBody(a contracts.LicenseAnswer, _ answers.View) (contracts.Provenance, any, error) {
	now := time.Now()
	a.EndWithVerdict(now)
	body, err := a.Body(now)
	return a.Provenance, body, err
}

// searchInWords says how many results there are, such as "10 of 144 results, more by next_cursor;
// extraction_confidence 1."
func searchInWords(body []byte) (string, error) {
	var s contracts.Search
	err := json.Unmarshal(body, &s)
	more := ""
	if s.NextCursor != nil {
		more = ", more by next_cursor"
	}
	return fmt.Sprintf("%d of %s%s; %s.", len(s.Results), lines.Plural(s.TotalResults, "result"), more,
		claimInWords(s.Verifiability)), err
}

// licenseInWords says the verdict in a line, such as "FAIL: The register says REVOKED."
func licenseInWords(body []byte) (string, error) {
	var judged contracts.Judgement
	err := json.Unmarshal(body, &judged)
	return judged.InWords(), err
}

// licenseMaxTime leaves room for what a state's site asks of a visitor.
func licenseMaxTime(s contracts.State) time.Duration {
	if s == contracts.TX || s == contracts.IL {
		return SlowMaxTime
	}
	return FastMaxTime
}
