package weeks

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/archive"
	"assay.dev/ltl-worker/carrier"
	"assay.dev/ltl-worker/reader"
	"assay.dev/ltl-worker/tariffs"
	"assay.dev/ltl-worker/trust"
	"assay.dev/ltl-worker/wording"
	"assay.dev/platform/panics"
	"assay.dev/platform/scrape"
)

// Judge decides whether the readings of one carrier are believed, by what was accepted of its words, by the weeks that
// clean readings saw, by its bracket table and by the price of diesel.
type Judge struct {
	Recipe  carrier.Recipe
	Words   *wording.Store
	Archive *archive.Archive
	// Table is the carrier's bracket table; nil where it has none.
	Table *tariffs.Table
	// Price is the national price of diesel of a Monday; nil where it is not known.
	Price func(ctx context.Context, monday contracts.Date) (usd float64, ok bool)
}

// Past is what is known of the carrier's figures.
func (j *Judge) Past(ctx context.Context) trust.Past {
	known, err := j.Archive.Weeks(ctx, j.Recipe.Code)
	p := trust.Past{Unread: err != nil, Price: j.price(ctx)}
	var last time.Time // of the readings that were clean
	for _, w := range known {
		if clean, ok := w.Clean(); ok {
			p.Clean = append(p.Clean, clean.SurchargeWeek)
			if clean.Last.At.After(last) {
				last = clean.Last.At
			}
		}
	}
	p.Table, p.TableFrom = j.Table.Held(ctx, last)
	return p
}

// price is the national price of diesel that a week follows.
func (j *Judge) price(ctx context.Context) func(contracts.Date) (float64, bool) {
	if j.Price == nil {
		return nil
	}
	return func(week contracts.Date) (float64, bool) { return j.Price(ctx, j.Recipe.PriceMonday(week)) }
}

// Judge judges what a path read at a time.
func (j *Judge) Judge(found reader.Found, path string, past trust.Past, at time.Time) trust.Verdict {
	v := trust.Judge(found.Trusted(path), j.Words.Of(j.Recipe.Code).Known(path, at), past)
	for _, doubt := range found.Doubts {
		v.Notes = append(v.Notes, contracts.Note{
			Code: contracts.NotePercentInDoubt, Message: "The dates may be others than those of the weeks: " + doubt + ".",
		})
	}
	return v
}

// judged makes a path say whether its reading is in doubt. None of the percents of one that is counts as clean. What is
// known of the past is looked up while the path reads.
func (j *Judge) judged(p reader.Path, clock func() time.Time, log *slog.Logger) reader.Path {
	read := p.Read
	p.Read = func(ctx context.Context, today contracts.Date) (reader.Reading, error) {
		var past trust.Past
		looked := make(chan error, 1)
		go func() {
			looked <- panics.Catch(ctx, log, func() error { past = j.Past(ctx); return nil })
		}()
		found, err := read(ctx, today)
		if err = cmp.Or(err, <-looked); err != nil {
			return found, err
		}
		j.recall(ctx)
		v := j.Judge(found.Value, p.Name, past, clock())
		for _, n := range v.Notes {
			scrape.Notef(ctx, "%s: %s", n.Code, n.Message)
		}
		scrape.Notef(ctx, "figures: %s; %d lines are known, %d are not, %d are learned",
			figures(v.Figures), len(found.Value.Lines)-len(v.Unknown), len(v.Unknown), len(v.Learn))
		found.Value = tallied(found.Value, v)
		found.Tally, found.InDoubt = found.Value.TallyOfAll(), v.IsInDoubt()
		return found, nil
	}
	return p
}

// recall has the words be those of this moment. Without the bucket they are those that were known last.
func (j *Judge) recall(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	if err := j.Words.Recall(ctx, j.Recipe.Code); err != nil {
		scrape.Notef(ctx, "what is accepted now cannot be read: %v", err)
	}
}

func figures(f trust.Figures) string {
	if f.By == "" {
		return string(f.State)
	}
	return string(f.State) + " by " + f.By
}

// tallied is a reading with the tallies that its verdict gives: where it is in doubt no percent is clean, and where a
// bracket table gives a week another percent, that one is not.
func tallied(found reader.Found, v trust.Verdict) reader.Found {
	found.Verdict = v
	for w := range found.All() {
		if _, isOff := v.Off[w.EffectiveDate]; isOff || v.IsInDoubt() {
			w.Clean = min(w.Clean, w.Required-1)
		}
	}
	return found
}
