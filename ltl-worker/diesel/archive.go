package diesel

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/kv"
)

// Archive keeps the prices of one environment in [contracts.TariffsBucket], a key for each year, such as
// "live.diesel.2026".
type Archive struct {
	env contracts.Environment
	js  jetstream.JetStream
	kv  jetstream.KeyValue
}

// NewArchive makes an archive over the bucket.
func NewArchive(env contracts.Environment, js jetstream.JetStream, bucket jetstream.KeyValue) *Archive {
	return &Archive{env: env, js: js, kv: bucket}
}

// kept is a week in the bucket.
type kept struct {
	Date      contracts.Date `json:"date"`
	USD       float64        `json:"usd_per_gallon"`
	FirstSeen time.Time      `json:"first_seen"`
	// Was are the prices that were shown before, oldest first.
	Was []was `json:"was,omitempty"`
}

// was is a price that another one replaced.
type was struct {
	USD       float64   `json:"usd_per_gallon"`
	FirstSeen time.Time `json:"first_seen"`
}

// Observe keeps the weeks that were seen at a moment. A week that is known keeps its first sighting; another price is
// kept beside the one before.
func (a *Archive) Observe(ctx context.Context, seen []Week, at time.Time) error {
	years := map[string][]Week{}
	for _, w := range seen {
		years[string(w.Monday[:4])] = append(years[string(w.Monday[:4])], w)
	}
	known, err := a.load(ctx)
	if err != nil {
		return err
	}
	for year, weeks := range years {
		if _, changed := merge(known[year], weeks, at); !changed {
			continue
		}
		err := kv.Change(ctx, a.kv, a.key(year), func(old []byte) ([]byte, error) {
			var before []kept
			if err := decode(old, &before); err != nil {
				return nil, err
			}
			merged, _ := merge(before, weeks, at)
			return json.Marshal(merged)
		})
		if err != nil {
			return fmt.Errorf("prices of %s: %w", year, err)
		}
	}
	return nil
}

// merge adds weeks to those that are known of a year, and tells whether that changed anything.
func merge(known []kept, seen []Week, at time.Time) (merged []kept, changed bool) {
	merged = slices.Clone(known)
	for _, w := range seen {
		i, found := slices.BinarySearchFunc(merged, w.Monday,
			func(k kept, d contracts.Date) int { return cmp.Compare(k.Date, d) })
		switch {
		case !found:
			merged = slices.Insert(merged, i, kept{Date: w.Monday, USD: w.USD, FirstSeen: at})
		case merged[i].USD == w.USD || !at.After(merged[i].FirstSeen):
			continue
		default:
			k := &merged[i]
			k.Was = append(slices.Clip(k.Was), was{k.USD, k.FirstSeen})
			k.USD, k.FirstSeen = w.USD, at
		}
		changed = true
	}
	return merged, changed
}

// Weeks are all that are kept, newest first.
func (a *Archive) Weeks(ctx context.Context) ([]contracts.DieselWeek, error) {
	years, err := a.load(ctx)
	if err != nil {
		return nil, err
	}
	var all []contracts.DieselWeek
	for _, weeks := range years {
		for _, k := range weeks {
			first := k.FirstSeen.UTC().Truncate(time.Second)
			all = append(all, contracts.DieselWeek{Date: k.Date, USD: k.USD, FirstSeen: &first})
		}
	}
	slices.SortFunc(all, func(x, y contracts.DieselWeek) int { return cmp.Compare(y.Date, x.Date) })
	return all, nil
}

// load reads the years that are kept.
func (a *Archive) load(ctx context.Context) (map[string][]kept, error) {
	entries, err := kv.Entries(ctx, a.js, a.kv, a.key("*"))
	if err != nil {
		return nil, fmt.Errorf("prices of diesel: %w", err)
	}
	years := map[string][]kept{}
	for _, e := range entries {
		var weeks []kept
		if err := decode(e.Value(), &weeks); err != nil {
			return nil, err
		}
		years[e.Key()[len(a.key("")):]] = weeks
	}
	return years, nil
}

// decode reads a year; none of no value.
func decode(value []byte, weeks *[]kept) error {
	if len(value) == 0 {
		return nil
	}
	if err := json.Unmarshal(value, weeks); err != nil {
		return &kv.Damaged{Stream: contracts.TariffsBucket.Stream(),
			What: "a year of prices cannot be understood: " + err.Error()}
	}
	return nil
}

func (a *Archive) key(year string) string { return string(a.env) + ".diesel." + year }
