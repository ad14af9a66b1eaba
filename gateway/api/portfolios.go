package api

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/kept"
	"assay.dev/gateway/lines"
	"assay.dev/gateway/portfolio"
	"assay.dev/gateway/spreadsheet"
)

// Portfolios is the body of the list of portfolios.
type Portfolios struct {
	Portfolios []kept.PortfolioEntry `json:"portfolios" jsonschema:"By their names."`
}

// PortfolioLicenses is the body that a portfolio is put with.
type PortfolioLicenses struct {
	Licenses []portfolio.License `json:"licenses" jsonschema:"1 to 10,000, each once."`
}

// PortfolioEdit is the body that a portfolio is changed with.
type PortfolioEdit struct {
	Add    []portfolio.License `json:"add,omitempty" jsonschema:"With another label it has both."`
	Remove []portfolio.License `json:"remove,omitempty" jsonschema:"With a label, that one alone; else with all labels."`
}

// PortfolioKept is the body of what became of a portfolio.
type PortfolioKept struct {
	kept.PortfolioEntry
	Errors     []string   `json:"errors" jsonschema:"What is wrong with lines that are left out, each with its number."`
	Confirming Confirming `json:"confirming"`
}

// Portfolio is the body of a portfolio.
type Portfolio struct {
	Name      string                           `json:"name"`
	UpdatedAt time.Time                        `json:"updated_at" jsonschema:"When it was changed last, UTC."`
	Verdicts  map[contracts.LicenseVerdict]int `json:"verdicts" csv:"-" jsonschema:"How many licenses have each verdict."`
	Licenses  []PortfolioMember                `json:"licenses" jsonschema:"In the order in which they were put."`
	Editions  []contracts.RegisterEdition      `json:"editions" csv:"-" jsonschema:"The copies that were looked in, with their proof."`
	Confirm   kept.Confirm                     `json:"confirm"`
	Costs     Confirming                       `json:"confirming"`
}

// PortfolioMember is a license of a portfolio.
type PortfolioMember struct {
	State contracts.State `json:"state"`
	Label string          `json:"label"`
	contracts.Member
	ReadAt   *time.Time                `json:"read_at" jsonschema:"The edition that this is of: when it was read, UTC; null for none."`
	Delivery contracts.DeliveryVerdict `json:"delivery" jsonschema:"The stops of the portfolio say why."`

	lists []contracts.ReadList // public ones
	today string               // the number that lists have
}

