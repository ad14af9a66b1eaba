package daemon

import (
	"context"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/platform/access"
	"assay.dev/platform/bus"
	"assay.dev/platform/clock"
	"assay.dev/platform/telemetry"
)

// connect waits for NATS, and for the streams and buckets that `assay provision` makes. When ctx ends first, it returns
// false and no error.
func (d *Daemon) connect(ctx context.Context, cfg Config) (connected bool, err error) {
	d.patience = cfg.NATSPatience
	d.NATS, err = bus.Connect(ctx, bus.ConnectOptions{
		URL: cfg.NATSURL, Name: d.user, NKeySeed: cfg.NATSNKey.Reveal(), CAFile: cfg.NATSCAFile,
		InProcess: d.host.inProcess, Log: d.Log,
	})
	switch {
	case err != nil && ctx.Err() != nil:
		return false, nil
	case err != nil:
		return false, err
	}
	d.OnStop("NATS", func(ctx context.Context) error { return bus.Close(ctx, d.NATS) })
	m := telemetry.NewMetrics(d.Metrics)
	m.GaugeFunc("nats_certificate_end_timestamp_seconds",
		"When the certificate of the NATS server ends that this process is connected to, Unix time; 0 while there is none.",
		d.certificateEnd)
	if err := m.Err(); err != nil {
		return false, err
	}
	if d.JetStream, err = jetstream.New(d.NATS); err != nil {
		return false, err
	}
	if cfg.NATSNKey != "" { // a service with permissions of its own may not make streams
		return d.provisioned(ctx), nil
	}
	return true, nil
}

func (d *Daemon) certificateEnd() float64 {
	state, err := d.NATS.TLSConnectionState()
	if err != nil || len(state.PeerCertificates) == 0 {
		return 0
	}
	return float64(state.PeerCertificates[0].NotAfter.Unix())
}

// provisioned waits until all streams that the service uses exist. It returns false when ctx ends first.
func (d *Daemon) provisioned(ctx context.Context) bool {
	var told telemetry.Seldom
	for _, stream := range access.Streams(d.user) {
		for {
			_, err := d.JetStream.Stream(ctx, stream)
			if err == nil {
				break
			}
			if told.Due(stream) {
				d.Log.WarnContext(ctx, "waiting for `assay provision`", "stream", stream, "error", err)
			}
			if clock.Sleep(ctx, time.Second) != nil {
				return false
			}
		}
	}
	return true
}

// Bus returns the log, metrics, tracer and connection for package bus.
func (d *Daemon) Bus() bus.Deps {
	return bus.Deps{Conn: d.NATS, Log: d.Log, Metrics: d.Metrics, Tracer: d.Tracer, Patience: d.patience}
}
