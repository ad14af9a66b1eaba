package register

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"assay.dev/abc-worker/mirror"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// HoldList is a delinquent list that a state publishes, as a copy of it (contract §4.19).
type HoldList struct {
	// List is its name in [contracts.DeliveryRules].
	List   string
	Mirror *mirror.Mirror
	// Zone is where its days begin.
	Zone  *time.Location
	Clock func() time.Time
	// Names tells whether it can name a license of that number.
	Names func(number string) bool
}

// listWait bounds the wait for a list that is being loaded.
const listWait = 10 * time.Second

// Copy is the newest copy.
func (l HoldList) Copy(ctx context.Context) (*mirror.Copy, error) {
	ctx, cancel := context.WithTimeout(ctx, listWait)
	defer cancel()
	return l.Mirror.Copy(ctx)
}

// Of is what a copy says of licenses. A license on the list counts however old the copy is. Its absence counts only
// when the copy is dated and was read, or found unchanged, within a day. today are the numbers that licenses have now,
// by those that are asked for; one that is not there is of today.
func (l HoldList) Of(c *mirror.Copy, numbers []string, today map[string]string) contracts.PublicList {
	isKnown := !c.PublishedAt().IsZero() && l.Clock().Sub(c.ReadAt) <= contracts.LicenseTTL
	at := c.PublishedAt()
	if at.IsZero() {
		at = c.ReadAt
	}
	p := contracts.PublicList{List: l.List, Date: contracts.DateOf(at.In(l.Zone)), Named: map[string]contracts.ListEntry{}}
	for _, f := range c.Files {
		if f.Kept != nil {
			p.Evidence = append(p.Evidence, *f.Kept)
		}
	}
	for _, number := range numbers {
		now := cmp.Or(today[number], number)
		switch entry, isNamed, isClear := l.Says(c, now); {
		case isNamed:
			p.Named[number] = entry
		case !isKnown || !isClear:
			p.Unsure = append(p.Unsure, number)
		}
	}
	return p
}

// Says is what a copy says of a license by its number of today. It is not clear where the copy cannot tell.
func (l HoldList) Says(c *mirror.Copy, number string) (entry contracts.ListEntry, isNamed, isClear bool) {
	found := c.Lookup(number)
	if len(found) > 0 && !found[0].Unclear {
		return found[0].OnList(), true, true
	}
	return entry, false, len(found) == 0 && l.Names(number) && !c.MayHide(number)
}

// Path reads the list as a path of a probe, which shows how many licenses are on it and whether the one that is asked
// about is.
func (l HoldList) Path() JudgedPath {
	read := func(ctx context.Context, q Question) (r scrape.Reading[Answer], err error) {
		c, err := l.Copy(ctx)
		if err != nil {
			return r, err
		}
		r.Value, r.ReadAt, r.EvidenceURL = Answer{Total: c.Len(), Complete: true, PublishedAt: new(c.PublishedAt())},
			c.ReadAt, c.Files[0].URL
		r.Tally = contracts.Tally{Clean: 1, Required: 1}
		if entry, isNamed := l.Of(c, []string{q.Number}, nil).Named[q.Number]; isNamed {
			r.Value.Notes = []contracts.Note{{Code: contracts.NoteCode(contracts.OnList),
				Message: fmt.Sprintf("%s is on the list since %q, exempt %t", q.Number, entry.Since, entry.IsExempt)}}
		}
		return r, nil
	}
	return JudgedPath{Name: "list " + l.List, Method: contracts.APIMirror, Timeout: 2 * listWait, Read: read}
}

// HoldColumns are the columns of a delinquent list. What is empty is not there.
type HoldColumns struct{ Number, Since, Exempt string }

// ColumnsOf are the columns whose names are those of All.
func ColumnsOf(names []string) (c HoldColumns) {
	for i, to := range []*string{&c.Number, &c.Since, &c.Exempt} {
		if i < len(names) {
			*to = names[i]
		}
	}
	return c
}

// All are the columns that there are.
func (c HoldColumns) All() []string {
	return slices.DeleteFunc([]string{c.Number, c.Since, c.Exempt}, func(name string) bool { return name == "" })
}

var columnNames = regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`)

// UnmarshalText reads license_number=COLUMN,since=COLUMN,exempt=COLUMN; the last two may be missing.
func (c *HoldColumns) UnmarshalText(text []byte) error {
	*c = HoldColumns{}
	for pair := range strings.SplitSeq(string(text), ",") {
		member, column, _ := strings.Cut(strings.TrimSpace(pair), "=")
		to, isKnown := map[string]*string{"license_number": &c.Number, "since": &c.Since, "exempt": &c.Exempt}[member]
		if !isKnown || *to != "" || !columnNames.MatchString(column) {
			return fmt.Errorf("%q: want license_number=COLUMN,since=COLUMN,exempt=COLUMN, of which the last two may be missing",
				pair)
		}
		*to = column
	}
	if c.Number == "" {
		return fmt.Errorf("the column of license_number is missing")
	}
	return nil
}
