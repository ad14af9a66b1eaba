package answers

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/bustest"
)

// A copy that is good is served rather than the reply of a worker of another version; the reply alone is served for a minute.
func TestRepliesOfAnotherVersionReplaceNoCopy(t *testing.T) {
	conn := bustest.Connect(t, bustest.Server(t))
	f := open(t, bustest.JetStream(t, conn), bus.Deps{Conn: conn})
	asked := atomic.Int64{}
	worker, err := bus.Serve(bus.Deps{Conn: conn}, bus.Service{Name: "ltl", Version: "1.0.0", Capacity: 2, MaxTime: time.Minute, Endpoints: []bus.Endpoint{
		bus.Handle("surcharge", question(contracts.ODFL).Subject, func(context.Context, contracts.SurchargeRequest) (contracts.SurchargeAnswer, error) {
			asked.Add(1)
			a := surcharge(43, time.Hour)
			a.Schema = 0
			return a, nil
		}),
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = worker.Stop(context.Background()) }()
	f.get("no copy", 43, Worker)
	if left := time.Until(f.copied().ExpiresAt); asked.Load() != maxAsks || left > otherVersionKept {
		t.Errorf("%d asked, kept for %s", asked.Load(), left)
	}
	f.put(41, time.Hour)
	f.due()
	f.await(41)
	if err := f.entries.Delete(t.Context(), string(question(contracts.ODFL).Key)); err != nil {
		t.Fatal(err)
	}
	f.due()
	f.get("a good copy", 41, Local)
}
