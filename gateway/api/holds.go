package api

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/answers"
	"assay.dev/gateway/customers"
	"assay.dev/gateway/kept"
	"assay.dev/gateway/lines"
	"assay.dev/gateway/portfolio"
	"assay.dev/gateway/sheet"
	"assay.dev/gateway/spreadsheet"
)

var (
	holdDate  = dateParam(Parameter{Name: "date", Required: true, Description: "The list's own date."})
	holdEmpty = booleanParam(Parameter{Name: "empty", Description: "true takes a list that names nobody.",
		Argument: Argument{Omitted: true}}, false)
)

// heldLists are the lists of a tenant, each with its licenses.
type heldLists map[contracts.State][]heldList

type heldList struct {
	contracts.ReadList
	named map[string]contracts.ListEntry
}

// listsOf reads the tenant's lists of the states of licenses. A list that is not there is none; the error is for one
// that cannot be read.
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
		held := heldList{contracts.ReadList{List: l.List, Date: l.Date}, map[string]contracts.ListEntry{}}
		for _, e := range l.Entries {
			held.named[heldKey(rule.State, e.LicenseNumber)] = contracts.ListEntry{Since: e.Since}
		}
		lists[rule.State] = append(lists[rule.State], held)
	}
	return lists, nil
}

// of is what the lists say of a license. A list cannot be asked about a number of NY before 2022: it counts as not
// read.
func (l heldLists) of(s contracts.State, number string) (all []contracts.ReadList) {
	if contracts.IsFormerNumber(s, number) {
		return nil
	}
	for _, held := range l[s] {
		one := held.ReadList
		one.ListEntry, one.IsNamed = held.named[heldKey(s, number)]
		all = append(all, one)
	}
	return all
}

// addLists notes what public lists say of the license. One that cannot tell counts as not read.
func (m *PortfolioMember) addLists(all []contracts.PublicList) {
	for _, l := range all {
		if one, isKnown := l.Of(m.LicenseNumber); isKnown {
			m.lists = append(m.lists, one)
		}
	}
}

// listWithoutCopy asks for the public lists of licenses of which no copy of a register told: who is on a list is not to
// be delivered to, whatever else is known. A list that cannot be asked for counts as not read.
func (a *API) listWithoutCopy(ctx context.Context, env contracts.Environment, all []PortfolioMember) {
	for _, state := range contracts.States {
		var places []int
		for i := range all {
			if all[i].State == state && all[i].ReadAt == nil && contracts.HasPublicList(state) {
				places = append(places, i)
			}
		}
		for chunk := range slices.Chunk(places, contracts.MaxMembers) {
			r := contracts.MembersRequest{State: state, ListsOnly: true}
			for _, i := range chunk {
				r.Numbers = append(r.Numbers, all[i].LicenseNumber)
			}
			answer, err := answers.Ask[contracts.MembersAnswer](ctx, a.Answers,
				contracts.MembersSubject(env, state), r, FastMaxTime)
			if err != nil {
				return
			}
			for _, i := range chunk {
				all[i].addLists(answer.Lists)
			}
		}
	}
}

// heldKey is a number without what lists and portfolios may write differently: IL's class prefix and NY's suffix.
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

var heldSchema = lines.New(lines.Schema[heldLine, *heldLine]{MayBeEmpty: true, Members: []lines.Member[heldLine]{
	{Name: "license_number", Required: true, Text: "The license number.", Kind: lines.Text,
		Set: func(l *heldLine, text string) error {
			l.LicenseNumber = text
			return nil
		}},
	{Name: "since", Text: "Since when it is on the list.", Kind: lines.Day,
		Set: func(l *heldLine, text string) (err error) {
			l.Since, err = contracts.ParseDate(text)
			return err
		}},
}}, map[string]sheet.Field{
	"license_number": {Headings: append([]string{"Serial Number"}, customers.Headings["license_number"].Headings...)},
	"since":          {Headings: []string{"Delinquent Date", "Listed Date"}},
})

// holdList is the path parameter that names a list, such as NY-101-aa.
var holdList = singleParam(Parameter{
	Name: "list", InPath: true, Segment: true, Required: true, Description: "The state and the list.",
	Schema: enumSchema(HoldLists()),
}, contracts.DeliveryRule{}, func(_ *Parameter, text string) (contracts.DeliveryRule, error) {
	for _, rule := range contracts.DeliveryRules {
		if rule.Uploaded && kept.NameOfList(rule.State, rule.List) == text {
			return rule, nil
		}
	}
	return contracts.DeliveryRule{}, contracts.Missing(contracts.NameUnknown, "no such delinquent list is "+
		"taken here; the lists are %s", strings.Join(HoldLists(), ", "))
})

