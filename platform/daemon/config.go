package daemon

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/nats-io/nkeys"
)

// Config holds the settings that every service has. A service embeds it in its own Config.
type Config struct {
	NATSURL    string `env:"ASSAY_NATS_URL" envDefault:"nats://127.0.0.1:4222" help:"NATS servers, separated by commas"`
	NATSNKey   Secret `env:"ASSAY_NATS_NKEY" help:"nkey seed of this service's NATS user; empty connects without one"`
	NATSCAFile string `env:"ASSAY_NATS_CA_FILE" help:"PEM file of the authorities that may sign the NATS servers' certificates; empty takes the system's"`

	// NATSPatience is [bus.Deps.Patience].
	NATSPatience time.Duration `env:"ASSAY_NATS_PATIENCE" envDefault:"1s" help:"about how long a request waits for a NATS server that is lost or hangs, before it is a 503"`

	AdminListen string `env:"ASSAY_ADMIN_LISTEN" envDefault:"127.0.0.1:9090" help:"address of /livez, /readyz and /metrics; off for none"`
	Profiling   bool   `env:"ASSAY_PROFILING" envDefault:"false" help:"serve /debug/pprof/ on the admin address"`

	LogLevel  slog.Level `env:"ASSAY_LOG_LEVEL" envDefault:"info" help:"least level logged: debug, info, warn or error"`
	LogFormat LogFormat  `env:"ASSAY_LOG_FORMAT" envDefault:"auto" help:"json, text, or auto: text on a terminal and json elsewhere"`

	TraceFile    string  `env:"ASSAY_TRACE_FILE" help:"file that spans are appended to, one JSON document a line"`
	OTLPEndpoint string  `env:"OTEL_EXPORTER_OTLP_ENDPOINT" help:"OTLP/HTTP collector that spans are sent to, such as http://127.0.0.1:4318"`
	Sampler      Sampler `env:"OTEL_TRACES_SAMPLER" envDefault:"parentbased_always_on" help:"which traces are kept: always_on, always_off or traceidratio, each also with the prefix parentbased_"`
	SamplerArg   float64 `env:"OTEL_TRACES_SAMPLER_ARG" envDefault:"1" help:"share of traces that traceidratio keeps, 0 to 1"`

	StopTimeout time.Duration `env:"ASSAY_STOP_TIMEOUT" envDefault:"25s" help:"how long a stop may take before what is left is abandoned"`

	// Host is the one that several services of a process share. When it is nil, [Run] makes one.
	Host *Host `env:"-"`
}

// Validate checks the settings without connecting to anything.
func (c Config) Validate() error {
	errs := []error{CheckURL("OTEL_EXPORTER_OTLP_ENDPOINT", c.OTLPEndpoint), CheckFile("ASSAY_TRACE_FILE", c.TraceFile)}
	if c.NATSNKey != "" {
		if _, err := nkeys.FromSeed([]byte(c.NATSNKey.Reveal())); err != nil {
			errs = append(errs, errors.New("ASSAY_NATS_NKEY: not an nkey seed"))
		}
	}
	if c.SamplerArg < 0 || c.SamplerArg > 1 {
		errs = append(errs, fmt.Errorf("OTEL_TRACES_SAMPLER_ARG=%g: want 0 to 1", c.SamplerArg))
	}
	if c.NATSPatience <= 0 {
		errs = append(errs, fmt.Errorf("ASSAY_NATS_PATIENCE=%s: want more than 0", c.NATSPatience))
	}
	if c.StopTimeout <= 0 {
		errs = append(errs, fmt.Errorf("ASSAY_STOP_TIMEOUT=%s: want more than 0", c.StopTimeout))
	}
	if c.AdminListen != "" && c.AdminListen != adminOff {
		errs = append(errs, CheckAddress("ASSAY_ADMIN_LISTEN", c.AdminListen))
	}
	return errors.Join(errs...)
}

// stopTimeout is StopTimeout, or its default in a Config that was not loaded from the environment.
func (c Config) stopTimeout() time.Duration {
	if c.StopTimeout <= 0 {
		return 25 * time.Second
	}
	return c.StopTimeout
}

// adminOff is the value of ASSAY_ADMIN_LISTEN that opens no admin port.
const adminOff = "off"
