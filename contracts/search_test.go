package contracts

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

func TestPositionsAreInNaturalOrder(t *testing.T) {
	want := []Position{
		{}, {Number: "7"}, {Number: "9000"}, {Number: "30007"}, {Number: "400000", Type: "21"}, {Number: "400000", Type: "47"},
		{Number: "0340-22-106125"}, {Number: "0340-22-106125-02"}, {Number: "1A-1100000"}, {Number: "1A-1100001"},
		{Number: "1B-1100000"}, {Number: "10-1100000"}, {Number: "BEV3900123"}, {Number: "BEV3900124"},
	}
	natural := func(a, b Position) int { return a.Compare(b) }
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, natural)
	slices.SortFunc(want, natural)
	if !slices.Equal(got, want) {
		t.Errorf("the order is not one: %v", got)
	}
	for _, pair := range [][2]string{
		{"7", "9000"}, {"9000", "30007"}, {"1A-1100000", "1A-1100001"}, {"2-1100000", "10-1100000"}, {"BEV3900123", "BEV3900124"},
		{"0340-22-106125", "0340-22-106125-02"}, {"1A-1", "1B-1"},
	} {
		if (Position{Number: pair[0]}).Compare(Position{Number: pair[1]}) >= 0 {
			t.Errorf("%s does not come before %s", pair[0], pair[1])
		}
	}
}

func TestPagesHoldEachMatchOnce(t *testing.T) {
	a := SearchAnswer{Provenance: Provenance{Schema: AnswerSchema}, Total: 25, Whole: true}
	for i := range 25 {
		a.Results = append(a.Results, LicenseRecord{LicenseNumber: fmt.Sprint(i + 95)})
	}
	var seen []string
	var at Position
	for range 10 {
		page, next := a.Body(10, at, time.Time{})
		for _, r := range page.Results {
			seen = append(seen, r.LicenseNumber)
		}
		if next == nil {
			break
		}
		at = *next
	}
	if len(seen) != 25 || seen[0] != "95" || seen[24] != "119" {
		t.Errorf("%v", seen)
	}
	if page, next := a.Body(100, Position{Number: "96"}, time.Time{}); len(page.Results) != 23 || next != nil {
		t.Errorf("%d results, next %v", len(page.Results), next)
	}
	a.Whole = false
	if _, next := a.Body(100, Position{}, time.Time{}); next == nil || next.Number != "119" {
		t.Errorf("further matches follow, next is %v", next)
	}
}

func TestFiltersThatCannotBeMeant(t *testing.T) {
	for _, text := range []string{"%_%", " - ", "\u200bcafe", "cafe\u202e", "caf\u00ade", "a\ufe0f", "\u3164"} {
		if err := (Query{DBAName: text}).Validate(); CodeOf(err) != InvalidRequest {
			t.Errorf("%q: %v", text, err)
		}
	}
	if err := (Query{DBAName: "Café #2", OwnerName: "7"}).Validate(); err != nil {
		t.Error(err)
	}
}
