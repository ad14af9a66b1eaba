package system

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"assay.dev/contracts"
)

// service is a service that runs in this process.
type service struct {
	name   string
	env    contracts.Environment // empty for a service of both environments
	run    func(context.Context) error
	cancel context.CancelFunc
	done   chan struct{}
	err    error // why the service ended; read it when done is closed
}

func (s *service) String() string {
	if s.env == "" {
		return s.name
	}
	return s.name + " " + string(s.env)
}

// A service is ready after a tenth of a second. After slowStart a log line says which service is not ready yet. After
// startTime the start fails.
const (
	slowStart = 9 * time.Second
	startTime = time.Minute
)

// start begins to run the service, until stop is called. It is sent to ended when it ends, for whatever reason.
func (s *service) start(ctx context.Context, ended chan<- *service) {
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	s.cancel, s.done = cancel, make(chan struct{})
	go func() {
		defer close(s.done)
		if s.err = s.run(work); s.err == nil && work.Err() == nil {
			s.err = fmt.Errorf("%s ended by itself", s)
		}
		ended <- s
	}()
}

// await returns when the service is ready.
func (s *service) await(ctx context.Context, log *slog.Logger, ready func() error) error {
	slow, late := time.NewTimer(slowStart), time.NewTimer(startTime)
	defer slow.Stop()
	defer late.Stop()
	for ready() != nil {
		select {
		case <-late.C:
			if err := ready(); err != nil {
				return fmt.Errorf("%s is not ready after %s: %w", s, startTime, err)
			}
		case <-slow.C:
			log.Warn("still waiting for a service", "waiting_for", s.String(), "reason", ready())
		case <-s.done:
			return s.failure()
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(2 * time.Millisecond):
		}
	}
	return nil
}

// failure returns why the service ended, and nil when it is called again, so that a failure is reported once. Call
// it when done is closed.
func (s *service) failure() error {
	err := s.err
	s.err = nil
	return err
}

// stopTogether stops all of the services at the same time, each within its own bound. It says to out which of them
// takes longer than a moment.
func stopTogether(services []*service, out io.Writer) error {
	for _, svc := range services {
		svc.cancel()
	}
	const moment = 500 * time.Millisecond
	var errs []error
	for _, svc := range services {
		select {
		case <-svc.done:
		case <-time.After(moment):
			fmt.Fprintf(out, "  waiting for what %s still does\n", svc)
			<-svc.done
		}
		errs = append(errs, svc.failure())
	}
	return errors.Join(errs...)
}
