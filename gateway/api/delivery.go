package api

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/answers"
	"assay.dev/gateway/deliveries"
	"assay.dev/gateway/lines"
	"assay.dev/gateway/portfolio"
	"assay.dev/gateway/spreadsheet"
)

const deliveryPath = "/v1/abc/delivery"

// checking is the endpoint that judges one delivery by a lookup of the license (contract §4.20).
var checking = &Endpoint{
	Path: deliveryPath, ID: "checkDelivery", Billable: true,
	Summary: "Whether to deliver to the holder of a license",
	Description: "The license is looked up as /v1/abc/license does, with the same 404 and 503, and the delinquent lists " +
		"of its state are looked at: STOP, UNVERIFIED, CASH_ONLY or DELIVER, with the reasons. A list that applies and was " +
		"not read is UNVERIFIED. Whether the license's type covers the beverage is not looked at. " +
		"It is an answer of the product.",
	Parameters: []*Parameter{issuer.Parameter, deliveryNumber.Parameter, deliveryBeverage.Parameter, deliveryOn.Parameter,
		deliveryOrdered.Parameter},
	Bodies: bodyType[contracts.CheckedDelivery](), Table: spreadsheet.New[contracts.CheckedDelivery](""),
	Sourced:  true,
	Failures: []*Failure{NoLicense},
	Tool: &Tool{
		Name: "check_delivery", Title: "Check a delivery",
		Description: "Says whether a wholesaler may deliver alcohol to the holder of a license: looks the license up at the " +
			"state regulator and looks at the state's delinquent lists. verdict is STOP (do not deliver), UNVERIFIED " +
			"(something that applies was not read: do not rely on it), CASH_ONLY (no credit) or DELIVER, and reasons says why; " +
			"holds has every entry on a list, and holds_checked the lists that were looked at, each with its own date: say " +
			"it, as a list may be weeks old. In NY, FL and IL it is one that was put here, in CA there is none. Give " +
			"beverage where it is known: without it the strictest verdict holds. Whether the license's type covers that " +
			"beverage is not looked at: ask a person. on is the day of the delivery; a verdict for a later day is by what is " +
			"known today. " +
			"NOT_FOUND with LICENSE_ABSENT is proof that there is no such license: do not deliver. IL and TX can take 5 to " +
			"60 seconds.",
		InWords: deliveryInWords,
	},
	Answer: checkDelivery,
}

// judging is the endpoint that judges a list of deliveries by the copies of the registers.
var judging = &Endpoint{
	Path: deliveryPath, ID: "checkDeliveries", Method: "POST", LinePriced: true,
	Summary: "Whether to deliver, line by line",
	Description: "Each line names a license, and gets the verdict on a delivery by the newest copy of its register, or a " +
		"lookup of the last day where the copy proves nothing, and by the delinquent lists. No source is read. At most " +
		"10,000 lines and 5 MB; the answer has the form of the body, in its order, and ends with totals. STOP, CASH_ONLY " +
		"and DELIVER are charged; UNVERIFIED and INVALID are free. Whether a license's type covers the beverage is not " +
		"looked at.",
	Parameters: slices.Insert(slices.Clone(linesParameters), 2, dateForm.Parameter),
	Upload:     linesUpload("verdict", deliveries.Schema),
	Bodies:     bodyTypes[Deliveries, LinesQuote](),
	Failures:   []*Failure{MalformedBody, NotAcceptable, UnsupportedMediaType},
	Answer:     judgeLines,
}

// Deliveries is the body of a judged list in JSON.
type Deliveries struct {
	Results []deliveries.NamedResult  `json:"results"`
	Totals  deliveries.DeliveryTotals `json:"totals"`
	lines.Matched
}

