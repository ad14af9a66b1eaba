package weeks

import (
	"strings"
	"testing"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/archive"
	"assay.dev/platform/kv"
)

// An imported week says that it was imported and from where; it counts as clean.
func TestImportedWeekSaysSo(t *testing.T) {
	b := newBench(t, contracts.TFORCE)
	b.setClock("2026-11-22 12:00")
	bucket, err := kv.Open(t.Context(), b.js, contracts.WeeksBucket)
	b.must(err)
	rows, err := archive.ReadCSV(strings.NewReader("carrier,effective_date,fuel_surcharge_pct\nTFORCE,2024-02-28,33.3\n"), "2026-11-22")
	b.must(err)
	_, err = archive.Import(t.Context(), contracts.Live, b.js, bucket, rows, "page of 2024-02-29, kept by accounting")
	b.must(err)
	b.now.Store(ptr(b.clock().AddDate(0, 1, 0))) // the import is of now, by the real clock
	b.run(func() bool {
		known, err := b.archive.Weeks(t.Context(), contracts.TFORCE)
		return err == nil && len(known) == 1
	})
	a, said := b.ask(on("2024-03-01"))
	if said != "whole 2024-02-28 to  33.3" {
		t.Fatal(said)
	}
	body, err := a.Body()
	b.must(err)
	v := body.Verifiability
	if v.ExtractionConfidence != 1 || v.ExtractionMethod != contracts.APIMirror || v.Current != nil || v.RawDataEvidenceURL != "" || body.Weeks[0].FirstSeen != nil {
		t.Errorf("%+v", v)
	}
	if len(v.Notes) != 1 || v.Notes[0].Code != contracts.NoteFromArchive || !strings.Contains(v.Notes[0].Message, "kept by accounting") {
		t.Errorf("%+v", v.Notes)
	}
}

func ptr[T any](v T) *T { return &v }
