package weeks

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/archive"
	"assay.dev/ltl-worker/trust"
	"assay.dev/platform/cache"
	"assay.dev/platform/clock/clocktest"
)

// stored is the answer that is stored, by its notes and its confidence.
func (b *bench) stored() (a contracts.SurchargeAnswer, revision uint64) {
	b.Helper()
	e, err := b.store.Get(b.Context(), contracts.SurchargeKey(contracts.Live, b.source.recipe.Code))
	b.must(err)
	b.must(json.Unmarshal(e.Value, &a))
	return a, e.Revision
}

// read reads the carrier now, and tells the note and the confidence of the answer for 4 weeks.
func (b *bench) read() (a contracts.SurchargeAnswer, note contracts.NoteCode, confidence float64) {
	b.Helper()
	a, err := b.source.Read(b.Context())
	b.must(err)
	for _, n := range a.Notes {
		if n.Code.IsDoubt() {
			note = n.Code
		}
	}
	return a, note, a.Body(4).Verifiability.ExtractionConfidence
}

// known is the week of a date as the archive knows it at a moment.
func (b *bench) known(date contracts.Date, at time.Time) archive.Known {
	b.Helper()
	all, err := b.archive.Weeks(b.Context(), b.source.recipe.Code)
	b.must(err)
	i := slices.IndexFunc(all, func(w archive.Week) bool { return w.Date == date })
	if i < 0 {
		b.Fatalf("%s is not archived", date)
	}
	known, _ := all[i].At(at)
	return known
}

// nextWeek is a page of saiaPage a week later, with a sentence over its table.
func nextWeek(page, sentence string) string {
	return strings.NewReplacer("<table>", sentence+"<table>",
		"TL %</th></tr>", "TL %</th></tr><tr><td>11/25/2026</td><td>5.110</td><td>50.40%</td><td>99.50%</td></tr>").Replace(page)
}

// A page that nobody has looked at is answered below the gate, and so is one whose words change, until a person accepts them. Only then are its
// weeks clean, from the day on which they were read.
func TestDoubtAndAcceptance(t *testing.T) {
	b := newBench(t, contracts.SAIA)
	b.must(b.books.Forget(t.Context(), contracts.SAIA, func(trust.Edition) bool { return true }))
	clocktest.Await(t, "it is forgotten", func() bool { return len(b.source.Words.Of(contracts.SAIA).Editions) == 0 })
	b.setClock("2026-11-20 12:00")
	b.shows(saiaPage("2026-11-18", "50.12%"))
	a, note, confidence := b.read()
	if note != contracts.NoteWordingUnknown || confidence >= contracts.MinConfidence || a.Weeks[0].Percent != 50.12 {
		t.Errorf("first contact: %s, %v, %v", note, confidence, a.Weeks[0])
	}
	if left := a.ExpiresAt.Sub(b.clock()); left != firstDoubt {
		t.Errorf("tried again after %s", left)
	}
	if d := b.source.Words.Doubts(contracts.SAIA); d.Since == nil || d.Paths["page"].Document == nil || b.source.Health().DoubtSince == nil {
		t.Errorf("%+v", d)
	}
	b.accepts(false)
	if _, note, confidence := b.read(); note != "" || confidence != 1 {
		t.Errorf("accepted: %s, %v", note, confidence)
	}
	if d := b.source.Words.Doubts(contracts.SAIA); d.Since != nil || len(d.Paths) > 0 || b.source.Health().DoubtSince != nil {
		t.Errorf("%+v", d)
	}

	b.setClock("2026-11-25 12:00")
	b.shows(nextWeek(saiaPage("2026-11-18", "50.12%"), "<p>Percentages for shipments to Canada.</p>"))
	if _, note, confidence := b.read(); note != contracts.NoteWordingChanged || confidence >= contracts.MinConfidence {
		t.Errorf("other words: %s, %v", note, confidence)
	}
	first := b.clock()
	if known := b.known("2026-11-25", first); known.IsClean() {
		t.Errorf("a week in doubt is clean: %+v", known)
	}
	if known := b.known("2026-11-18", first); !known.IsClean() || known.Percent != 50.12 {
		t.Errorf("a doubtful reading revised a clean week: %+v", known)
	}
	b.setClock("2026-11-25 14:00")
	b.accepts(false)
	clocktest.Await(t, "the week of the doubt is clean", func() bool {
		b.source.JudgeAgain(t.Context()) // the archive may hear of the week a moment later
		known := b.known("2026-11-25", b.clock())
		return known.IsClean()
	})
	if known := b.known("2026-11-25", first.Add(time.Second)); !known.IsClean() {
		t.Errorf("not from the reading on: %+v", known)
	}

	b.setClock("2026-11-30 12:00")
	b.shows(saiaPage("2026-11-29", "50.12%")) // a Sunday
	if a, note, confidence := b.read(); note != contracts.NotePercentInDoubt || confidence >= contracts.MinConfidence ||
		!strings.Contains(noteText(a, note), "The dates may be others") {
		t.Errorf("weeks from Sundays: %s, %v, %s", note, confidence, noteText(a, note))
	}
}

