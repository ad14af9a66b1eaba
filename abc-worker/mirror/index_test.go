package mirror

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assay.dev/abc-worker/fold"
	"assay.dev/contracts"
)

// entries draws licenses of few words, so that searches hit often, some numbers twice.
func entries(t *rapid.T) []Entry {
	word := rapid.SampledFrom([]string{"CAFE", "Café", "THE ROOM", "o'brien", "A, B & C", "", "10 MAIN ST", "\u00d1u", "x"})
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Entry {
		return Entry{
			Record: contracts.LicenseRecord{
				LicenseNumber: fmt.Sprint(rapid.IntRange(1, 60).Draw(t, "number")), DBAName: word.Draw(t, "dba"), OwnerName: word.Draw(t, "owner"),
				ExpirationDate: "2027-01-31", Address: contracts.Address{Street: word.Draw(t, "street"), City: word.Draw(t, "city"), Raw: "raw"},
				LicenseTypeCode: "48", Suspensions: []contracts.Suspension{},
			},
			Word: "ACTIVE", Rank: rapid.StringMatching(`[0-3]`).Draw(t, "rank"), Tally: contracts.Tally{Clean: 6, Required: 7},
		}
	}), 0, 80).Draw(t, "entries")
}

func TestIndexAnswersAsALoopWould(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, best := newBuilder(), map[string]Entry{}
		for _, e := range entries(t) {
			if err := b.add(e); err != nil {
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
			want.Rank = ""
			if got, ok := x.lookup(number); !ok || !reflect.DeepEqual(got, want) {
				t.Fatalf("lookup %s: %+v, want %+v", number, got, want)
			}
		}
		if _, ok := x.lookup("none"); ok {
			t.Fatal("found what is not there")
		}
		part := rapid.SampledFrom([]string{"", "cafe", "E", "room", "brien", "a b", "main", "ñ", "zz", "x cafe"})
		q := contracts.Query{DBAName: part.Draw(t, "dba"), OwnerName: part.Draw(t, "owner"), Address: part.Draw(t, "address")}
		want := 0
		for _, e := range best {
			r := e.Record
			if fold.Contains(r.DBAName, q.DBAName) && fold.Contains(r.OwnerName, q.OwnerName) && fold.Contains(r.Address.Street+" "+r.Address.City, q.Address) {
				want++
			}
		}
		total, got := x.search(q, 10)
		if total != want || len(got) != min(want, 10) {
			t.Fatalf("%+v: %d of %d, want %d", q, len(got), total, want)
		}
		for i := 1; i < len(got); i++ {
			if strings.Compare(got[i-1].Record.LicenseNumber, got[i].Record.LicenseNumber) >= 0 {
				t.Fatal("not in order")
			}
		}
	})
}
