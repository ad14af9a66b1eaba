package archive

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
)

// Imported counts what an import did.
type Imported struct {
	Added int `json:"added"`
	// Known weeks have the very values already.
	Known int `json:"known"`
}

// Import adds weeks that a carrier no longer shows. They say that they were imported and from where: source is the
// operator's own words. A week that was seen with another value is an error, and nothing is written then. What is
// imported again with other values is a further value: nothing is dropped.
func Import(
	ctx context.Context, env contracts.Environment, js jetstream.JetStream, kv jetstream.KeyValue,
	rows []Row, source string,
) (Imported, error) {
	a := View(env, js, kv, slog.New(slog.DiscardHandler))
	at := Sighting{At: time.Now().UTC().Truncate(time.Second), Source: Source{Path: "import", Method: contracts.APIMirror}}
	var done Imported
	writes := map[contracts.Carrier][]change{}
	read := map[contracts.Carrier]entries{}
	var conflicts []string
	for c, own := range byCarrier(rows) {
		var err error
		if read[c], err = a.load(ctx, c); err != nil {
			return Imported{}, err
		}
		weeks, err := build(read[c], nil)
		if err != nil {
			return Imported{}, err
		}
		for _, row := range own {
			change, err := row.change(weeks, at, source)
			switch {
			case err != nil:
				conflicts = append(conflicts, err.Error())
			case change.outcome == unchanged:
				done.Known++
			default:
				writes[c] = append(writes[c], change)
			}
		}
	}
	if len(conflicts) > 0 {
		return Imported{}, errors.New(strings.Join(conflicts, "\n"))
	}
	for c, changes := range writes {
		for _, change := range changes {
			if err := a.putValue(ctx, a.key(c, change.Value), change.Value, read[c]); err != nil {
				return done, fmt.Errorf("after %d weeks: %w; import the file again", done.Added, err)
			}
			done.Added++
		}
	}
	return done, nil
}

func byCarrier(rows []Row) map[contracts.Carrier][]Row {
	all := map[contracts.Carrier][]Row{}
	for _, r := range rows {
		all[r.Carrier] = append(all[r.Carrier], r)
	}
	return all
}

// change is what the row adds to the known weeks.
func (r Row) change(known []Week, at Sighting, source string) (change, error) {
	w := Week{Date: r.EffectiveDate}
	for _, k := range known {
		if k.Date == r.EffectiveDate {
			w = k
		}
	}
	v := Value{
		ObservedWeek: contracts.ObservedWeek{SurchargeWeek: r.SurchargeWeek, Tally: contracts.TallyOf(true, true)},
		First:        at, Last: at, Imported: source, number: w.nextNumber(),
	}
	if len(w.Values) == 0 {
		return change{Value: v, outcome: fresh}, nil
	}
	newest := w.Newest()
	switch {
	case !newest.Withdrawn && isEqual(newest.SurchargeWeek, r.SurchargeWeek):
		return change{outcome: unchanged}, nil
	case newest.Imported == "":
		return change{}, fmt.Errorf("line %d: the week of %s that begins %s was seen with other values: it is not imported",
			r.Line, r.Carrier, r.EffectiveDate)
	}
	return change{Value: v, outcome: revised}, nil
}

// isEqual tells whether a known week has all that is imported.
func isEqual(known, imported contracts.SurchargeWeek) bool {
	has := func(a, b *float64) bool { return b == nil || a != nil && isNear(*a, *b) }
	return isNear(known.Percent, imported.Percent) && has(known.DieselUSD, imported.DieselUSD) &&
		has(known.TruckloadPercent, imported.TruckloadPercent) &&
		(imported.EndDate == "" || imported.EndDate == known.EndDate)
}