// A panic in the look at what is known, which is made beside the fetch, costs the reading and not the process.
func TestAPanicBesideTheFetch(t *testing.T) {
	b := newBench(t, contracts.SAIA)
	b.shows(saiaPage("2026-11-18", "50.12%"))
	b.source.Judge.Archive = nil
	if a, err := b.source.Read(t.Context()); contracts.CodeOf(err) != contracts.SourceUnavailable {
		t.Errorf("%+v, %v", a, err)
	}
}

// While the archive cannot be read an answer says that it is incomplete and lives for a minute, and a reading in doubt changes no clean week.
func TestWithoutTheArchive(t *testing.T) {
	b := newBench(t, contracts.SAIA)
	b.setClock("2026-11-20 12:00")
	page := saiaPage("2026-11-18", "50.12%")
	b.shows(page)
	b.accepts(false)
	b.knows("2026-11-18T15:00:00Z", true, weekOf("2026-11-18", 50.12))
	weeks, err := b.js.KeyValue(t.Context(), contracts.WeeksBucket.Name)
	b.must(err)
	entry, err := weeks.Get(t.Context(), "live.v2.SAIA.2026-11-18.1")
	b.must(err)
	isRead := func() bool { _, err := b.archive.Weeks(t.Context(), contracts.SAIA); return err == nil }
	_, err = weeks.Put(t.Context(), entry.Key(), []byte("damaged"))
	b.must(err)
	clocktest.Await(t, "the archive cannot be read", func() bool { return !isRead() })
	b.shows(strings.NewReplacer("50.12%", "50.40%", "<table>", "<p>Draft</p><table>").Replace(page))
	if a, note, _ := b.read(); note != contracts.NoteWordingChanged || a.Complete || a.ExpiresAt.Sub(b.clock()) > contracts.WithoutArchiveTTL {
		t.Errorf("%s, complete %t, until %s", note, a.Complete, a.ExpiresAt)
	}
	_, err = weeks.Put(t.Context(), entry.Key(), entry.Value())
	b.must(err)
	clocktest.Await(t, "the archive can be read", isRead)
	if known := b.known("2026-11-18", b.clock()); !known.IsClean() || known.Percent != 50.12 {
		t.Errorf("%+v", known)
	}
}

// A percent that is in doubt stays so when the rows of the next weeks stand over it, and when its own week is over.
func TestADoubtfulWeekStaysInDoubt(t *testing.T) {
	b := newBench(t, contracts.SAIA)
	b.setClock("2026-11-20 12:00")
	page := saiaPage("2026-11-18", "50.12%")
	b.shows(page)
	b.accepts(false)
	if _, note, _ := b.read(); note != "" {
		t.Fatal(note)
	}
	for _, week := range []struct{ at, row string }{
		{"2026-11-25 12:00", "<td>11/25/2026</td><td>5.120</td><td>93.80%</td><td>99.00%</td>"},
		{"2026-12-01 12:00", "<td>12/2/2026</td><td>5.130</td><td>51.10%</td><td>99.00%</td>"},
		{"2026-12-02 12:00", ""},
		{"2026-12-09 12:00", "<td>12/9/2026</td><td>5.140</td><td>51.20%</td><td>99.00%</td>"},
	} {
		b.setClock(week.at)
		page = strings.Replace(page, "TL %</th></tr>", "TL %</th></tr><tr>"+week.row+"</tr>", 1)
		b.shows(page)
		if _, note, confidence := b.read(); note != contracts.NotePercentInDoubt || confidence >= contracts.MinConfidence {
			t.Errorf("%s: %q, %v", week.at, note, confidence)
		}
		clocktest.Await(t, "the week is archived", func() bool {
			all, err := b.archive.Weeks(t.Context(), contracts.SAIA)
			return err == nil && slices.ContainsFunc(all, func(w archive.Week) bool { return w.Date == "2026-11-25" })
		})
		if known := b.known("2026-11-25", b.clock()); known.IsClean() {
			t.Errorf("%s: %.2f %% is clean", week.at, known.Percent)
		}
	}
}

