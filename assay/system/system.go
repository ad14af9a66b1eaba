package system

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"assay.dev/assay/monitor"
	"assay.dev/contracts"
	"assay.dev/ltl-worker/carrier"
	"assay.dev/ltl-worker/wording"
	"assay.dev/platform/bus"
	"assay.dev/platform/daemon"
	"assay.dev/platform/kv"
	"assay.dev/platform/provision"
	"assay.dev/sandbox"
)

// system holds everything that was started, and the functions that stop it.
type system struct {
	cfg   Config
	out   io.Writer
	lines sync.Mutex // of the progress
	log   *slog.Logger
	began time.Time

	data     *data
	nats     *natsServer
	host     *daemon.Host
	past     *errgroup.Group // fills the archive of the test environment
	sandbox  *sandbox.Sandbox
	listener net.Listener // of the gateway; it is opened first, so that a taken port is reported at once
	// consoleSecret seals the sessions of the console where no setting does, and webhookKey the secrets of webhooks.
	consoleSecret daemon.Secret
	webhookKey    daemon.Secret
	keys          map[contracts.Environment]string
	watching      atomic.Bool // somebody wants the changes of the test environment
	unaccepted    int         // carriers whose live pages nobody has accepted

	ended chan *service // receives each service that ends
	stops []func() error
}

// Run starts everything in order, writes its progress, two API keys and examples to out, and serves until ctx ends
// or a service fails. Then it stops everything in reverse order, each within its own bound.
func Run(ctx context.Context, cfg Config, out io.Writer) error {
	s := &system{cfg: cfg, out: out, log: daemon.NewLog(cfg.Config), began: time.Now(), ended: make(chan *service, 16)}
	err := s.start(ctx)
	if err == nil {
		s.welcome()
		select {
		case <-ctx.Done():
		case failed := <-s.ended:
			<-failed.done
			err = fmt.Errorf("%s: %w", failed, failed.failure())
		}
		fmt.Fprintln(out, "stopping")
	} else if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		err = nil // stopped while starting
	}
	return errors.Join(err, s.stop())
}

func (s *system) start(ctx context.Context) error {
	set, err := loadSettings(s.cfg.Environ)
	if err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{
		s.openData, s.listen(set), s.startNATS, s.openHost, s.provisionBesideSandbox, s.tellOfDisk, s.beginPast,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	tiers := s.tiers(set)
	for _, svc := range slices.Concat(tiers...) {
		s.host.Expect(svc.name, string(svc.env))
	}
	if err := s.startTier(ctx, tiers[0]); err != nil {
		return err
	}
	if err := s.past.Wait(); err != nil { // before a worker sees its first week
		return err
	}
	for _, tier := range tiers[1:] {
		if err := s.startTier(ctx, tier); err != nil {
			return err
		}
	}
	return nil
}

// stop stops everything in the reverse order of its start.
func (s *system) stop() error {
	var errs []error
	for len(s.stops) > 0 {
		last := len(s.stops) - 1
		errs = append(errs, s.stops[last]())
		s.stops = s.stops[:last]
	}
	return errors.Join(errs...)
}

// onStop adds a function that stop calls before those that were added earlier.
func (s *system) onStop(f func() error) { s.stops = append(s.stops, f) }

func (s *system) openData(context.Context) (err error) {
	if s.data, err = openData(s.cfg.Data); err == nil {
		s.onStop(s.data.close)
		if err = s.checkRoom(); err == nil {
			s.consoleSecret, err = s.data.secret(consoleSecretFile)
		}
		if err == nil {
			s.webhookKey, err = s.data.secret(webhookKeyFile)
		}
	}
	return err
}

func (s *system) listen(set settings) func(context.Context) error {
	return func(context.Context) (err error) {
		if s.listener, err = daemon.Listen("ASSAY_LISTEN", set.gateway.Listen); err == nil {
			s.onStop(func() error { _ = s.listener.Close(); return nil }) // the gateway has closed it already
		}
		return err
	}
}

func (s *system) startNATS(ctx context.Context) (err error) {
	if s.nats, err = s.data.startNATS(ctx, s.log, true); err != nil {
		return err
	}
	s.onStop(func() error { s.nats.stop(); return nil })
	s.progress("nats", "data in "+s.cfg.Data)
	return s.data.writeFile(natsURLFile, s.nats.url)
}

func (s *system) openHost(ctx context.Context) (err error) {
	if s.host, err = daemon.NewHost(ctx, s.cfg.Config, s.nats); err != nil {
		return err
	}
	s.host.DiskFull = s.nats.diskFull
	s.onStop(func() error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		return s.host.Close(ctx)
	})
	return s.host.Registry.Register(monitor.New(s.host.Log, monitor.Local(s.nats.Server)))
}

