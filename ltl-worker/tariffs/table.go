package tariffs

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/bracket"
	"assay.dev/ltl-worker/carrier"
	"assay.dev/ltl-worker/edition"
	"assay.dev/ltl-worker/reader"
	"assay.dev/ltl-worker/trust"
	"assay.dev/platform/evidence"
	"assay.dev/platform/scrape"
)

// Table answers the requests for one carrier's bracket table.
type Table struct {
	Deps
	recipe   carrier.Recipe
	current  stored[contracts.FuelTableAnswer, *contracts.FuelTableAnswer]
	editions *edition.Archive
	// paths read the table where the carrier prints it; nil for a transcribed one.
	paths *scrape.Source[contracts.Date, bracket.Table]
	// weeks gives the carrier's weekly percents, by which a transcribed table is confirmed.
	weeks Weeks
}

// Weeks gives a carrier's weekly percents; fresh asks for a fresh reading of them.
type Weeks func(ctx context.Context, fresh bool) (contracts.SurchargeAnswer, error)

// NewTable makes the answerer for a carrier whose recipe has a table. weeks gives the carrier's weekly percents.
func NewTable(r *reader.Reader, weeks Weeks, editions *edition.Archive, d Deps) *Table {
	t := &Table{Deps: d, recipe: r.Recipe, editions: editions, weeks: weeks}
	source := string(r.Code) + "-table"
	if r.Table.Transcribed == nil {
		t.paths = scrape.NewSource(source, d.Scrape, r.TablePaths()...)
	}
	t.current = stored[contracts.FuelTableAnswer, *contracts.FuelTableAnswer]{
		key: contracts.FuelTableKey(d.Environment, r.Code, ""), store: d.Store, clock: d.Clock, read: t.readTable,
		answers: d.Answers(source),
	}
	return t
}

// ViewTable gives the table of a carrier, or nil where it has none, for [Table.Held] alone.
func ViewTable(r carrier.Recipe, editions *edition.Archive, log *slog.Logger) *Table {
	if r.Table == nil {
		return nil
	}
	return &Table{Deps: Deps{Log: log}, recipe: r, editions: editions}
}

// RefreshDue reads the table when the stored one has ended, or when there is none and the carrier published since a
// moment. It tells whether this worker has read it.
func (t *Table) RefreshDue(ctx context.Context, since time.Time) (read bool, err error) {
	return t.current.refreshDue(ctx, t.recipe.Publication, since)
}

// tableTTL is how long a table is served before it is read again: a new edition is found within a day.
const tableTTL = 24 * time.Hour

// Answer gives the table that applied on the day of a request.
func (t *Table) Answer(ctx context.Context, q contracts.FuelTableRequest) (contracts.FuelTableAnswer, error) {
	if q.AsOf > contracts.Today(t.Clock()) {
		return contracts.FuelTableAnswer{}, contracts.Invalid("query", "as_of", "less_than_equal",
			"as_of may be today at most")
	}
	if q.AsOf == "" {
		return t.current.get(ctx, q.Fresh)
	}
	day := t.current
	day.key = contracts.FuelTableKey(t.Environment, t.recipe.Code, q.AsOf)
	day.read = func(ctx context.Context, fresh bool) (contracts.FuelTableAnswer, error) {
		return t.on(ctx, q.AsOf, fresh)
	}
	return day.get(ctx, q.Fresh)
}

// on finds the table that applied on a day.
func (t *Table) on(ctx context.Context, day contracts.Date, fresh bool) (contracts.FuelTableAnswer, error) {
	switch {
	case day == contracts.Today(t.Clock()):
		return t.current.within().get(ctx, fresh)
	case t.paths == nil:
		return t.transcribedOn(ctx, day, fresh)
	}
	return t.printedOn(ctx, day)
}

