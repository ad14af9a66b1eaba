// Package browser renders pages that show nothing without scripts. Chromium is only the renderer: it has no network of
// its own, and every request a page makes is fulfilled by a scrape.Session, so that proxy, authorities, guard, bounds and
// politeness are those of every other read.
package browser

import (
	"context"
	"log/slog"
	"os/exec"
	"sync"
	"time"

	"assay.dev/platform/scrape"
)

// Config is which Chromium to run and how much of it.
type Config struct {
	Bin     string        `env:"ASSAY_CHROMIUM" help:"Chromium binary; empty: chromium, chromium-browser or google-chrome from PATH"`
	Pages   int           `env:"ASSAY_CHROMIUM_PAGES" envDefault:"2" help:"pages rendered at the same time"`
	Sandbox bool          `env:"ASSAY_CHROMIUM_SANDBOX" envDefault:"false" help:"keep Chromium's own sandbox on; needs user namespaces and a user other than root"`
	Memory  int64         `env:"ASSAY_CHROMIUM_MEMORY" envDefault:"536870912" help:"writable memory of each process of Chromium, in bytes; a page that needs more fails"`
	Idle    time.Duration `env:"ASSAY_CHROMIUM_IDLE" envDefault:"1m" help:"close Chromium after this time without work"`
	Warm    bool          `env:"ASSAY_CHROMIUM_WARM" envDefault:"false" help:"start Chromium with the service and keep it: the first page need not wait for it, about 2 s, and it holds about 150 MB"`
}

const (
	// pagesPerLife is after how many pages Chromium is replaced: it leaks.
	pagesPerLife   = 200
	launchTimeout  = 20 * time.Second
	defaultTimeout = 15 * time.Second
)

// Browser renders pages. It starts Chromium when the first page is asked for, and again when it has died.
type Browser struct {
	cfg     Config
	fetcher *scrape.Fetcher
	log     *slog.Logger
	confinement
	pages chan struct{} // one for each page being rendered

	// launching is held by the one who starts Chromium; it guards nothing else.
	launching chan struct{}

	mu      sync.Mutex
	closed  bool
	current *process
	idle    *time.Timer
	retired sync.WaitGroup // processes that are being ended
}

// New does not start anything yet.
func New(cfg Config, f *scrape.Fetcher, deps scrape.Deps) *Browser {
	if cfg.Pages <= 0 {
		cfg.Pages = 2
	}
	if cfg.Memory <= 0 {
		cfg.Memory = 512 << 20
	}
	if cfg.Idle <= 0 {
		cfg.Idle = time.Minute
	}
	log := deps.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Browser{
		cfg: cfg, fetcher: f, log: log, confinement: confined,
		pages: make(chan struct{}, cfg.Pages), launching: make(chan struct{}, 1),
	}
}

// Close ends Chromium, pages that are being rendered included, and waits until it is gone.
func (b *Browser) Close(ctx context.Context) error {
	b.mu.Lock()
	b.closed = true
	if b.idle != nil {
		b.idle.Stop()
	}
	b.retire(b.current)
	b.mu.Unlock()
	for range cap(b.pages) { // those who render see Chromium end and leave
		if err := take(ctx, b.pages); err != nil {
			return err
		}
		defer func() { <-b.pages }()
	}
	gone := make(chan struct{})
	go func() {
		b.retired.Wait()
		close(gone)
	}()
	select {
	case <-gone:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// KeepWarm starts Chromium when [Config.Warm] is set. When it does not start, that is logged, and the next page tries again.
func (b *Browser) KeepWarm(ctx context.Context) error {
	if !b.cfg.Warm {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, launchTimeout)
	defer cancel()
	_, leave, err := b.acquire(ctx)
	if err != nil {
		b.log.WarnContext(ctx, "Chromium is not kept warm", "error", err)
		return nil
	}
	leave()
	return nil
}

// acquire gives a live Chromium, started if need be, and a place for one page in it.
func (b *Browser) acquire(ctx context.Context) (*process, func(), error) {
	if err := take(ctx, b.pages); err != nil {
		return nil, nil, err
	}
	p, err := b.live(ctx)
	if err != nil {
		<-b.pages
		return nil, nil, err
	}
	return p, func() {
		b.leave(p)
		<-b.pages
	}, nil
}

func (b *Browser) live(ctx context.Context) (*process, error) {
	if err := take(ctx, b.launching); err != nil {
		return nil, err
	}
	defer func() { <-b.launching }()
	if p, err := b.enter(); p != nil || err != nil {
		return p, err
	}
	bin, err := b.find()
	if err != nil {
		return nil, err
	}
	// Others wait for this start too: it does not end with the caller.
	p, err := launch(context.WithoutCancel(ctx), bin, b.cfg, b.fetcher.UserAgent())
	if err != nil {
		return nil, scrape.Failf(scrape.Unavailable, "Chromium does not start: %w", err)
	}
	b.log.InfoContext(ctx, "Chromium started", "bin", bin, "pid", p.cmd.Process.Pid)
	b.mu.Lock()
	b.current = p
	b.mu.Unlock()
	return b.enter()
}

// enter takes a place in the running Chromium; nil when there is none that is fit.
func (b *Browser) enter() (*process, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.current
	switch {
	case b.closed:
		b.retire(p)
		return nil, scrape.Failf(scrape.Unavailable, "the browser is closed")
	case p == nil:
		return nil, nil
	case p.dead() || p.sick || p.served >= pagesPerLife:
		b.retire(p)
		return nil, nil
	}
	if b.idle != nil {
		b.idle.Stop()
	}
	p.users++
	p.served++
	return p, nil
}

func (b *Browser) leave(p *process) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p.users--
	switch {
	case p.users > 0:
	case p != b.current:
		b.end(p)
	case b.cfg.Warm:
	default:
		b.idle = time.AfterFunc(b.cfg.Idle, func() { b.rest(p) })
	}
}

// rest ends a Chromium that has had no work for a while; its memory is worth more than its start.
func (b *Browser) rest(p *process) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if p == b.current && p.users == 0 {
		b.log.Info("Chromium closed, it was idle", "pages", p.served)
		b.retire(p)
	}
}

// retire takes p out of service; it ends at once when the browser is closed or p has no more users, else with the last.
// b.mu is held.
func (b *Browser) retire(p *process) {
	if p == nil || p != b.current {
		return
	}
	b.current = nil
	if p.users == 0 || b.closed {
		b.end(p)
	}
}

// end stops p in the background, once. b.mu is held.
func (b *Browser) end(p *process) {
	if !p.ending {
		p.ending = true
		b.retired.Go(p.stop)
	}
}

// find gives the path of Chromium.
func (b *Browser) find() (string, error) {
	names := []string{"chromium", "chromium-browser", "google-chrome"}
	if b.cfg.Bin != "" {
		names = []string{b.cfg.Bin}
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", scrape.Failf(scrape.Unavailable, "no Chromium: install the package chromium, or set ASSAY_CHROMIUM to its path")
}

func take(ctx context.Context, room chan struct{}) error {
	select {
	case room <- struct{}{}:
		return nil
	case <-ctx.Done():
		return waited(ctx.Err())
	}
}
