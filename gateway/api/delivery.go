package api

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/kept"
	"assay.dev/gateway/lines"
	"assay.dev/gateway/portfolio"
	"assay.dev/gateway/spreadsheet"
)

// Stops is the body of the licenses of a portfolio that are not to be delivered to without a look.
type Stops struct {
	Name     string                            `json:"name"`
	On       contracts.Date                    `json:"on" jsonschema:"The day that was asked for; null for today in each state."`
	Beverage contracts.Beverage                `json:"beverage,omitempty" jsonschema:"Absent for the strictest of all."`
	Verdicts map[contracts.DeliveryVerdict]int `json:"verdicts" jsonschema:"How many licenses of the portfolio have each verdict."`
	Stops    []StoppedDelivery                 `json:"stops" jsonschema:"All that are not DELIVER: STOP first, then UNVERIFIED, then CASH_ONLY."`
	Editions []contracts.RegisterEdition       `json:"editions" jsonschema:"The copies of the registers that were looked in, with their proof."`
}

// StoppedDelivery is a license with the verdict on a delivery to its holder.
type StoppedDelivery struct {
	State         contracts.State   `json:"state"`
	Label         string            `json:"label"`
	LicenseNumber string            `json:"license_number"`
	DBAName       string            `json:"dba_name"`
	OwnerName     string            `json:"owner_name"`
	City          string            `json:"city"`
	Status        *contracts.Status `json:"status" jsonschema:"null where the copy does not list it."`
	ReadAt        *time.Time        `json:"read_at" jsonschema:"The edition of the register that this is of, UTC; null where there is none just now."`
	LookedUpAt    *time.Time        `json:"looked_up_at" jsonschema:"When the license was looked up, UTC, where this is of a stored lookup; null else."`
	contracts.Delivery
}

// stopsEndpoint is the morning file (contract §4.19).
var stopsEndpoint = &Endpoint{
	Path: "/v1/abc/portfolios/{name}/stops", ID: "listStops",
	Summary: "Whom not to deliver to today",
	Description: "The licenses of a portfolio that are not DELIVER, STOP first, with the reasons: the license itself, a delinquent list that you put " +
		"here, a law, or that something was not read. Without `beverage` the strictest of the three verdicts holds. No source is read, and it costs nothing.",
	Parameters: []*Parameter{portfolioName.Parameter, deliveryBeverage.Parameter, deliveryOn.Parameter},
	Failures:   []*Failure{NoPortfolio}, Bodies: bodyType[Stops](), Answer: listStops, Table: spreadsheet.New[Stops]("stops"),
	Examples: stopsExamples,
}

var (
	deliveryBeverage = singleParam(Parameter{
		Name: "beverage", Description: "What is to be delivered. Without it, the strictest of all.", Schema: enumSchema(contracts.Beverages),
	}, contracts.Beverage(""), func(p *Parameter, text string) (contracts.Beverage, error) {
		if b := contracts.Beverage(text); slices.Contains(contracts.Beverages, b) {
			return b, nil
		}
		return "", p.invalid("enum", "this is none of spirits, wine and malt")
	})
	deliveryOn = dateParam(Parameter{Name: "on", Description: "The day of the delivery. Without it, today in each state."})
	holdDate   = dateParam(Parameter{Name: "date", Required: true, Description: "The list's own date."})
)

func listStops(ctx context.Context, a *API, r *Request) (Reply, error) {
	p, err := a.Portfolios.Get(ctx, r.owner(), portfolioName.of(r))
	if err != nil {
		return Reply{}, err
	}
	on, beverages := deliveryOn.of(r), contracts.Beverages
	if b := deliveryBeverage.of(r); b != "" {
		beverages = []contracts.Beverage{b}
	}
	lists, err := a.listsOf(ctx, r.owner(), p.Licenses)
	if err != nil {
		return Reply{}, err
	}
	members, editions, err := a.membersOf(ctx, r.Environment, on, p.Licenses)
	if err != nil {
		return Reply{}, err
	}
	body := Stops{
		Name: p.Name, On: on, Beverage: deliveryBeverage.of(r), Verdicts: map[contracts.DeliveryVerdict]int{}, Stops: []StoppedDelivery{}, Editions: editions,
	}
	for _, v := range contracts.DeliveryVerdicts {
		body.Verdicts[v] = 0
	}
	now := time.Now()
	for _, m := range members {
		d := contracts.DeliveryOn(m.State, m.Judgement, cmp.Or(on, m.State.Today(now)), beverages, lists.of(m.State, m.LicenseNumber))
		if body.Verdicts[d.Verdict]++; d.Verdict != contracts.Deliver {
			body.Stops = append(body.Stops, StoppedDelivery{
				m.State, m.Label, m.LicenseNumber, m.DBAName, m.OwnerName, m.City, m.Status, m.ReadAt, m.LookedUpAt, d,
			})
		}
	}
	rank := func(d StoppedDelivery) int { return slices.Index(contracts.DeliveryVerdicts, d.Verdict) }
	slices.SortStableFunc(body.Stops, func(x, y StoppedDelivery) int { return rank(x) - rank(y) })
	return keptReply(body, nil)
}