func (s *system) connect(ctx context.Context) (jetstream.JetStream, error) {
	conn, err := bus.Connect(ctx, bus.ConnectOptions{URL: s.nats.url, Name: "assay", InProcess: s.nats, Log: s.host.Log})
	if err != nil {
		return nil, err
	}
	return jetstream.New(conn)
}

// provisionBesideSandbox does what needs neither the other.
func (s *system) provisionBesideSandbox(ctx context.Context) error {
	var both errgroup.Group
	both.Go(func() error { return s.provision(ctx) })
	both.Go(s.startSandbox)
	return both.Wait()
}

// provision creates the streams, the buckets and the two keys that are printed.
func (s *system) provision(ctx context.Context) error {
	js, err := s.connect(ctx)
	if err != nil {
		return err
	}
	defer js.Conn().Close()
	if err := provision.All(ctx, js, provision.Options{
		Retention: s.cfg.Retention, Replicas: 1, Synced: true, AcceptLoss: s.cfg.AcceptLoss,
		Births: provision.FileBirths(s.data.path(birthsFile)), First: true, // a directory without the file is new
	}); err != nil {
		return err
	}
	if err := kv.CheckLasting(ctx, js); err != nil {
		return err
	}
	if s.keys, err = printedKeys(ctx, js, s.data); err != nil {
		return err
	}
	if compared(ctx, js, contracts.CA) == nil { // changes were wanted before: what was posted then is over now
		s.watching.Store(true)
	}
	s.progress("streams and buckets", "")
	if s.unaccepted, err = unaccepted(ctx, js); err != nil {
		return err
	}
	return wording.AcceptSandbox(ctx, js)
}

// unaccepted counts the carriers whose live pages nobody has accepted, here or in this release.
func unaccepted(ctx context.Context, js jetstream.JetStream) (n int, err error) {
	bucket, err := wording.OpenBucket(ctx, contracts.Live, js)
	if err != nil {
		return 0, err
	}
	for _, c := range contracts.Carriers {
		known, err := bucket.Known(ctx, c)
		if err != nil {
			return 0, err
		}
		if len(known.Editions)+len(carrier.Shipped(contracts.Live)(c)) == 0 {
			n++
		}
	}
	return n, nil
}

// beginPast begins to fill the archive of the test environment.
func (s *system) beginPast(ctx context.Context) error {
	js, err := s.connect(ctx)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	s.past = &errgroup.Group{}
	s.past.Go(func() error {
		defer js.Conn().Close()
		return fillPast(ctx, js)
	})
	s.onStop(func() error {
		cancel()
		_ = s.past.Wait() // the start has told why it failed
		return nil
	})
	return nil
}

func (s *system) startSandbox() (err error) {
	if s.sandbox, err = sandbox.Start(sandbox.Options{Dir: s.data.path("sandbox"), Log: s.host.Log}); err != nil {
		return err
	}
	s.onStop(s.sandbox.Close)
	s.host.Handle("/sandbox/", http.StripPrefix("/sandbox", s.knowingEditions(s.sandbox.Admin())))
	s.progress("sandbox", "proxy "+s.sandbox.ProxyURL())
	return nil
}

// startTier starts the services of a tier together. They stop together too.
func (s *system) startTier(ctx context.Context, tier []*service) error {
	s.onStop(func() error { return stopTogether(tier, s.out) })
	for _, svc := range tier {
		svc.start(ctx, s.ended)
	}
	for _, svc := range tier {
		if err := svc.await(ctx, s.log, func() error { return s.host.Ready(svc.name, string(svc.env)) }); err != nil {
			return err
		}
		s.progress(svc.String(), "")
	}
	return nil
}
