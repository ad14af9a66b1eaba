package abcworker

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"assay.dev/abc-worker/register"
	"assay.dev/contracts"
	"assay.dev/platform/verify"
)

// verifyDelivery verifies the verdict on a delivery: the record, what each list says of the license, and that the
// verdict follows. Without a verdict it is what a shared proof says.
func verifyDelivery(ctx context.Context, a contracts.CheckedDelivery, documents verify.Documents) ([]string, error) {
	l := contracts.License{State: a.State, LicenseNumber: a.LicenseNumber, Record: a.Record,
		Verifiability: a.Verifiability}
	found, err := verifyLicense(ctx, l, documents)
	if err != nil {
		return found, err
	}
	q := contracts.DeliveryAsked{State: a.State, License: l.JudgedOn(a.On), On: a.On, Beverages: contracts.Beverages}
	if a.Beverage != "" {
		q.Beverages = []contracts.Beverage{a.Beverage}
	}
	if slices.ContainsFunc(a.Reasons, func(r contracts.DeliveryReason) bool { return r.Code == contracts.OrderedBefore }) {
		q.Ordered = &q.Now // when it was ordered, and when that was asked, no document says
		found = append(found, "no document says when it was ordered: that is the word of who asked")
	}
	for _, rule := range contracts.DeliveryRules {
		isIt := func(l contracts.HoldsChecked) bool { return l.List == rule.List }
		if a.Verdict == "" && rule.State == a.State && rule.List != "" && !slices.ContainsFunc(a.HoldsChecked, isIt) {
			return found, verify.Refuse("the list %s of %s is not in holds_checked, and no verdict says that it is missing",
				rule.List, a.State)
		}
	}
	for _, checked := range a.HoldsChecked {
		read, line, err := rereadList(ctx, a, checked, documents)
		if err != nil {
			return found, err
		}
		found, q.Lists = append(found, line), append(q.Lists, read)
	}
	switch d := q.Judge(); {
	case !slices.Equal(d.Holds, a.Holds):
		return found, verify.Refuse("the lists say %v of %s, the answer %v", d.Holds, a.LicenseNumber, a.Holds)
	case a.Verdict != "" && a.Verdict != d.Verdict:
		return found, verify.Refuse("from this follows %s, and the answer says %s", d.Verdict, a.Verdict)
	}
	return found, nil
}

// rereadList is what a kept list says of the license, also in words.
func rereadList(
	ctx context.Context, a contracts.CheckedDelivery, l contracts.HoldsChecked, documents verify.Documents,
) (read contracts.ReadList, line string, err error) {
	if len(l.Evidence) == 0 {
		return read, "", verify.Refuse("the list %s of %s was put here by who asked, and no document of it is kept: what it "+
			"says stands in that list alone. The answer of /v1/abc/license to the same license is verified without it",
			contracts.Printable(l.List), l.Edition)
	}
	v := contracts.Verifiability{EvidenceSHA256: &l.Evidence[0].SHA256, Evidence: l.Evidence,
		SourceTimestamp: a.Verifiability.SourceTimestamp}
	pages, err := documents.Pages(contracts.PublicListSource(a.State), v)
	if err != nil {
		return read, "", err
	}
	var columns []string // how they are called is a setting of the operator; the address asks for them
	if u, err := url.Parse(pages[0].URL); err == nil {
		columns = strings.Split(u.Query().Get("$select"), ",")
	}
	recipe, closed, err := replayed(ctx, a.State, pages, v.SourceTimestamp, register.ColumnsOf(columns))
	if err != nil {
		return read, "", err
	}
	defer closed()
	i := slices.IndexFunc(recipe.Lists, func(known register.HoldList) bool { return known.List == l.List })
	if i < 0 {
		return read, "", verify.Refuse("%s publishes no list %s", a.State, contracts.Printable(l.List))
	}
	list, err := recipe.Lists[i].Copy(ctx)
	if err != nil {
		return read, "", verify.Refuse("%.12s is not read as the list %s: %v", l.Evidence[0].SHA256, l.List, err)
	}
	read = contracts.ReadList{List: l.List, Date: l.Edition, Evidence: l.Evidence}
	var isClear bool
	if read.ListEntry, read.IsNamed, isClear = recipe.Lists[i].Says(list, a.LicenseNumber); !isClear {
		return read, "", verify.Refuse("%.12s does not tell whether the list %s names %s", l.Evidence[0].SHA256,
			l.List, a.LicenseNumber)
	}
	says := "does not name it"
	if read.IsNamed {
		says = "names it since " + string(read.Since)
	}
	return read, fmt.Sprintf("%s %s: the list %s %s, by the columns %s of %.12s", a.State, a.LicenseNumber, l.List, says,
		contracts.Printable(strings.Join(columns, ", ")), l.Evidence[0].SHA256), nil
}
