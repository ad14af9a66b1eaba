package mirror

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/kv"
	"assay.dev/platform/scrape"
)

func TestWhatIsPackedComesBackAsItWas(t *testing.T) {
	for name, body := range map[string]string{
		"nothing": "", "a csv": "number,name\n1,a\n", "a zip": "PK\x03\x04…", "a gzip": string(pack([]byte("number,name\n"))),
	} {
		if got, err := unpack(pack([]byte(body))); err != nil || string(got) != body {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if _, err := unpack([]byte("\x1f\x8bno gzip")); err == nil {
		t.Error("damage was not seen")
	}
}

// TestCallersThatLeaveKeepNothing ends a caller at every moment of a reading. TestMain fails when a goroutine stays.
func TestCallersThatLeaveKeepNothing(t *testing.T) {
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	files, err := openFiles(t.Context(), js)
	if err != nil {
		t.Fatal(err)
	}
	body := []byte("number,name\n1,a\n")
	sum := sha256.Sum256(body)
	m := &Mirror{store: &Store{Deps: Deps{Environment: contracts.Test, JetStream: js}, files: files}}
	e := edition{Object: "one", SHA256: hex.EncodeToString(sum[:])}
	if err := m.storeBody(t.Context(), e.Object, body); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if _, err := m.body(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	whole := time.Since(began)
	for i := range 250 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*whole/125) // up to twice as long
		got, err := m.body(ctx, e)
		cancel()
		if err == nil && string(got) != string(body) {
			t.Fatalf("%q", got)
		}
	}
}

// A version before this one kept times to come. What follows is newer.
func TestATimeToComeIsNewerThanNothing(t *testing.T) {
	readAt := time.Now()
	toCome := readAt.Add(48 * time.Hour)
	last := edition{Provenance: contracts.Provenance{ReadAt: readAt, PublishedAt: &toCome}}
	if got := last.publishedAt(); !got.Equal(readAt) {
		t.Errorf("the last edition is of %s", got)
	}
	done := editionSet{Files: []editionFile{{ReadAt: readAt, PublishedAt: toCome}}}
	if next := (editionSet{Files: []editionFile{{PublishedAt: readAt.Add(time.Hour)}}}); next.older(done) || !done.older(editionSet{Files: []editionFile{{ReadAt: toCome.Add(time.Hour), PublishedAt: toCome.Add(time.Hour)}}}) {
		t.Error("what follows is older than what was compared")
	}
}

// A worker that lost the lease of a renewal does not take back what another one recorded.
func TestAnEditionTakesThePlaceOfTheOneThatWasRead(t *testing.T) {
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	store, err := Open(t.Context(), Deps{Environment: contracts.Test, JetStream: js})
	if err != nil {
		t.Fatal(err)
	}
	m, f := store.Mirror(Spec{Fetch: (&scrape.Fetcher{}).Fetch}), File{Name: "one"}
	if err := m.recordEdition(t.Context(), f, edition{SHA256: "first"}); err != nil {
		t.Fatal(err)
	}
	read, err := m.last(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.recordEdition(t.Context(), f, edition{SHA256: "second", revision: read.revision}); err != nil {
		t.Fatal(err)
	}
	for _, late := range []edition{read, {SHA256: "none was there"}} {
		if err := m.recordEdition(t.Context(), f, late); !kv.Conflict(err) {
			t.Errorf("%s: %v", late.SHA256, err)
		}
	}
	if last, err := m.last(t.Context(), f); err != nil || last.SHA256 != "second" {
		t.Errorf("%s, %v", last.SHA256, err)
	}
}

// A copy is as old as its oldest file: that one's own date, or since when it is the same.
func TestTheOldestFileTellsTheAgeOfACopy(t *testing.T) {
	day := func(d int) time.Time { return time.Date(2026, time.November, d, 0, 0, 0, 0, time.UTC) }
	for name, tt := range map[string]struct {
		published [2]int // 0 for none
		since     [2]int
		want      int
	}{
		"one without a date is frozen":       {since: [2]int{1, 28}, want: 1},
		"beside one with a date":             {[2]int{0, 27}, [2]int{1, 28}, 1},
		"dates count, be the files the same": {[2]int{26, 27}, [2]int{1, 2}, 26},
	} {
		c := &Copy{}
		for i, n := range tt.published {
			f := CopiedFile{Since: day(tt.since[i])}
			if n > 0 {
				f.PublishedAt = day(n)
			}
			c.Files = append(c.Files, f)
		}
		if got := c.DataDate(); !got.Equal(day(tt.want)) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// Rows that move from one file of a copy to another are not gone.
func TestRowsThatAreGone(t *testing.T) {
	for name, tt := range map[string]struct {
		rows  [][2]int // of two files, one edition after the other
		days  int      // for which the second file stays as it is
		short bool
	}{
		"one file is cut":               {[][2]int{{60_000, 20_000}, {52_000, 20_000}}, 0, true},
		"and stays so":                  {[][2]int{{60_000, 20_000}, {52_000, 20_000}, {51_900, 20_000}}, 0, false},
		"and is whole again":            {[][2]int{{60_000, 20_000}, {52_000, 20_000}, {60_000, 20_000}}, 0, false},
		"they moved":                    {[][2]int{{60_000, 20_000}, {58_000, 22_000}}, 0, false},
		"they moved, some are gone":     {[][2]int{{60_000, 20_000}, {57_000, 22_000}}, 0, true},
		"they had moved there before":   {[][2]int{{60_000, 20_000}, {60_000, 22_000}, {58_000, 22_000}}, 0, true},
		"one is cut, the other grew":    {[][2]int{{60_000, 20_000}, {58_000, 22_000}}, 3, true},
		"both grow":                     {[][2]int{{60_000, 20_000}, {62_000, 22_000}}, 0, false},
		"one is cut after it had grown": {[][2]int{{60_000, 20_000}, {62_000, 20_000}, {60_000, 20_000}}, 0, true},
	} {
		c := &Copy{}
		for i := range 2 {
			e := edition{}
			for _, rows := range tt.rows {
				last := e
				e.count(rows[i], last, false)
			}
			e.Since = time.Unix(1_700_000_000, 0).AddDate(0, 0, -i*tt.days)
			c.Files = append(c.Files, copied(File{}, e))
		}
		m := &Mirror{Spec: Spec{Name: "XX"}, store: &Store{}}
		if got := m.isShort(c); got != tt.short {
			t.Errorf("%s: %t", name, got)
		}
		if m.store.Resized = []string{"XX"}; m.isShort(c) {
			t.Errorf("%s, as an operator says", name)
		}
	}
}
