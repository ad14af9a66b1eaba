package kept

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"hash/crc32"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/gateway/portfolio"
	"assay.dev/platform/kv"
)

// The bounds of what a tenant keeps in portfolios.
const (
	MaxPortfolios  = 50
	maxOfPortfolio = 10_000
	maxOfTenant    = 20_000
	// maxPortfolioBytes bounds a portfolio as it is stored.
	maxPortfolioBytes = 900 << 10
	// unfinished is how long a document may differ from its list entry while its writer is still at work.
	unfinished = 2 * storeTime
)

// PortfolioEntry is a portfolio in a list.
type PortfolioEntry struct {
	Name      string    `json:"name"`
	Licenses  int       `json:"licenses" jsonschema:"How many."`
	UpdatedAt time.Time `json:"updated_at" jsonschema:"When it was changed last, UTC."`
	Confirm   Confirm   `json:"confirm"`
}

// Confirm is how often the licenses of a portfolio are looked up whose status no copy prints; empty for one that nobody
// set.
type Confirm string

// How often they are.
const (
	Never  Confirm = "never"
	Daily  Confirm = "daily"
	Weekly Confirm = "weekly"
)

// Confirms lists all.
var Confirms = []Confirm{Never, Daily, Weekly}

// IsSet tells whether licenses are looked up at all.
func (c Confirm) IsSet() bool { return c == Daily || c == Weekly }

// IsDay tells whether a license is looked up on the day of a moment (UTC).
func (c Confirm) IsDay(l portfolio.License, t time.Time) bool {
	return c == Daily || c == Weekly && uint32(t.Unix()/(24*60*60))%7 == weekday(l)
}

// weekday is a license's day of the week, on which it is looked up weekly.
func weekday(l portfolio.License) uint32 { return crc32.ChecksumIEEE([]byte(l.Key())) % 7 }

// ADay is how many of some licenses are looked up on a day, at most.
func (c Confirm) ADay(all []portfolio.License) int {
	var days [7]int
	for _, l := range all {
		if c == Weekly {
			days[weekday(l)]++
		} else if c == Daily {
			days[0]++
		}
	}
	return min(slices.Max(days[:]), MaxConfirmed)
}

// MaxConfirmed bounds the licenses of all portfolios of an environment that are looked up on a day.
const MaxConfirmed = 1000

// Portfolio is a portfolio as it is kept.
type Portfolio struct {
	Name      string              `json:"name"`
	UpdatedAt time.Time           `json:"updated_at"`
	Licenses  []portfolio.License `json:"licenses"`
	// Revision is another one after each change.
	Revision string `json:"revision"`
}

// portfolioEntry has the revision that the list was written for: the document follows the list.
type portfolioEntry struct {
	PortfolioEntry
	Revision string `json:"revision"`
}

// Portfolios keeps portfolios.
type Portfolios struct {
	*shelf[portfolioEntry]
	js jetstream.JetStream
}

// Put keeps licenses under a name, in place of what was there. created tells that there was nothing. Without a confirm
// that one stays.
func (s Portfolios) Put(
	ctx context.Context, o Owner, name string, all []portfolio.License, confirm Confirm, now time.Time,
) (e PortfolioEntry, created bool, err error) {
	return s.store(ctx, o, name, all, confirm, "", now)
}

// Change edits a portfolio. Where two edit it at once, one begins anew. Without a confirm that one stays.
func (s Portfolios) Change(
	ctx context.Context, o Owner, name string, confirm Confirm, now time.Time,
	edit func([]portfolio.License) ([]portfolio.License, error),
) (e PortfolioEntry, err error) {
	for range 3 {
		p, revision, err := s.settled(ctx, o, name, now)
		if err != nil {
			return e, err
		}
		all, err := edit(p.Licenses)
		if err != nil {
			return e, err
		}
		if e, _, err = s.store(ctx, o, name, all, confirm, revision, now); !errors.Is(err, errOvertaken) {
			return e, err
		}
	}
	return e, errOvertaken
}

// settled is a portfolio that is the one of the list, with the list's revision.
func (s Portfolios) settled(ctx context.Context, o Owner, name string, now time.Time) (p Portfolio,
	revision string, err error) {
	all, err := s.entries(ctx, o)
	i := slices.IndexFunc(all, func(e portfolioEntry) bool { return e.Name == name })
	switch {
	case err != nil:
		return p, "", err
	case i < 0:
		return p, "", s.missing(name)
	}
	p, err = s.Get(ctx, o, name)
	if isWritten := err == nil && p.Revision == all[i].Revision; !isWritten && now.Sub(all[i].UpdatedAt) < unfinished {
		return p, "", errOvertaken
	}
	return p, all[i].Revision, err
}

