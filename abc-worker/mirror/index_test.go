package mirror

import (
	"fmt"
	"reflect"
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
			Word: "ACTIVE", Rank: rapid.StringMatching(`[0-3]`).Draw(t, "rank"), Unclear: rapid.Bool().Draw(t, "unclear"),
		}
	}), 0, 80).Draw(t, "entries")
}

func TestIndexAnswersAsALoopWould(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, best := newBuilder(2), map[string]Entry{}
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
			want.Rank, want.File = "", 2
			if got := x.lookup(number); len(got) != 1 || !reflect.DeepEqual(got[0], want) {
				t.Fatalf("lookup %s: %+v, want %+v", number, got, want)
			}
		}
		if len(x.lookup("none")) > 0 {
			t.Fatal("found what is not there")
		}
		part := rapid.SampledFrom([]string{"", "cafe", "E", "room", "brien", "a b", "main", "ñ", "zz", "x cafe"})
		q := contracts.Query{DBAName: part.Draw(t, "dba"), OwnerName: part.Draw(t, "owner"), Address: part.Draw(t, "address")}
		want := 0
		has := func(text, parts string) bool { return fold.HasParts(fold.String(text), fold.Parts(parts)) }
		for _, e := range best {
			r := e.Record
			if has(r.DBAName, q.DBAName) && has(r.OwnerName, q.OwnerName) && has(r.Address.Street+" "+r.Address.City, q.Address) {
				want++
			}
		}
		if q == (contracts.Query{}) {
			want = 0 // nobody may ask for everything
		}
		got := x.search(q)
		if len(got) != want {
			t.Fatalf("%+v: %d, want %d", q, len(got), want)
		}
		for i := 1; i < len(got); i++ {
			if got[i-1].Record.Position().Compare(got[i].Record.Position()) >= 0 {
				t.Fatal("not in order")
			}
		}
	})
}