// heldLists are the lists of a tenant, each with its licenses.
type heldLists map[contracts.State][]heldList

type heldList struct {
	contracts.ReadList
	since map[string]contracts.Date
}

// listsOf reads the tenant's lists of the states of licenses. A list that is not there is none; the error is for one that cannot be read.
func (a *API) listsOf(ctx context.Context, o kept.Owner, all []portfolio.License) (heldLists, error) {
	lists := heldLists{}
	for _, rule := range contracts.DeliveryRules {
		if !rule.Uploaded || !slices.ContainsFunc(all, func(l portfolio.License) bool { return l.State == rule.State }) {
			continue
		}
		l, err := a.Holds.Get(ctx, o, rule.State, rule.List)
		if contracts.CodeOf(err) == contracts.NotFound {
			continue
		}
		if err != nil {
			return nil, err
		}
		held := heldList{contracts.ReadList{List: l.List, Date: l.Date}, map[string]contracts.Date{}}
		for _, e := range l.Entries {
			held.since[heldKey(rule.State, e.LicenseNumber)] = e.Since
		}
		lists[rule.State] = append(lists[rule.State], held)
	}
	return lists, nil
}

// of is what the lists say of a license. A list cannot be asked about a number of NY before 2022: it counts as not read.
func (l heldLists) of(s contracts.State, number string) (all []contracts.ReadList) {
	if isFormer(s, number) {
		return nil
	}
	for _, held := range l[s] {
		one := held.ReadList
		one.Since, one.IsNamed = held.since[heldKey(s, number)]
		all = append(all, one)
	}
	return all
}

// isFormer tells a serial number of NY of before 2022 from a number of today.
func isFormer(s contracts.State, number string) bool {
	return s == contracts.NY && !strings.Contains(number, "-")
}

// heldKey is what lists and portfolios may write differently of one license taken away: the class before a number of IL, and the suffix of one
// of NY.
func heldKey(s contracts.State, number string) string {
	parts := strings.Split(number, "-")
	switch {
	case s == contracts.IL:
		return parts[len(parts)-1]
	case s == contracts.NY && len(parts) > 3:
		return strings.Join(parts[:3], "-")
	}
	return number
}

// heldLine is a line of a delinquent list.
type heldLine struct {
	lines.Head
	kept.HeldLicense
}

var heldSchema = lines.New(lines.Schema[heldLine, *heldLine]{Members: []lines.Member[heldLine]{
	{Name: "license_number", Required: true, Text: "The license number.", Kind: lines.Text, Set: func(l *heldLine, text string) error {
		l.LicenseNumber = text
		return nil
	}},
	{Name: "since", Text: "Since when it is on the list.", Kind: lines.Day, Set: func(l *heldLine, text string) (err error) {
		l.Since, err = contracts.ParseDate(text)
		return err
	}},
}}, nil)

// holdList is the path parameter that names a list, such as NY-101-aa.
var holdList = singleParam(Parameter{
	Name: "list", InPath: true, Segment: true, Required: true, Description: "The state and the list.", Schema: enumSchema(holdLists()),
}, contracts.DeliveryRule{}, func(_ *Parameter, text string) (contracts.DeliveryRule, error) {
	for _, rule := range contracts.DeliveryRules {
		if rule.Uploaded && kept.NameOfList(rule.State, rule.List) == text {
			return rule, nil
		}
	}
	return contracts.DeliveryRule{}, contracts.Missing(contracts.NameUnknown, "no such delinquent list is taken here; the lists are %s", strings.Join(holdLists(), ", "))
})

func holdLists() (all []string) {
	for _, rule := range contracts.DeliveryRules {
		if rule.Uploaded {
			all = append(all, kept.NameOfList(rule.State, rule.List))
		}
	}
	return all
}

const holdsPath = "/v1/abc/holds/{list}"

