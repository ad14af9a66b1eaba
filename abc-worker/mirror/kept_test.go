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

// A file that its publisher does not change is kept again once its evidence is lost.
func TestLostEvidenceIsKeptAgain(t *testing.T) {
	d := deploy(t)
	js := bustest.JetStream(t, bustest.Connect(t, d.nats))
	open := func() (stop func()) {
		var err error
		d.keeper, err = evidence.Open(evidence.Deps{JetStream: js, Environment: contracts.Test, Product: contracts.ABC})
		d.must(err)
		m, end := d.worker(100*time.Millisecond, 20*time.Millisecond)
		d.copy(m)
		return func() { end(); d.must(d.keeper.Stop(t.Context())) }
	}
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
	stop := open()
	clocktest.Await(t, "the file is kept", isKept)
	stop()
	stream, err := js.Stream(t.Context(), contracts.FilesStream(contracts.Test).Name)
	if err != nil {
		t.Fatal(err)
	}
	cfg := stream.CachedInfo().Config
	cfg.FirstSeq = 1_000_001
	d.must(js.DeleteStream(t.Context(), cfg.Name))
	_, err = js.CreateStream(t.Context(), cfg)
	d.must(err)
	stop = open()
	clocktest.Await(t, "the file is kept again", isKept)
	_, before := d.publisher.counts()
	asked, _ := d.publisher.counts()
	clocktest.Await(t, "a renewal", func() bool { now, _ := d.publisher.counts(); return now > asked+2 })
	if _, now := d.publisher.counts(); now != before || now != 2 {
		t.Errorf("a file that is kept was downloaded %d times, want 2", now)
	}
	stop()
}