// A clean answer stays until its own end, whatever is read in between. Once an operator accepted what is in doubt, the stored answer is replaced
// within seconds.
func TestADoubtNeverReplacesACleanAnswer(t *testing.T) {
	b := newBench(t, contracts.SAIA)
	at := b.clock()
	newest := b.source.recipe.Publication.Due(at)
	b.shows(saiaPage(newest, "50.12%"))
	b.accepts(false)
	end := b.clock().Add(time.Minute)
	b.keepRead(end.Add(-time.Hour), end, contracts.StructuredParse)
	_, clean := b.stored()
	b.shows(strings.Replace(saiaPage(newest, "50.12%"), "<table>", "<p>Draft</p><table>", 1))
	doubtful := func() bool { return b.source.Words.Doubts(contracts.SAIA).Since != nil }
	b.run(doubtful, b.refresher())
	if a, revision := b.stored(); revision != clean || a.InDoubt() {
		t.Errorf("a doubtful reading replaced a clean answer: %+v", a.Notes)
	}
	later := end.Add(time.Second)
	b.now.Store(&later)
	b.keepRead(end.Add(-time.Hour), end.Add(-2*time.Minute), contracts.StructuredParse)
	b.run(func() bool {
		e, err := b.store.Get(t.Context(), contracts.SurchargeKey(contracts.Live, contracts.SAIA))
		return err == nil && e.InDoubt()
	}, b.refresher())
	b.run(func() bool { return true }, b.refresher())
	reads := b.reads.Load()
	refresher := b.refresher()
	refresher.Every = time.Hour // only the acceptance wakes it
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- refresher.Run(ctx) }()
	b.accepts(false)
	clocktest.Await(t, "the answer is clean", func() bool {
		e, err := b.store.Get(t.Context(), contracts.SurchargeKey(contracts.Live, contracts.SAIA))
		return err == nil && !e.InDoubt()
	})
	stop()
	b.must(<-ended)
	if n := b.reads.Load() - reads; n < 1 {
		t.Errorf("%d reads", n)
	}
}

// A clean answer that stayed while newer figures were in doubt is replaced once an operator accepted those.
func TestAcceptedFiguresReplaceACleanAnswer(t *testing.T) {
	b := newBench(t, contracts.SAIA)
	newest := b.source.recipe.Publication.Due(b.clock())
	page := saiaPage(newest, "50.12%")
	b.shows(page)
	b.accepts(false)
	b.read()
	b.keepRead(b.clock().Add(-time.Minute), b.clock().Add(time.Hour), contracts.StructuredParse)
	b.shows(strings.NewReplacer("50.25%", "51.25%", "50.50%", "51.50%", "50.75%", "51.75%").Replace(page))
	if _, note, _ := b.read(); note != contracts.NoteWeeksContradicted {
		t.Errorf("noted %q", note)
	}
	refresher, looks := b.refresher(), b.looks.Load()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- refresher.Run(ctx) }()
	clocktest.Await(t, "the refresher has looked", func() bool { return b.looks.Load() > looks+2 })
	b.accepts(true)
	clocktest.Await(t, "the accepted figures are answered", func() bool {
		a, _ := b.stored()
		return len(a.Weeks) > 1 && a.Weeks[1].Percent == 51.25 && !a.InDoubt()
	})
	stop()
	b.must(<-ended)
}

func TestADoubtIsTriedAgainLessOften(t *testing.T) {
	for lasts, want := range map[time.Duration]time.Duration{
		0: 15 * time.Minute, 15 * time.Minute: 15 * time.Minute, 40 * time.Minute: 40 * time.Minute, 5 * 24 * time.Hour: 2 * time.Hour,
	} {
		if got := doubtTTL(lasts); got != want {
			t.Errorf("after %s: %s, want %s", lasts, got, want)
		}
	}
}

// What is accepted while another worker reads the carrier is acted on once that reading is stored, whether it knew of it or not.
func TestAnAcceptanceDuringAReading(t *testing.T) {
	for name, knew := range map[string]bool{"read before it": false, "read after it": true} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, contracts.SAIA)
			key, first := contracts.SurchargeKey(contracts.Live, contracts.SAIA), b.clock()
			newest := b.source.recipe.Publication.Due(first)
			page := strings.Replace(saiaPage(newest, "50.12%"), "<table>", "<p>Draft</p><table>", 1)
			b.shows(page)
			_, err := cache.Fill(t.Context(), b.store, key, b.source.Read)
			b.must(err)
			clocktest.Await(t, "the week is archived and the answer stored, both in doubt", func() bool {
				all, err := b.archive.Weeks(t.Context(), contracts.SAIA)
				e, missed := b.store.Get(t.Context(), key)
				return err == nil && missed == nil && len(all) > 0 && e.InDoubt()
			})
			later := first.Add(time.Minute)
			b.now.Store(&later)
			b.shows(page[:strings.LastIndex(page, "<tr>")] + "</table>") // the oldest week has moved out of it
			other, err := cache.Open(t.Context(), b.js, cache.Deps{})
			b.must(err)
			begun, goOn, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
			_, revision := b.stored()
			go func() {
				_, _, err := cache.Refresh(t.Context(), other, cache.Renewal{Key: key, Replaces: revision}, func(ctx context.Context) (a contracts.SurchargeAnswer, err error) {
					if !knew {
						a, err = b.source.Read(ctx)
					}
					close(begun)
					<-goOn
					if knew {
						a, err = b.source.Read(ctx)
					}
					return a, err
				})
				ended <- err
			}()
			<-begun
			b.accepts(false)
			enough := b.looks.Load() + 20 // the refresher has found more than once that another reads
			release := sync.OnceFunc(func() { close(goOn) })
			b.run(func() bool {
				if b.looks.Load() < enough {
					return false
				}
				release()
				a, _ := b.stored()
				return !a.InDoubt() && b.known(newest.AddDays(-7*29), later).IsClean()
			}, b.refresher())
			b.must(<-ended)
			b.must(other.Close(t.Context()))
		})
	}
}