// readTable reads the table that applies now.
func (t *Table) readTable(ctx context.Context, fresh bool) (contracts.FuelTableAnswer, error) {
	if t.paths == nil {
		return t.confirm(ctx, fresh)
	}
	now := t.Clock()
	result, err := t.paths.Read(ctx, contracts.Today(now))
	if err != nil {
		return contracts.FuelTableAnswer{}, err
	}
	kept, all := t.Keeper.Keep(ctx, evidence.Reading{Source: string(t.recipe.Code), Path: result.Path}, result.Documents)
	seen := edition.Edition{
		Rows: result.Value.Rows, Tally: result.Tally, FirstSeen: result.ReadAt.UTC(), LastSeen: result.ReadAt.UTC(),
		Path: result.Path, Method: result.Method, EvidenceURL: result.EvidenceURL, Evidence: kept,
	}
	newest, err := t.editions.Observe(ctx, t.recipe.Code, seen)
	if err != nil {
		t.Log.WarnContext(ctx, "an edition of a bracket table cannot be kept", "carrier", t.recipe.Code, "error", err)
		a := t.printed(seen, now.Add(contracts.WithoutArchiveTTL))
		a.Edition.FirstSeen = nil // it may have been seen before
		a.NameEvidence(kept, all, now)
		return a, nil
	}
	a := t.printed(newest, now.Add(tableTTL))
	a.NameEvidence(newest.Evidence, all, now)
	return a, nil
}

// printed is the answer with an edition of a table that the carrier prints.
func (t *Table) printed(e edition.Edition, expires time.Time) contracts.FuelTableAnswer {
	first, last := e.FirstSeen.UTC().Truncate(time.Second), e.LastSeen.UTC().Truncate(time.Second)
	a := contracts.FuelTableAnswer{
		Provenance: contracts.Provenance{
			Schema: contracts.AnswerSchema, ReadAt: e.LastSeen.UTC(), ExpiresAt: expires.UTC(),
			Method: e.Method, EvidenceURL: e.EvidenceURL, Evidence: e.Evidence, Complete: e.Clean == e.Required,
		},
		Tally: e.Tally, Carrier: t.recipe.Code, Rows: e.Rows, Extension: t.recipe.Table.Extension,
		Edition: contracts.Edition{FirstSeen: &first, LastSeen: &last},
	}
	if !a.Complete {
		a.Notes = append(a.Notes, contracts.Note{Code: contracts.NoteFieldUnreadable, Message: fmt.Sprintf(
			"%d of %d rows of the table cannot be read and are left out.", e.Required-e.Clean, e.Required)})
	}
	return a
}

// printedOn gives the edition that was seen before a past day and after it. On the day of a change it is not known which
// of both tables applied.
func (t *Table) printedOn(ctx context.Context, day contracts.Date) (contracts.FuelTableAnswer, error) {
	known, err := t.editions.All(ctx, t.recipe.Code)
	if err != nil {
		return contracts.FuelTableAnswer{}, contracts.Wrap(err, contracts.SourceUnavailable,
			"the archive of tables cannot be read now; retry later").After(contracts.WithoutArchiveTTL)
	}
	for i := len(known) - 1; i >= 0; i-- {
		e := known[i]
		if isAround(day, e.FirstSeen, e.LastSeen) {
			a := t.printed(e, t.Clock().Add(contracts.FallbackTTL))
			a.Notes = append(a.Notes, contracts.Note{Code: contracts.NoteFromArchive, Message: fmt.Sprintf(
				"This is the table as it was seen from %s to %s.", contracts.Today(e.FirstSeen), contracts.Today(e.LastSeen))})
			return a, nil
		}
	}
	if n := len(known); n > 0 && contracts.Today(known[n-1].LastSeen) <= day { // nobody has read it since
		now, err := t.current.within().get(ctx, true)
		if seen := now.Edition; err != nil || seen.FirstSeen != nil && isAround(day, *seen.FirstSeen, *seen.LastSeen) {
			return now, err
		}
	}
	return contracts.FuelTableAnswer{}, contracts.Errorf(contracts.WeekNotArchived,
		"no bracket table of %s is archived for %s; %s", t.recipe.Code, day, describeEditions(known))
}

// isAround tells whether a day lies between the days of two moments.
func isAround(day contracts.Date, first, last time.Time) bool {
	return contracts.Today(first) < day && day < contracts.Today(last)
}

// describeEditions says which tables are known.
func describeEditions(known []edition.Edition) string {
	if len(known) == 0 {
		return "none was seen yet"
	}
	return fmt.Sprintf("tables are known that were seen from %s to %s",
		contracts.Today(known[0].FirstSeen), contracts.Today(known[len(known)-1].LastSeen))
}

