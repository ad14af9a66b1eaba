package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	abcworker "assay.dev/abc-worker"
	"assay.dev/assay/system"
	"assay.dev/contracts"
	"assay.dev/platform/clock"
	"assay.dev/platform/daemon"
	"assay.dev/sandbox/license"
)

const (
	// slots is the capacity of each worker.
	slots = 16
	// callers is how many ask at the same time: more than two workers can serve.
	callers = 4 * slots
	// slowHost serves New York's data sets. Its answers are made slowBy seconds late.
	slowHost = "data.ny.gov"
	slowBy   = 1
	// settling is not counted: reads are distributed anew when a worker comes or goes. counting is.
	settling    = 3 * time.Second
	counting    = 8 * time.Second
	scaleRounds = 3
)

// measureScale compares how many answers a second one worker gives with how many two give. The source takes a second
// for each answer, and the callers ask for more than two workers can read. The first worker is that of `assay up`. The
// second one joins it over NATS.
func measureScale(ctx context.Context, o options) ([]figure, error) {
	s, err := startSubject(ctx, o.binary, "ASSAY_LOG_LEVEL=error", fmt.Sprintf("ASSAY_ABC_CAPACITY=%d", slots),
		fmt.Sprintf("ASSAY_HOST_CONCURRENCY=%d", callers))
	if err != nil {
		return nil, err
	}
	defer func() { _ = s.stop() }()
	if err := s.fault(ctx, fmt.Sprintf(`{"host":%q,"fault":"slow","seconds":%d}`, slowHost, slowBy)); err != nil {
		return nil, err
	}
	crowd, err := gather(ctx, s)
	if err != nil {
		return nil, err
	}
	defer crowd.leave()
	var one, two, ratios []float64
	for range min(o.rounds, scaleRounds) {
		alone, err := crowd.rate(ctx)
		if err != nil {
			return nil, err
		}
		leave, err := joinWorker(ctx, s)
		if err != nil {
			return nil, err
		}
		both, err := crowd.rate(ctx)
		if err := errors.Join(err, leave(), crowd.failure()); err != nil {
			return nil, err
		}
		one, two, ratios = append(one, alone), append(two, both), append(ratios, both/alone)
	}
	fmt.Printf("scale     one worker %.1f/s, two %.1f/s, ratios %.2f\n", one, two, ratios)
	return []figure{{
		name: "slow source, two workers ÷ one", value: median(ratios), unit: "×", target: 1.9, least: true,
		detail: fmt.Sprintf("%.1f/s ÷ %.1f/s, a source that takes %d s, %d slots a worker, %d callers", median(two),
			median(one), slowBy, slots, callers),
	}}, nil
}

// crowd is callers who each ask for one license after the other. They ask again when all workers are busy.
type crowd struct {
	*subject
	key      string
	answered atomic.Int64
	leave    func()

	mu   sync.Mutex
	next func() (string, bool) // a license that nobody has asked for
	err  error
}

func gather(ctx context.Context, s *subject) (*crowd, error) {
	key, err := s.unlimitedKey(ctx)
	if err != nil {
		return nil, err
	}
	register := license.New(contracts.DateOf(time.Now()), license.Small())
	next, stop := iter.Pull(func(yield func(string) bool) {
		for number := range register.Golden(contracts.NY, license.Primary) {
			if !yield(number) {
				return
			}
		}
	})
	c := &crowd{subject: s, key: key, next: next}
	ctx, cancel := context.WithCancel(ctx)
	var calling sync.WaitGroup
	for range callers {
		calling.Go(func() { c.call(ctx) })
	}
	c.leave = func() { cancel(); calling.Wait(); stop() }
	return c, nil
}

func (c *crowd) call(ctx context.Context) {
	for ctx.Err() == nil {
		c.mu.Lock()
		number, ok := c.next()
		c.mu.Unlock()
		err := errors.New("all licenses of New York have been asked for")
		if ok {
			err = c.insist(ctx, "/v1/abc/license/"+url.PathEscape(number)+"?state=NY")
		}
		if err != nil && ctx.Err() == nil {
			c.mu.Lock()
			c.err = errors.Join(c.err, err)
			c.mu.Unlock()
			return
		}
		c.answered.Add(1)
	}
}

// insist asks until it gets an answer that is not 503.
func (c *crowd) insist(ctx context.Context, path string) error {
	for {
		_, err := c.ask(ctx, c.key, path)
		var refused *refusal
		if !errors.As(err, &refused) || refused.status != http.StatusServiceUnavailable {
			return err
		}
		if err := clock.Sleep(ctx, 50*time.Millisecond); err != nil {
			return err
		}
	}
}

// rate returns how many answers a second the crowd gets from now on. It takes settling and counting.
func (c *crowd) rate(ctx context.Context) (float64, error) {
	if err := clock.Sleep(ctx, settling); err != nil {
		return 0, err
	}
	before, began := c.answered.Load(), time.Now()
	if err := clock.Sleep(ctx, counting); err != nil {
		return 0, err
	}
	return float64(c.answered.Load()-before) / time.Since(began).Seconds(), nil
}

func (c *crowd) failure() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// joinWorker starts another worker for New York in this process. It returns the function that stops the worker.
func joinWorker(ctx context.Context, s *subject) (stop func() error, err error) {
	at, err := system.NATSURL(s.data)
	if err != nil {
		return nil, err
	}
	cfg, err := daemon.Load[abcworker.Config](daemon.Environ{
		"ASSAY_NATS_URL": at, "ASSAY_ADMIN_LISTEN": "off", "ASSAY_LOG_LEVEL": "error",
		"ASSAY_ENVIRONMENT": string(contracts.Test),
		"ASSAY_STATES":      string(contracts.NY), "ASSAY_ABC_CAPACITY": strconv.Itoa(slots), "ASSAY_HOST_RATE": "0",
		"ASSAY_HOST_CONCURRENCY": strconv.Itoa(callers), "HTTPS_PROXY": s.proxy,
		"SSL_CERT_FILE": filepath.Join(s.data, "sandbox", "sandbox-ca.pem"),
	})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- abcworker.Run(ctx, cfg) }()
	return func() error { cancel(); return <-ended }, nil
}
