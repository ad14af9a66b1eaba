// Package scrape reads foreign sites: politely, within bounds, and with a plan for the day they fail.
//
// A [Fetcher] gets pages; a [Session] is the same with cookies for one conversation. A [Source] has several [Path]s
// to the same facts and takes the first that works. A [Transcript] records what a read did. The browser package
// renders pages through a Fetcher, so that one set of rules holds for everything that leaves the process.
package scrape

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Egress is the way out of the process, by the environment variables that Go programs commonly take it from.
type Egress struct {
	HTTPSProxy string `env:"HTTPS_PROXY,expand" envDefault:"${https_proxy}" help:"proxy for https URLs, http://host:port"`
	HTTPProxy  string `env:"HTTP_PROXY,expand" envDefault:"${http_proxy}" help:"proxy for http URLs, http://host:port"`
	NoProxy    string `env:"NO_PROXY,expand" envDefault:"${no_proxy}" help:"hosts that are reached without a proxy, comma-separated"`
	CAFile     string `env:"SSL_CERT_FILE" help:"PEM file of the only certificate authorities to trust; empty: the system's"`
}

// Config is how a process reaches foreign sites.
type Config struct {
	Egress

	HostRate        float64       `env:"ASSAY_HOST_RATE" envDefault:"1" help:"requests per second to one host; 0: no limit"`
	HostConcurrency int           `env:"ASSAY_HOST_CONCURRENCY" envDefault:"2" help:"requests to one host at the same time"`
	MaxBody         int64         `env:"ASSAY_MAX_BODY" envDefault:"8388608" help:"largest page read, in bytes after decompression"`
	FetchTimeout    time.Duration `env:"ASSAY_FETCH_TIMEOUT" envDefault:"20s" help:"longest time for one request, waiting for its turn not included"`
	StallTimeout    time.Duration `env:"ASSAY_STALL_TIMEOUT" envDefault:"5s" help:"longest silence in the middle of a page"`
	UserAgent       string        `env:"ASSAY_USER_AGENT" envDefault:"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36" help:"User-Agent header of every request"`
}

// Validate checks the settings of a process. A literal Config may leave them out.
func (c Config) Validate() error {
	var errs []error
	refuse := func(isWrong bool, setting string, value any, want string) {
		if isWrong {
			errs = append(errs, fmt.Errorf("%s=%v: want %s", setting, value, want))
		}
	}
	refuse(c.HostRate < 0 || math.IsNaN(c.HostRate), "ASSAY_HOST_RATE", c.HostRate, "0 for no limit, or more")
	refuse(c.HostConcurrency < 1, "ASSAY_HOST_CONCURRENCY", c.HostConcurrency, "at least 1")
	refuse(c.MaxBody < 1, "ASSAY_MAX_BODY", c.MaxBody, "at least 1")
	refuse(c.FetchTimeout <= 0, "ASSAY_FETCH_TIMEOUT", c.FetchTimeout, "more than 0, such as 20s")
	refuse(c.StallTimeout <= 0, "ASSAY_STALL_TIMEOUT", c.StallTimeout, "more than 0, such as 5s")
	return errors.Join(errs...)
}

// Deps is what the process gives. Log and Metrics may be nil.
type Deps struct {
	Log     *slog.Logger
	Metrics prometheus.Registerer
	// Prepare is told of each page that a [Source] reads, as soon as it is read. What it returns stands in the page's
	// [Document]. It must return at once. It may be nil.
	Prepare func(*Page) any
}

func (d Deps) logger() *slog.Logger {
	if d.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return d.Log
}

// orDefaults fills what a literal Config left out. HostRate stays: 0 means no limit.
func (c Config) orDefaults() Config {
	if c.HostConcurrency <= 0 {
		c.HostConcurrency = 2
	}
	if c.MaxBody <= 0 {
		c.MaxBody = 8 << 20
	}
	if c.FetchTimeout <= 0 {
		c.FetchTimeout = 20 * time.Second
	}
	if c.StallTimeout <= 0 {
		c.StallTimeout = 5 * time.Second
	}
	return c
}