// The parameters of deliveries.
var (
	deliveryNumber = textParam(Parameter{
		Name: "license_number", Required: true, Description: "As the state issued it, as /v1/abc/license takes it.",
		Argument: licenseNumber.Argument,
	}, "the license number is missing")
	deliveryBeverage = singleParam(Parameter{
		Name: "beverage", Description: "What is to be delivered. Without it, the strictest of all.",
		Schema: enumSchema(contracts.Beverages),
	}, contracts.Beverage(""), func(p *Parameter, text string) (contracts.Beverage, error) {
		b, err := contracts.ParseBeverage(text)
		if err != nil {
			return "", p.invalid("enum", err.Error())
		}
		return b, nil
	})
	deliveryOn = checkedDateParam(Parameter{Name: "on", Description: "The day of the delivery, not a past one. " +
		"Without it, today in each state."}, func(d contracts.Date) error {
		return contracts.CheckDeliveryDay(d, time.Now(), contracts.States...)
	})
	deliveryOrdered = textParam(Parameter{
		Name: "ordered_at", Description: "When it was ordered: a time with its zone, or a date, which stands " +
			"for its end in the state. In TX, what was ordered before the first day on the list may be delivered " +
			"until 1 p.m. of that day.",
	}, "")
)

// deliveryDay is the day that the parameter names, which has not passed in any of the states; empty without one.
func (r *Request) deliveryDay(in ...contracts.State) (contracts.Date, error) {
	on, now := deliveryOn.of(r), time.Now()
	if on == "" {
		return "", nil
	}
	for _, s := range in {
		if err := contracts.CheckDeliveryDay(on, now, s); err != nil {
			return "", deliveryOn.invalid("date_past", fmt.Sprintf("in %s %v", s, err))
		}
	}
	return on, nil
}

// orderedAt is the moment that the parameter names, in a state.
func (r *Request) orderedAt(s contracts.State) (*time.Time, error) {
	text := deliveryOrdered.of(r)
	if text == "" {
		return nil, nil
	}
	at, err := s.ParseMoment(text)
	if err != nil {
		return nil, deliveryOrdered.invalid("datetime_parsing", err.Error())
	}
	return &at, nil
}

// checkDelivery judges one delivery.
func checkDelivery(ctx context.Context, a *API, r *Request) (Reply, error) {
	state := issuer.of(r)
	ordered, err := r.orderedAt(state)
	if err != nil {
		return Reply{}, err
	}
	on, err := r.deliveryDay(state)
	if err != nil {
		return Reply{}, err
	}
	number, err := contracts.NormalLicenseNumber(state, deliveryNumber.of(r))
	if err != nil {
		return Reply{}, deliveryNumber.invalid("value_error", contracts.AsError(err).Message)
	}
	found, err := a.lookup(ctx, r, state, number)
	if err != nil {
		return Reply{}, err
	}
	var l contracts.License
	if err := json.Unmarshal(found.Body, &l); err != nil {
		return Reply{}, err
	}
	judge, err := a.judgeDeliveries(ctx, r, []portfolio.License{{State: state, LicenseNumber: l.LicenseNumber}})
	if err != nil {
		return Reply{}, err
	}
	on = cmp.Or(on, state.Today(time.Now()))
	m := PortfolioMember{State: state, Member: contracts.Member{LicenseNumber: l.LicenseNumber,
		LicenseTypeCode: strings.TrimSpace(l.Record.LicenseTypeCode + " " + l.Record.LicenseTypeName),
		Judgement:       l.JudgedOn(on)}}
	one := []PortfolioMember{m}
	a.listWithoutCopy(ctx, r.Environment, one)
	body, err := answers.Marshal(contracts.CheckedDelivery{
		State: state, LicenseNumber: l.LicenseNumber, On: on, Beverage: deliveryBeverage.of(r),
		Delivery: judge(one[0], on, deliveryBeverage.of(r), ordered).Delivery, Record: l.Record,
		Verifiability: l.Verifiability,
	})
	reply, _ := foundReply(found, nil)
	// The lists may be others at any moment: no client keeps the answer.
	reply.Body, reply.Coded, reply.ETag, reply.Partial = body, nil, answers.ETag(body), true
	return reply, err
}

