package mirror_test

import (
	"encoding/json"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/evidence"
)

// A file that its publisher does not change is kept once that is possible, and again once its evidence is lost. It is
// not downloaded for that.
func TestLostEvidenceIsKeptAgain(t *testing.T) {
	d := deploy(t)
	js := bustest.JetStream(t, bustest.Connect(t, d.nats))
	isKept := func() bool {
		editions, err := js.KeyValue(t.Context(), contracts.MirrorsBucket.Name)
		d.must(err)
		entry, err := editions.Get(t.Context(), string(contracts.Test)+"."+spec.Files[0].Name)
		var last struct{ Kept contracts.Evidence }
		if err != nil || json.Unmarshal(entry.Value(), &last) != nil {
			return false
		}
		_, err = evidence.NewStore(js).Get(t.Context(), contracts.Test, last.Kept.SHA256, last.Kept.At, func(contracts.Product) error { return nil })
		return err == nil
	}
	stream, err := js.Stream(t.Context(), contracts.FilesStream(contracts.Test).Name)
	if err != nil {
		t.Fatal(err)
	}
	cfg := stream.CachedInfo().Config
	d.must(js.DeleteStream(t.Context(), cfg.Name))
	d.keeper, err = evidence.Open(evidence.Deps{JetStream: js, Environment: contracts.Test, Product: contracts.ABC})
	d.must(err)
	m, stop := d.worker(100*time.Millisecond, 20*time.Millisecond)
	d.copy(m)
	_, err = js.CreateStream(t.Context(), cfg)
	d.must(err)
	clocktest.Await(t, "the file is kept", isKept)
	cfg.FirstSeq = 1_000_001
	d.must(js.DeleteStream(t.Context(), cfg.Name))
	_, err = js.CreateStream(t.Context(), cfg)
	d.must(err)
	clocktest.Await(t, "the file is kept again", isKept)
	asked, _ := d.publisher.counts()
	clocktest.Await(t, "a renewal", func() bool { now, _ := d.publisher.counts(); return now > asked+2 })
	if _, downloaded := d.publisher.counts(); downloaded != 1 {
		t.Errorf("a file that did not change was downloaded %d times, want once", downloaded)
	}
	if kept, err := js.Stream(t.Context(), cfg.Name); err != nil || kept.CachedInfo().State.Msgs != 1 {
		t.Errorf("a file that is kept was kept again: %v, %v", kept, err)
	}
	stop()
	d.must(d.keeper.Stop(t.Context()))
}
