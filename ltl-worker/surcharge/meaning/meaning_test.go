package meaning_test

import (
	"testing"

	"assay.dev/ltl-worker/surcharge/meaning"
)

func TestHeadings(t *testing.T) {
	common := meaning.NewVocabulary()
	for text, want := range map[string]meaning.Set{
		"Effective Date":              meaning.Effective | meaning.Date,
		"Week of":                     meaning.Begin | meaning.Date,
		"LTL Surcharge (%)":           meaning.LTL | meaning.Percent | meaning.Fuel,
		"ltlSurcharge":                meaning.LTL | meaning.Percent | meaning.Fuel,
		"Less-Than-a-Truck Load":      meaning.LTL,
		"Less than full truckloads":   meaning.LTL,
		"Full load":                   meaning.Truckload,
		"< 20,000 lbs":                meaning.LTL,
		"1 - 9,999 lbs.":              meaning.LTL,
		"20,000 lbs. or more":         meaning.Truckload,
		"LTL 20K lbs & over":          meaning.LTL | meaning.Truckload,
		"U.S. DOE Average":            meaning.US | meaning.Index | meaning.Price,
		"Home Delivery":               meaning.Service,
		"As of":                       meaning.Posted,
		"Cross border":                meaning.Abroad,
		"Xyzzy":                       meaning.Unknown,
		"Wednesday":                   0,
		"Prior Monday's DOE Price":    meaning.Index | meaning.Price,
		"West Coast":                  meaning.Region,
		"Standard Freight Shipments ": 0,
	} {
		if got := common.Of(text) &^ meaning.Neutral; got != want {
			t.Errorf("%q: %b, want %b", text, got, want)
		}
	}
}

// The names of the carrier mean nothing.
func TestNames(t *testing.T) {
	v := meaning.NewVocabulary("Old Dominion", "Saia")
	for text, want := range map[string]meaning.Set{
		"The Old Dominion LTL rate": meaning.LTL | meaning.Percent, "Old LTL rate": meaning.LTL | meaning.Percent | meaning.Other,
	} {
		if got := v.Of(text) &^ meaning.Neutral; got != want {
			t.Errorf("%q: %b, want %b", text, got, want)
		}
	}
}

// The innermost level that names LTL or truckload tells the mode.
func TestMode(t *testing.T) {
	v := meaning.NewVocabulary()
	if h := v.Heading([]string{"LTL and Truckload", "LTL", "Percent"}); h.Mode != meaning.LTL {
		t.Errorf("%s: %b", h, h.Mode)
	}
}
