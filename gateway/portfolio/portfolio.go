// Package portfolio is what a portfolio is (contract §4.18): licenses that a tenant keeps together, as files of them
// are read.
package portfolio

import (
	"context"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"assay.dev/contracts"
	"assay.dev/gateway/customers"
	"assay.dev/gateway/lines"
)

// MaxLabel bounds a label, in characters.
const MaxLabel = 40

// License is a license of a portfolio. It is there once for each customer who has it, with another label.
type License struct {
	State contracts.State `json:"state"`
	// LicenseNumber is in the normal form of [contracts.NormalLicenseNumber].
	LicenseNumber string `json:"license_number" jsonschema:"As the state issued it."`
	Label         string `json:"label,omitempty" jsonschema:"Your own words for it, such as a customer's number; at most 40 characters."`
}

// Key names the license.
func (l License) Key() string { return string(l.State) + " " + l.LicenseNumber }

// Unlabeled is the license, whoever has it.
func (l License) Unlabeled() License {
	l.Label = ""
	return l
}

// Set are licenses with their labels, and each without one.
type Set map[License]bool

// Add adds a license, and tells whether it was not there.
func (s Set) Add(l License) (isNew bool) {
	isNew = !s[l]
	s[l], s[l.Unlabeled()] = true, true
	return isNew
}

// SetOf are the licenses.
func SetOf(all []License) Set {
	s := make(Set, len(all))
	for _, l := range all {
		s.Add(l)
	}
	return s
}

// Once leaves the first of each license, whatever its label.
func Once(all []License) []License {
	seen := Set{}
	return slices.DeleteFunc(slices.Clone(all), func(l License) bool { return !seen.Add(l.Unlabeled()) })
}

// line is a license, as it was read.
type line struct {
	lines.Head
	License
}

var schema = lines.New(lines.Schema[line, *line]{Members: members, Finish: (*line).finish}, nil)

var members = []lines.Member[line]{
	customers.StateMember(func(l *line) *contracts.State { return &l.State }),
	{
		Name: "license_number", Required: true, Text: "The license number.", Kind: lines.Text,
		Set: func(l *line, text string) error {
			l.LicenseNumber = text
			return nil
		},
	}, {
		Name: "label", Text: "Your own words for it.", Kind: lines.Text,
		Set: func(l *line, text string) error {
			if l.Label = text; utf8.RuneCountInString(text) > MaxLabel {
				return fmt.Errorf("at most %d characters are allowed", MaxLabel)
			}
			return nil
		},
	},
}

// finish makes the number normal.
func (l *line) finish(lines.Reading) { l.License.Normalize(&l.Head) }

// Normalize makes the number of a license normal that stands in a line.
func (l *License) Normalize(in *lines.Head) {
	if l.State == "" || l.LicenseNumber == "" {
		return
	}
	number, err := contracts.NormalLicenseNumber(l.State, l.LicenseNumber)
	if err != nil {
		in.Fail("license_number", "%s", contracts.AsError(err).Message)
		return
	}
	l.LicenseNumber = number
}

// Read reads licenses, and says of each line that cannot be read what is wrong with it. A license is there once, or
// once with each of several labels. The error is for a file that cannot be read at all.
func Read(ctx context.Context, format lines.Format, body []byte) (all []License, wrong []string, err error) {
	file, err := schema.Read(ctx, format, body, lines.Reading{})
	if err != nil {
		return nil, nil, err
	}
	seen := map[License]int{}
	for i := range file.Lines {
		l := &file.Lines[i]
		if first, isThere := seen[l.License]; isThere && len(l.Errors) == 0 {
			l.Fail("license_number", "this license stands in line %d already", first)
		}
		if len(l.Errors) > 0 {
			wrong = append(wrong, l.Errors...)
			continue
		}
		seen[l.License], seen[l.Unlabeled()] = l.Number, l.Number
		all = append(all, l.License)
	}
	return all, wrong, nil
}

// StatesOf are the states of licenses, each once, in the order of [contracts.States].
func StatesOf(all []License) (states []contracts.State) {
	has := map[contracts.State]bool{}
	for i := range all {
		has[all[i].State] = true
	}
	for _, s := range contracts.States {
		if has[s] {
			states = append(states, s)
		}
	}
	return states
}

// DaysOf is today's date in the states of licenses; two while midnight is between them.
func DaysOf(all []License, now time.Time) (days []contracts.Date) {
	for _, s := range StatesOf(all) {
		days = append(days, s.Today(now))
	}
	slices.Sort(days)
	return slices.Compact(days)
}
