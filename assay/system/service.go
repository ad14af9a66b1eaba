package system

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"assay.dev/contracts"
)

// service is one of the services as this process runs it.
type service struct {
	name   string
	env    contracts.Environment // "" for a service of both
	run    func(context.Context) error
	cancel context.CancelFunc
	done   chan struct{}
	err    error // set when done is closed
}

func (s *service) String() string {
	if s.env == "" {
		return s.name
	}
	return s.name + " " + string(s.env)
}

// A service takes a tenth of a second to be ready. After slowStart it is told what is waited for, after startTime the wait
// ends.
const (
	slowStart = 9 * time.Second
	startTime = time.Minute
)

// start runs the service until stop, and returns when it is ready. Its end is told to ended.
func (s *service) start(ctx context.Context, log *slog.Logger, ready func() error, ended chan<- *service) error {
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	s.cancel, s.done = cancel, make(chan struct{})
	go func() {
		defer close(s.done)
		if s.err = s.run(work); s.err == nil && work.Err() == nil {
			s.err = fmt.Errorf("%s ended by itself", s)
		}
		ended <- s
	}()
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

// stop waits for the service's own ordered stop, which is bounded.
func (s *service) stop() error {
	s.cancel()
	<-s.done
	return s.failure()
}

// failure is why the service ended, told once. Call it when done is closed.
func (s *service) failure() error {
	err := s.err
	s.err = nil
	return err
}

func stopTogether(services []*service) error {
	errs := make([]error, len(services))
	var stopping sync.WaitGroup
	for i, svc := range services {
		stopping.Go(func() { errs[i] = svc.stop() })
	}
	stopping.Wait()
	return errors.Join(errs...)
}