// holdEndpoints keep the delinquent lists that tenants put here (contract §4.19). They cost nothing.
var holdEndpoints = []*Endpoint{
	{
		Path: holdsPath, ID: "getHolds", Summary: "A delinquent list of yours", Description: "The list as you put it. It costs nothing.",
		Parameters: []*Parameter{holdList.Parameter}, Failures: []*Failure{NoHolds}, Bodies: bodyType[kept.HoldList](), Table: spreadsheet.New[kept.HoldList]("entries"),
		Answer: func(ctx context.Context, a *API, r *Request) (Reply, error) {
			rule := holdList.of(r)
			return keptReply(a.Holds.Get(ctx, r.owner(), rule.State, rule.List))
		},
		Examples: oneExample("a list", kept.HoldList{
			State: contracts.NY, List: "101-aa", Date: "2026-09-18", UploadedAt: exampleMoment, Entries: []kept.HeldLicense{{LicenseNumber: "0340-22-106125", Since: "2026-09-11"}},
		}),
	}, {
		Path: holdsPath, ID: "putHolds", Method: http.MethodPut, Summary: "Put a delinquent list in place",
		Description: "The whole list as its publisher gives it, in place of the one before. It is yours alone. A list of which one line cannot be read is refused. It costs nothing.",
		Parameters:  []*Parameter{holdList.Parameter, holdDate.Parameter}, Failures: []*Failure{NoHolds, MalformedBody, UnsupportedMediaType, NotAcceptable},
		Upload: &Upload{
			MaxBytes: lines.MaxBytes, Forms: []Form{{"text/csv", "application/json", lines.MaxBytes, "RFC 4180 with the columns license_number and since, of which the last may be missing."}},
			Example: func(Form) any { return "license_number,since\r\n0340-22-106125,2026-09-11\r\n" },
		},
		Bodies:   bodyType[kept.ListEntry](),
		Examples: oneExample("one license", kept.ListEntry{State: contracts.NY, List: "101-aa", Date: "2026-09-18", Licenses: 1, UploadedAt: exampleMoment}),
		Answer:   putHolds,
	}, {
		Path: holdsPath, ID: "deleteHolds", Method: http.MethodDelete, Summary: "Delete a delinquent list of yours", Description: "Nothing of it is kept. It costs nothing.",
		Parameters: []*Parameter{holdList.Parameter}, Failures: []*Failure{NoHolds}, Bodies: bodyType[Deleted](), Examples: oneExample("gone", Deleted{"NY-101-aa"}),
		Answer: func(ctx context.Context, a *API, r *Request) (Reply, error) {
			rule := holdList.of(r)
			return keptReply(Deleted{kept.NameOfList(rule.State, rule.List)}, a.Holds.Remove(ctx, r.owner(), rule.State, rule.List))
		},
	},
}

// NoHolds is what a list is answered with that the tenant has not put here.
var NoHolds = coded("NoHolds", "reason NAME: you have put no such list here.", contracts.Missing(contracts.NameUnknown, "you have put no such delinquent list here"))

func putHolds(ctx context.Context, a *API, r *Request) (Reply, error) {
	rule, now := holdList.of(r), time.Now()
	if date := holdDate.of(r); date > rule.State.Today(now) {
		return Reply{}, contracts.Invalid(inQuery, "date", "date", "the list is of %s, which is still to come", date)
	}
	file, err := heldSchema.Read(lines.CSV, r.Body, lines.Reading{})
	if err != nil {
		return Reply{}, err
	}
	list := kept.HoldList{State: rule.State, List: rule.List, Date: holdDate.of(r), UploadedAt: now.UTC().Truncate(time.Second)}
	var wrong []string
	for i := range file.Lines {
		l := &file.Lines[i]
		number, err := contracts.NormalLicenseNumber(rule.State, l.LicenseNumber)
		if err != nil && len(l.Errors) == 0 {
			l.Fail("license_number", "%s", contracts.AsError(err).Message)
		}
		if isFormer(rule.State, number) && err == nil {
			l.Fail("license_number", "this is a number of before 2022, which cannot be compared; give the one of today, such as 0340-22-106125")
		}
		wrong = append(wrong, l.Errors...)
		list.Entries = append(list.Entries, kept.HeldLicense{LicenseNumber: number, Since: l.Since})
	}
	if len(wrong) > 0 { // who is left out of a list would be delivered to
		return Reply{}, refusedLines("license_number", wrong)
	}
	return keptReply(a.Holds.Put(ctx, r.owner(), list))
}

func stopsExamples() map[string]any {
	_, _, editions := exampleFound()
	body := Stops{
		Name: "napa", Verdicts: map[contracts.DeliveryVerdict]int{contracts.Stop: 0, contracts.DeliveryUnverified: 1, contracts.CashOnly: 0, contracts.Deliver: 1},
		Editions: editions, Stops: []StoppedDelivery{},
	}
	for _, m := range exampleMembers()[1:] {
		d := contracts.DeliveryOn(m.State, m.Judgement, "2026-09-18", contracts.Beverages, nil)
		body.Stops = append(body.Stops, StoppedDelivery{m.State, m.Label, m.LicenseNumber, m.DBAName, m.OwnerName, m.City, m.Status, m.ReadAt, m.LookedUpAt, d})
	}
	return map[string]any{"one license": body}
}
