package mirror

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assay.dev/abc-worker/fold"
	"assay.dev/contracts"
)

// entries draws licenses of few words, so that searches hit often, some numbers twice.
func entries(t *rapid.T) []Entry {
	word := rapid.SampledFrom([]string{"CAFE", "Café", "THE ROOM", "o'brien", "A, B & C", "", "10 MAIN ST", "\u00d1u", "x"})
	street := rapid.SampledFrom([]string{"10 MAIN ST", "10001 Second Street", "2ND AVE", "N MAIN", "ST", ""})
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Entry {
		return Entry{
			Record: contracts.LicenseRecord{
				LicenseNumber: fmt.Sprint(rapid.IntRange(1, 60).Draw(t, "number")), DBAName: word.Draw(t, "dba"), OwnerName: word.Draw(t, "owner"),
				ExpirationDate: rapid.SampledFrom([]contracts.Date{"", "2026-05-31", "2026-06-01", "2027-01-31"}).Draw(t, "expires"), Address: contracts.Address{
					Street: street.Draw(t, "street"), City: word.Draw(t, "city"), Raw: "raw", ZipCode: rapid.SampledFrom([]string{"", "10001", "94901-1234"}).Draw(t, "zip"),
				},
				LicenseTypeCode: "48", Suspensions: []contracts.Suspension{},
			},
			Word: rapid.SampledFrom([]string{"", "ACTIVE"}).Draw(t, "word"), Undated: rapid.Bool().Draw(t, "undated"), Unissued: rapid.Bool().Draw(t, "unissued"), Rank: rapid.StringMatching(`[0-3]`).Draw(t, "rank"), Unclear: rapid.Bool().Draw(t, "unclear"),
		}
	}), 0, 80).Draw(t, "entries")
}

func TestIndexAnswersAsALoopWould(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, best := newBuilder(2), map[string]Entry{}
		for _, e := range entries(t) {
			if err := b.addEntry(e); err != nil {
				t.Fatal(err)
			}
			if known, ok := best[e.Record.LicenseNumber]; !ok || e.Rank > known.Rank {
				best[e.Record.LicenseNumber] = e
			}
		}
		x := b.index()
		if x.len() != len(best) {
			t.Fatalf("%d entries, want %d", x.len(), len(best))
		}
		for number, want := range best {
			want.Rank, want.File = "", 2
			if got := x.lookup(number); len(got) != 1 || !reflect.DeepEqual(got[0], want) {
				t.Fatalf("lookup %s: %+v, want %+v", number, got, want)
			}
		}
		if len(x.lookup("none")) > 0 {
			t.Fatal("found what is not there")
		}
		part := rapid.SampledFrom([]string{"", "cafe", "E", "room", "brien", "a b", "main", "ñ", "zz", "x cafe"})
		place := rapid.SampledFrom([]string{"", "main street", "st", "second", "2nd", "10001", "north", "avenue x", "cafe", "94901 10"})
		q := contracts.Query{DBAName: part.Draw(t, "dba"), OwnerName: part.Draw(t, "owner"), Address: place.Draw(t, "address")}
		checkHits(t, Hits{x, x.find(q)}, matching(q, best))
	})
}

// matching goes through the entries one by one. Nobody may ask for everything.
func matching(q contracts.Query, all map[string]Entry) (found []Entry) {
	has := func(text, parts string) bool { return fold.HasParts(fold.String(text), fold.Parts(parts)) }
	for _, e := range all {
		r := e.Record
		if q != (contracts.Query{}) && has(r.DBAName, q.DBAName) && has(r.OwnerName, q.OwnerName) &&
			fold.HoldsAddress(fold.String(r.Address.Street+" "+r.Address.City), r.Address.ZipCode, fold.Parts(q.Address)) {
			e.Rank, e.File = "", 2
			found = append(found, e)
		}
	}
	slices.SortFunc(found, func(a, b Entry) int { return a.Record.Position().Compare(b.Record.Position()) })
	return found
}

func checkHits(t *rapid.T, got Hits, want []Entry) {
	unclear := func(e Entry) bool { return e.Unclear }
	clear := slices.DeleteFunc(slices.Clone(want), unclear)
	if got.Count() != len(want) || got.Unclear() != len(want)-len(clear) {
		t.Fatalf("%d, %d unclear, want %d, %d unclear", got.Count(), got.Unclear(), len(want), len(want)-len(clear))
	}
	var after contracts.Position
	most := rapid.IntRange(1, 9).Draw(t, "most")
	for left := clear; ; left = left[most:] {
		var page []Entry
		more := got.After(after, most, func(e *Entry) { page = append(page, *e) })
		if n := min(most, len(left)); len(page) != n || n > 0 && !reflect.DeepEqual(page, left[:n]) || more != (len(left) > most) {
			t.Fatalf("after %v: %+v, more %v, want %+v", after, page, more, left)
		}
		if !more {
			break
		}
		after = page[most-1].Record.Position()
	}
	checkKinds(t, got, clear)
}

// checkKinds compares the kinds with what is to be said of the entries one by one.
func checkKinds(t *rapid.T, got Hits, clear []Entry) {
	const today = "2026-06-01"
	say := func(e Entry) string {
		r := e.Record
		date := r.ExpirationDate
		return fmt.Sprint(e.Word, e.Undated, r.DBAName == "", r.OwnerName == "", r.Address.City == "", date == "", date < today)
	}
	want, counted := map[string]int{}, map[string]int{}
	for _, e := range clear {
		want[say(e)]++
	}
	for _, k := range got.Kinds(today) {
		counted[say(k.Entry)] += k.N
	}
	if !maps.Equal(counted, want) {
		t.Fatalf("kinds %v, want %v", counted, want)
	}
}

// A former number leads to the license that had it; one of several licenses leads to none that is understood.
func TestFormerNumbers(t *testing.T) {
	one, other := newBuilder(0), newBuilder(1)
	for _, e := range []struct {
		to             *builder
		number, former string
	}{{one, "100000001", "MB1"}, {one, "100000002", "MB2"}, {other, "100000003", "MB2"}, {other, "100000004", ""}, {other, "100000001", "MB1"}, {one, "MB5", "MB4"}, {one, "100000006", "MB5"}} {
		err := e.to.addEntry(Entry{Record: contracts.LicenseRecord{LicenseNumber: e.number}, Former: e.former})
		if err != nil {
			t.Fatal(err)
		}
	}
	c := &Copy{index: one.merge(other, nil).index()}
	for asked, want := range map[string]string{
		"MB1": "100000001 false", "MB2": "100000002 true", "MB": "", "MB3": "", "MB5": "MB5 false", "MB4": "MB5 false", "100000004": "100000004 false", "": "",
	} {
		var got []string
		for _, e := range c.Lookup(asked) {
			got = append(got, fmt.Sprint(e.Record.LicenseNumber, " ", e.Unclear))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%q: %q, want %q", asked, got, want)
		}
	}
}