// portfolioEndpoints keep licenses together (contract §4.18). They cost nothing.
var portfolioEndpoints = []*Endpoint{
	{
		Path: "/v1/abc/portfolios", ID: "listPortfolios",
		Summary: "Your portfolios", Description: "It costs nothing.",
		Bodies: bodyType[Portfolios](), Answer: listPortfolios, Table: spreadsheet.New[Portfolios]("portfolios"),
	}, {
		Path: "/v1/abc/portfolios/{name}", ID: "getPortfolio",
		Summary: "A portfolio, with today's verdicts",
		Description: "Each license with what the newest copy of its register tells, and the verdicts on it and on a " +
			"delivery. Suspensions are not required, as in a search. What a copy cannot prove is UNVERIFIED, unless it was " +
			"looked up within a day. No source is read, and it costs nothing.",
		Parameters: []*Parameter{portfolioName.Parameter, deliveryBeverage.Parameter, deliveryOn.Parameter},
		Failures:   []*Failure{NoPortfolio},
		Bodies:     bodyType[Portfolio](), Answer: getPortfolio, Table: spreadsheet.New[Portfolio]("licenses"),
		IsLarge: true,
	}, {
		Path: "/v1/abc/portfolios/{name}", ID: "putPortfolio", Method: "PUT", Creates: true,
		Summary: "Put a portfolio in place",
		Description: "In place of what was there. Lines that cannot be read are left out and told in errors; where none can " +
			"be read, nothing is changed. At most 50 portfolios, 10,000 licenses each and 20,000 in all. Only the lookups of " +
			"confirm cost something; dry_run tells how much.",
		Parameters: []*Parameter{portfolioName.Parameter, confirm.Parameter, dryRun.Parameter},
		Failures:   []*Failure{MalformedBody, UnsupportedMediaType, NotAcceptable},
		Upload: &Upload{
			MaxBytes: lines.MaxBytes, Body: bodyType[PortfolioLicenses]()[0],
			Forms: []Form{
				{"application/json", "application/json", lines.MaxBytes, "The licenses."},
				{"text/csv", "application/json", lines.MaxBytes, "RFC 4180 with the columns state, license_number and label, of " +
					"which the last may be missing."},
			},
		},
		Bodies: bodyType[PortfolioKept](), Answer: putPortfolio,
	}, {
		Path: "/v1/abc/portfolios/{name}", ID: "changePortfolio", Method: "PATCH",
		Summary:     "Add licenses to a portfolio, and remove others",
		Description: "All of it is done or nothing. Only the lookups of confirm cost something; dry_run tells how much.",
		Parameters:  []*Parameter{portfolioName.Parameter, confirm.Parameter, dryRun.Parameter},
		Failures:    []*Failure{NoPortfolio, MalformedBody, UnsupportedMediaType, NotAcceptable},
		Upload:      jsonUpload[PortfolioEdit](lines.MaxBytes, "What is to be added and removed."),
		Bodies:      bodyType[PortfolioKept](), Answer: changePortfolio,
	},
	deletion("/v1/abc/portfolios/{name}", "deletePortfolio", "Delete a portfolio", portfolioName.Parameter, NoPortfolio,
		func(ctx context.Context, a *API, r *Request) (string, error) {
			name := portfolioName.of(r)
			return name, a.Portfolios.Delete(ctx, r.owner(), name)
		}),
}

// NoPortfolio is what a name is answered with under which the tenant keeps no portfolio.
var NoPortfolio = coded("NoPortfolio", "reason NAME: you keep no portfolio of that name.",
	contracts.Missing(contracts.NameUnknown, "no portfolio is called %q; GET /v1/abc/portfolios lists yours", "napa"))

// portfolioNames are the names that a portfolio may have: they stand in keys and paths.
var portfolioNames = regexp.MustCompile(`^[a-z0-9_-]{1,64}$`)

const wrongPortfolioName = "a name has a to z, digits, - and _, and at most 64 characters"

// CheckPortfolioName refuses what is no name of a portfolio.
func CheckPortfolioName(name string) error {
	if !portfolioNames.MatchString(name) {
		return portfolioName.invalid("string_pattern_mismatch", wrongPortfolioName)
	}
	return nil
}

// portfolioName is the name in the path.
var portfolioName = patternParam(Parameter{
	Name: "name", InPath: true, Segment: true, Required: true, Description: "The portfolio's name: a to z, " +
		"digits, - and _, at most 64.", Example: "napa",
}, portfolioNames, wrongPortfolioName)

func listPortfolios(ctx context.Context, a *API, r *Request) (Reply, error) {
	all, err := a.Portfolios.List(ctx, r.owner())
	return keptReply(Portfolios{all}, err)
}

func getPortfolio(ctx context.Context, a *API, r *Request) (Reply, error) {
	p, err := a.Portfolios.Get(ctx, r.owner(), portfolioName.of(r))
	if err != nil {
		return Reply{}, err
	}
	on, err := r.deliveryDay(portfolio.StatesOf(p.Licenses)...)
	if err != nil {
		return Reply{}, err
	}
	every, err := a.Portfolios.Confirms(ctx, r.owner(), p.Name)
	if err != nil {
		return Reply{}, err
	}
	body := Portfolio{Name: p.Name, UpdatedAt: p.UpdatedAt, Verdicts: map[contracts.LicenseVerdict]int{}, Confirm: every}
	body.Costs = NewConfirming(r.Environment, every, p.Licenses)
	judge, err := a.judgeDeliveries(ctx, r, p.Licenses)
	if err != nil {
		return Reply{}, err
	}
	body.Licenses, body.Editions, err = a.membersOf(ctx, r.Environment, on, p.Licenses)
	for _, v := range contracts.LicenseVerdicts {
		body.Verdicts[v] = 0
	}
	for i := range body.Licenses {
		m := &body.Licenses[i]
		body.Verdicts[m.Verdict]++
		m.Delivery = judge(*m, on, deliveryBeverage.of(r), nil).Verdict
	}
	return keptReply(body, err)
}

