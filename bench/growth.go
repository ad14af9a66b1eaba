package main

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/assay/system"
)

// measureGrowth shows what size costs: of keys, of tenants at their limit, and of usage events. Each is measured with a tenth
// too, so that a cost which grows faster than what causes it shows.
func measureGrowth(ctx context.Context, o options) (all []figure, err error) {
	s, err := startSubject(ctx, o.binary, "ASSAY_LOG_LEVEL=error")
	if err != nil {
		return nil, err
	}
	defer func() { _ = s.stop() }()
	js, leave, err := s.jetStream()
	if err != nil {
		return nil, err
	}
	defer leave()
	for _, measure := range []func(context.Context, options, *subject, jetstream.JetStream) ([]figure, error){
		measureKeys, measureTenants, measureEvents,
	} {
		figures, err := measure(ctx, o, s, js)
		if err != nil {
			return all, err
		}
		all = append(all, figures...)
	}
	return all, nil
}

// jetStream connects to the servers of the subject.
func (s *subject) jetStream() (js jetstream.JetStream, leave func(), err error) {
	at, err := system.NATSURL(s.data)
	if err != nil {
		return nil, nil, err
	}
	conn, err := nats.Connect(at)
	if err != nil {
		return nil, nil, err
	}
	js, err = jetstream.New(conn, jetstream.WithPublishAsyncMaxPending(4096))
	return js, conn.Close, err
}

// publishPatience is how long a publication waits for those before it.
const publishPatience = time.Minute

func awaitPublished(ctx context.Context, js jetstream.JetStream) error {
	select {
	case <-js.PublishAsyncComplete():
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// liveMB is the heap that is in use, in MB of 10⁶ bytes.
func liveMB() float64 {
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	return float64(memory.HeapAlloc) / 1e6
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// grown says what something costs beside a tenth of it, such as "2.00 s; 0.19 s of a tenth, ×10.5".
func grown(tenth, all float64, unit string) string {
	return fmt.Sprintf("a tenth: %.2f %s, × %.1f", tenth, unit, all/tenth)
}