// transcribedOn gives a transcribed table for a past day on which its tariff applied.
func (t *Table) transcribedOn(ctx context.Context, day contracts.Date, fresh bool) (contracts.FuelTableAnswer, error) {
	if from := t.recipe.Table.Effective; day < from {
		return contracts.FuelTableAnswer{}, contracts.Errorf(contracts.WeekNotArchived,
			"no bracket table of %s is archived for %s; that of tariff %s applies from %s on",
			t.recipe.Code, day, t.recipe.Table.Tariff, from)
	}
	return t.current.within().get(ctx, fresh)
}

// confirm gives a transcribed table, held against the newest percent that the carrier prints: a copy by itself proves
// nothing about today.
func (t *Table) confirm(ctx context.Context, fresh bool) (contracts.FuelTableAnswer, error) {
	weeks, err := t.weeks(ctx, fresh)
	if err != nil {
		return contracts.FuelTableAnswer{}, err
	}
	a := transcribed(t.recipe)
	a.Provenance, a.Complete = weeks.Provenance, true
	a.EndBy(t.Clock().Add(tableTTL))
	week := weeks.Weeks[0]
	a.Notes = slices.DeleteFunc(slices.Clone(weeks.Notes),
		func(n contracts.Note) bool { return n.Code == contracts.NoteBracketDiffers })
	a.Notes = append(a.Notes, contracts.Note{Code: contracts.NoteFromArchive, Message: fmt.Sprintf(
		"This table is our copy of tariff %s of %s. The evidence shows the percent of the week of %s, "+
			"against which it was held.",
		t.recipe.Table.Tariff, t.recipe.Table.Effective, week.EffectiveDate)})
	if week.DieselUSD == nil || week.Archived != nil {
		a.Clean, a.Complete = unconfirmed(a.Required), false
		a.Notes = append(a.Notes,
			contracts.Note{Code: contracts.NoteIncomplete, Message: "The carrier's newest week has no " +
				"diesel price beside it now, so the table could not be held against it."})
	} else if want, isOff := (trust.Past{Table: &a}).Prove([]contracts.SurchargeWeek{week.SurchargeWeek},
		trust.Known{}).Off[week.EffectiveDate]; isOff {
		a.Clean = unconfirmed(a.Required)
		a.Notes = append(a.Notes, trust.BracketDiffers(week.SurchargeWeek, want))
	} else if weeks.Body(1).Verifiability.ExtractionConfidence < contracts.MinConfidence { // it confirms nothing
		a.Clean = unconfirmed(a.Required)
	}
	return a, nil
}

// unconfirmed is how many of the required rows count as clean in a table that the carrier's own percent does not
// confirm: so many that the confidence is below 0.90.
func unconfirmed(required int) int { return required * 8 / 9 }

// transcribed is the answer with the rows of a transcribed table.
func transcribed(r carrier.Recipe) contracts.FuelTableAnswer {
	tariff := r.Table.Tariff
	return contracts.FuelTableAnswer{
		Carrier: r.Code, Rows: r.Table.Transcribed, Extension: r.Table.Extension,
		Tally:   contracts.Tally{Clean: len(r.Table.Transcribed), Required: len(r.Table.Transcribed)},
		Edition: contracts.Edition{Tariff: &tariff, EffectiveDate: r.Table.Effective},
	}
}

// heldTime bounds the look for the table, after which the carrier's page is read.
const heldTime = 2 * time.Second

// Held is the table that was known at a moment, which may prove the carrier's percents, and its first day; "" where
// that is not known. It is nil where none was known: a table that was first seen since could be another one than the
// carrier's. A nil Table holds none.
func (t *Table) Held(ctx context.Context, at time.Time) (table *contracts.FuelTableAnswer, from contracts.Date) {
	switch {
	case t == nil:
		return nil, ""
	case t.recipe.Table.Transcribed != nil:
		a := transcribed(t.recipe)
		return &a, t.recipe.Table.Effective
	}
	ctx, cancel := context.WithTimeout(ctx, heldTime)
	defer cancel()
	known, err := t.editions.All(ctx, t.recipe.Code)
	if err != nil {
		t.Log.WarnContext(ctx, "the archive of tables cannot be read", "carrier", t.recipe.Code, "error", err)
	}
	for _, e := range slices.Backward(known) {
		if !e.FirstSeen.After(at) && e.Clean == e.Required {
			return &contracts.FuelTableAnswer{Rows: e.Rows, Extension: t.recipe.Table.Extension}, ""
		}
	}
	return nil, ""
}