// membersOf are licenses with what the copies of their registers tell, and the verdicts of a day; of today where it is
// empty.
func (a *API) membersOf(
	ctx context.Context, env contracts.Environment, on contracts.Date, all []portfolio.License,
) ([]PortfolioMember, []contracts.RegisterEdition, error) {
	found := make([]PortfolioMember, len(all))
	q := copyQuestion[contracts.MembersAnswer]{span: "members.ask", most: contracts.MaxMembers,
		of: map[contracts.State][]int{}}
	for i, l := range all {
		q.of[l.State] = append(q.of[l.State], i)
	}
	put := func(i int, m contracts.Member, at *time.Time) {
		found[i] = PortfolioMember{State: all[i].State, Label: all[i].Label, Member: m, ReadAt: at, today: m.LicenseNumber}
		found[i].LicenseNumber = all[i].LicenseNumber
	}
	q.ask = func(state contracts.State, chunk []int) (contracts.Subject, any) {
		r := contracts.MembersRequest{State: state, On: on}
		for _, i := range chunk {
			r.Numbers = append(r.Numbers, all[i].LicenseNumber)
		}
		return contracts.MembersSubject(env, state), r
	}
	q.take = func(answer contracts.MembersAnswer, chunk []int) (contracts.RegisterEdition, error) {
		if len(answer.Members) != len(chunk) {
			return answer.Edition, errNoCopy
		}
		for k, i := range chunk {
			put(i, answer.Members[k], &answer.Edition.ReadAt)
			found[i].addLists(answer.Lists)
		}
		return answer.Edition, nil
	}
	q.miss = func(state contracts.State, i int) { put(i, contracts.MemberUnknown("", state), nil) }
	editions, err := askCopies(ctx, a, q)
	a.listWithoutCopy(ctx, env, found)
	return found, append([]contracts.RegisterEdition{}, editions...), err
}

func putPortfolio(ctx context.Context, a *API, r *Request) (Reply, error) {
	body, err := r.Body, error(nil)
	if r.Form.MediaType == "application/json" {
		var given struct {
			Licenses json.RawMessage `json:"licenses"`
		}
		err = readObject(body, "licenses", "no portfolio", &given)
		body = given.Licenses
	}
	var all []portfolio.License
	var wrong []string
	if err == nil {
		all, wrong, err = portfolio.Read(ctx, lineFormats[r.Form.MediaType], body)
	}
	if err == nil && len(all) == 0 {
		err = refusedLines("licenses", wrong)
	}
	if err != nil {
		return Reply{}, err
	}
	today, err := a.today(ctx, r.Environment, all)
	if err != nil {
		return Reply{}, err
	}
	all, again := today.oneSpelling(nil, all)
	wrong = append(wrong, again...)
	every, err := a.confirmOf(r)
	if err != nil {
		return Reply{}, err
	}
	if dryRun.of(r) {
		return a.dryPortfolio(ctx, r, every, all, wrong)
	}
	entry, created, err := a.Portfolios.Put(ctx, r.owner(), portfolioName.of(r), all, every, time.Now())
	return madeReply(keptPortfolio(r, entry, all, wrong), created, "/v1/abc/portfolios/"+entry.Name, err)
}

// refusedLines is the error of a member of the body whose lines cannot be taken.
func refusedLines(member string, wrong []string) error {
	e := &contracts.Error{Code: contracts.InvalidRequest, Message: strings.Join(wrong[:min(len(wrong), 1)], "")}
	for _, w := range wrong[:min(len(wrong), maxViolations)] {
		e.Violations = append(e.Violations, contracts.Violation{Loc: []string{inBody, member}, Msg: w, Type: "line"})
	}
	return e
}