// HoldLists are the names of the delinquent lists that tenants put here, such as NY-101-aa.
func HoldLists() (all []string) {
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
		Path: holdsPath, ID: "getHolds", Summary: "A delinquent list of yours",
		Description: "The list as you put it. It costs nothing.",
		Parameters:  []*Parameter{holdList.Parameter}, Failures: []*Failure{NoHolds}, Bodies: bodyType[kept.HoldList](),
		Table: spreadsheet.New[kept.HoldList]("entries"),
		Answer: func(ctx context.Context, a *API, r *Request) (Reply, error) {
			rule := holdList.of(r)
			return keptReply(a.Holds.Get(ctx, r.owner(), rule.State, rule.List))
		},
	}, {
		Path: holdsPath, ID: "putHolds", Method: http.MethodPut, Creates: true, Summary: "Put a delinquent list in place",
		Description: "The whole list, in place of the one before, which may not be newer. It is yours alone. A list of " +
			"which one line cannot be read is refused. It costs nothing.",
		Parameters: []*Parameter{holdList.Parameter, holdDate.Parameter, holdEmpty.Parameter, auditColumns.Parameter,
			dateForm.Parameter}, Failures: []*Failure{NoHolds, MalformedBody, UnsupportedMediaType, NotAcceptable},
		Upload: &Upload{
			MaxBytes: sheet.MaxWorkbook, Forms: []Form{
				{"text/csv", "application/json", lines.MaxBytes, "RFC 4180; since may be missing."},
				{sheet.WorkbookType, "application/json", sheet.MaxWorkbook, "A workbook (.xlsx), with columns only."},
			},
		},
		Bodies: bodyType[kept.ListEntry](),
		Answer: putHolds,
	},
	deletion(holdsPath, "deleteHolds", "Delete a delinquent list of yours", holdList.Parameter, NoHolds,
		func(ctx context.Context, a *API, r *Request) (string, error) {
			rule := holdList.of(r)
			return kept.NameOfList(rule.State, rule.List), a.Holds.Remove(ctx, r.owner(), rule.State, rule.List)
		}),
}

// NoHolds is what a list is answered with that the tenant has not put here.
var NoHolds = coded("NoHolds", "reason NAME: you have put no such list here.",
	contracts.Missing(contracts.NameUnknown, "you have put no such delinquent list here"))

func putHolds(ctx context.Context, a *API, r *Request) (Reply, error) {
	rule, now := holdList.of(r), time.Now()
	if date := holdDate.of(r); date > rule.State.Today(now) {
		return Reply{}, contracts.Invalid(inQuery, "date", "date", "the list is of %s, which is still to come", date)
	}
	file, err := linesOf(ctx, r, heldSchema)
	if err == nil && len(file.Lines) == 0 && !holdEmpty.of(r) { // by mistake, everybody would be delivered to
		err = contracts.Invalid(inQuery, holdEmpty.Name, "missing", "there are no lines; where the list "+
			"names nobody, say empty=1")
	}
	if err != nil {
		return Reply{}, err
	}
	list := kept.HoldList{State: rule.State, List: rule.List, Date: holdDate.of(r),
		UploadedAt: now.UTC().Truncate(time.Second)}
	if list.Entries, err = heldIn(rule.State, list.Date, file.Lines); err != nil {
		return Reply{}, err
	}
	entry, created, err := a.Holds.Put(ctx, r.owner(), list)
	return madeReply(entry, created, "/v1/abc/holds/"+kept.NameOfList(rule.State, rule.List), err)
}

// heldIn are the licenses of a list's lines, each once. Who is left out would be delivered to: a line that cannot be
// read refuses the list.
func heldIn(s contracts.State, date contracts.Date, all []heldLine) ([]kept.HeldLicense, error) {
	entries, at := []kept.HeldLicense{}, map[string]int{}
	var wrong []string
	for i := range all {
		l := &all[i]
		number, err := contracts.NormalLicenseNumber(s, l.LicenseNumber)
		if err != nil && len(l.Errors) == 0 {
			l.Fail("license_number", "%s", contracts.AsError(err).Message)
		}
		if contracts.IsFormerNumber(s, number) && err == nil {
			l.Fail("license_number", "this is a number of before 2022, which cannot be compared; give the one of "+
				"today, such as 0340-22-106125")
		}
		if l.Since > date {
			l.Fail("since", "%s is after the list's own date, %s", l.Since, date)
		}
		wrong = append(wrong, l.Errors...)
		key := heldKey(s, number)
		k, isThere := at[key]
		switch {
		case !isThere:
			at[key] = len(entries)
			entries = append(entries, kept.HeldLicense{LicenseNumber: number, Since: l.Since})
		case l.Since != "" && (entries[k].Since == "" || l.Since < entries[k].Since):
			entries[k].Since = l.Since
		}
	}
	if len(wrong) > 0 {
		return nil, refusedLines("license_number", wrong)
	}
	return entries, nil
}