// store keeps a portfolio where the list has the revision; empty for any.
func (s Portfolios) store(
	ctx context.Context, o Owner, name string, all []portfolio.License, confirm Confirm, revision string, now time.Time,
) (e PortfolioEntry, created bool, err error) {
	e = PortfolioEntry{name, len(all), now.UTC().Truncate(time.Second), cmp.Or(confirm, Never)}
	entry := portfolioEntry{e, rand.Text()}
	document, err := json.Marshal(Portfolio{name, e.UpdatedAt, all, entry.Revision})
	if document = kv.Compress(document); err == nil && len(document) > maxPortfolioBytes {
		err = contracts.Errorf(contracts.RequestTooLarge, "the portfolio has %d bytes, and one of %d at most "+
			"is kept; use shorter labels", len(document), maxPortfolioBytes)
	}
	if err != nil {
		return e, false, err
	}
	err = s.put(ctx, o, name, document, func(list []portfolioEntry) ([]portfolioEntry, error) {
		i := slices.IndexFunc(list, func(e portfolioEntry) bool { return e.Name == name })
		created = i < 0
		switch {
		case created && revision != "":
			return nil, s.missing(name)
		case !created && revision != "" && list[i].Revision != revision:
			return nil, errOvertaken
		case !created && confirm == "":
			entry.Confirm = cmp.Or(list[i].Confirm, Never)
		}
		list = s.listed(list, entry)
		return list, withinBounds(list, len(all))
	})
	return entry.PortfolioEntry, created, err
}

func withinBounds(list []portfolioEntry, licenses int) error {
	sum := 0
	for _, e := range list {
		sum += e.Licenses
	}
	switch {
	case licenses > maxOfPortfolio:
		return contracts.Invalid("body", "licenses", "too_many", "a portfolio has at most %d licenses", maxOfPortfolio)
	case len(list) > MaxPortfolios:
		return contracts.Invalid("path", "name", "too_many",
			"%d portfolios are kept already; delete one first", MaxPortfolios)
	case sum > maxOfTenant:
		return contracts.Invalid("body", "licenses", "too_many", "all portfolios together have at most %d "+
			"licenses, and these would be %d", maxOfTenant, sum)
	}
	return nil
}

// Get is the portfolio of a name. The error is NOT_FOUND where there is none.
func (s Portfolios) Get(ctx context.Context, o Owner, name string) (Portfolio, error) {
	return read(ctx, s.shelf, o, name, "a portfolio", func(p *Portfolio) bool { return p.Name == name })
}

// List are the tenant's portfolios, by their names.
func (s Portfolios) List(ctx context.Context, o Owner) (list []PortfolioEntry, err error) {
	all, err := s.entries(ctx, o)
	list = []PortfolioEntry{}
	for _, e := range all {
		e.Confirm = cmp.Or(e.Confirm, Never)
		list = append(list, e.PortfolioEntry)
	}
	return list, err
}

// Confirms is how often licenses of a portfolio are looked up.
func (s Portfolios) Confirms(ctx context.Context, o Owner, name string) (Confirm, error) {
	all, err := s.List(ctx, o)
	for _, e := range all {
		if e.Name == name {
			return e.Confirm, err
		}
	}
	return Never, err
}

// Confirmed is a portfolio of which licenses are looked up.
type Confirmed struct {
	Owner
	PortfolioEntry
}

// Confirmed are all such portfolios of all tenants.
func (s Portfolios) Confirmed(ctx context.Context) (all []Confirmed, err error) {
	defer reached(&err)
	entries, err := kv.Entries(ctx, s.js, s.bucket, "*.*")
	for _, e := range entries {
		var list struct {
			Tenant     string           `json:"tenant"`
			Portfolios []PortfolioEntry `json:"portfolios"`
		}
		// reading it tells its owner that it is damaged
		if e.Operation() != jetstream.KeyValuePut || json.Unmarshal(e.Value(), &list) != nil {
			continue
		}
		env, _, _ := strings.Cut(e.Key(), ".")
		for _, p := range list.Portfolios {
			if p.Confirm.IsSet() {
				all = append(all, Confirmed{Owner{contracts.Environment(env), list.Tenant}, p})
			}
		}
	}
	return all, err
}