// deliveryInWords says the verdict in a line, and of when the lists are: one that does not name the license may be days
// old.
func deliveryInWords(body []byte) (string, error) {
	var d contracts.Delivery
	err := json.Unmarshal(body, &d)
	text := string(d.Verdict)
	for i, r := range d.Reasons {
		text += map[bool]string{true: ": ", false: " "}[i == 0] + r.Message
	}
	for i, c := range d.HoldsChecked {
		text += fmt.Sprintf("%s %s of %s", map[bool]string{true: " Lists:", false: ","}[i == 0], c.List, c.Edition)
	}
	return text, err
}

// judgeFunc judges a delivery of a beverage, or of all, to the holder of a license on a day, or today.
type judgeFunc func(m PortfolioMember, on contracts.Date, b contracts.Beverage, ordered *time.Time) deliveries.Judged

// judgeDeliveries reads the lists of the licenses' states that the tenant put here.
func (a *API) judgeDeliveries(ctx context.Context, r *Request, all []portfolio.License) (judgeFunc, error) {
	lists, err := a.listsOf(ctx, r.owner(), all)
	now := time.Now()
	return func(m PortfolioMember, on contracts.Date, b contracts.Beverage, ordered *time.Time) deliveries.Judged {
		q := contracts.DeliveryAsked{
			State: m.State, License: m.Judgement, Type: m.LicenseTypeCode,
			On: cmp.Or(on, m.State.Today(now)), Beverages: contracts.Beverages,
			Ordered: ordered, Now: now,
			Lists: slices.Concat(lists.of(m.State, cmp.Or(m.today, m.LicenseNumber)), m.lists),
		}
		if b != "" {
			q.Beverages = []contracts.Beverage{b}
		}
		return deliveries.Judged{On: q.On, Holder: m.holder(), Delivery: q.Judge()}
	}, err
}

// holder is what the member tells of the license's holder.
func (m PortfolioMember) holder() deliveries.Holder {
	return deliveries.Holder{DBAName: m.DBAName, OwnerName: m.OwnerName, City: m.City, Status: m.Status, ReadAt: m.ReadAt,
		LookedUpAt: m.LookedUpAt}
}

// judgeLines judges the lines of the body.
func judgeLines(ctx context.Context, a *API, r *Request) (Reply, error) {
	file, err := linesOf(ctx, r, deliveries.Schema)
	if err != nil {
		return Reply{}, err
	}
	judged, editions, err := a.judgeAll(ctx, r, file.Lines)
	if err != nil {
		return Reply{}, err
	}
	return answerLines(r, file, a.Delivering, func(o lines.Output, seen func(deliveries.Verdict)) iter.Seq[lines.Piece] {
		return deliveries.Pieces(o, file, judged, editions, seen)
	})
}

// judgeAll judges lines, a day after the other. The error is for lines of which no state's copy can be asked.
func (a *API) judgeAll(ctx context.Context, r *Request, all []deliveries.Line) ([]deliveries.Judged,
	[]contracts.RegisterEdition, error) {
	days, ok := deliveries.Days(all)
	if !ok {
		return nil, nil, contracts.Invalid(inBody, "on", "too_many_values", "the lines name %d different days: at most %d",
			len(days), deliveries.MaxDays)
	}
	licenses := make([]portfolio.License, 0, len(all))
	for i := range all {
		licenses = append(licenses, all[i].License)
	}
	judge, err := a.judgeDeliveries(ctx, r, licenses)
	if err != nil {
		return nil, nil, err
	}
	judged := make([]deliveries.Judged, len(all))
	var editions []contracts.RegisterEdition
	var failure error
	for _, day := range slices.Sorted(maps.Keys(days)) {
		places := days[day]
		some := make([]portfolio.License, len(places))
		for k, i := range places {
			some[k] = licenses[i]
		}
		members, read, err := a.membersOf(ctx, r.Environment, day, some)
		failure = cmp.Or(failure, err)
		editions = addEditions(editions, read...)
		for k, i := range places {
			judged[i] = judge(members[k], day, all[i].Beverage, all[i].Ordered)
		}
	}
	if len(editions) > 0 {
		failure = nil
	}
	return judged, editions, failure
}
