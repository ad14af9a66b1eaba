// Package browser renders pages that show nothing without scripts. Chromium is only the renderer: it has no network of
// its own, and every request a page makes is fulfilled by a scrape.Session, so that proxy, authorities, guard, bounds
// and politeness are those of every other read.
package browser

import (
	"context"
	"log/slog"
	"os/exec"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"assay.dev/platform/scrape"
)

// Config is which Chromium to run and how much of it.
type Config struct {
	Bin     string        `env:"ASSAY_CHROMIUM" help:"Chromium binary; empty: chromium-headless-shell, chromium, chromium-browser or google-chrome from PATH"`
	Pages   int           `env:"ASSAY_CHROMIUM_PAGES" envDefault:"2" help:"pages rendered at the same time, each by a Chromium of its own"`
	Sandbox Sandbox       `env:"ASSAY_CHROMIUM_SANDBOX" envDefault:"auto" help:"Chromium's own sandbox: on, off, or auto, which runs without it, and warns, where the machine does not allow it"`
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

// Browser renders pages, each in a Chromium that it shares with no other page at that time: one that exhausts, blocks
// or crashes its Chromium takes nothing from another. Chromium starts when a page finds none idle, and again when it
// has died.
type Browser struct {
	cfg     Config
	fetcher *scrape.Fetcher
	log     *slog.Logger
	confinement
	pages       chan struct{} // one for each page being rendered
	unsandboxed atomic.Bool   // this machine allows Chromium no sandbox

	mu        sync.Mutex
	closed    bool
	processes map[*process]struct{}
	idle      []*process     // the one used last is last
	retired   sync.WaitGroup // processes that are being ended
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
		pages: make(chan struct{}, cfg.Pages), processes: map[*process]struct{}{},
	}
}

// Close ends every Chromium, pages that are being rendered included, and waits until all are gone.
func (b *Browser) Close(ctx context.Context) error {
	b.mu.Lock()
	b.closed, b.idle = true, nil
	for p := range b.processes {
		b.end(p)
	}
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

// KeepWarm starts what [Config.Pages] need when [Config.Warm] is set. What does not start is logged, and the next page
// tries again.
func (b *Browser) KeepWarm(ctx context.Context) error {
	if !b.cfg.Warm {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, launchTimeout)
	defer cancel()
	var started []func()
	for range b.cfg.Pages {
		_, release, err := b.acquire(ctx)
		if err != nil {
			b.log.WarnContext(ctx, "Chromium is not kept warm", "error", err)
			break
		}
		started = append(started, release)
	}
	for _, release := range started {
		release()
	}
	return nil
}

// acquire gives a live Chromium for one page, started if need be; release gives it back.
func (b *Browser) acquire(ctx context.Context) (p *process, release func(), err error) {
	if err := take(ctx, b.pages); err != nil {
		return nil, nil, err
	}
	if p, err = b.reuse(); p == nil && err == nil {
		p, err = b.start(ctx)
	}
	if err != nil {
		<-b.pages
		return nil, nil, err
	}
	return p, func() {
		b.leave(p)
		<-b.pages
	}, nil
}

// reuse gives an idle Chromium; nil when there is none.
func (b *Browser) reuse() (*process, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil, errClosed
	}
	for len(b.idle) > 0 {
		p := b.idle[len(b.idle)-1]
		b.idle = b.idle[:len(b.idle)-1]
		if p.rest != nil {
			p.rest.Stop()
		}
		if !p.dead() {
			return p, nil
		}
		b.end(p)
	}
	return nil, nil
}

// start starts a Chromium. It goes on when the caller hangs up: the next page finds it idle.
func (b *Browser) start(ctx context.Context) (*process, error) {
	bin, err := b.find()
	if err != nil {
		return nil, err
	}
	p, err := b.launch(context.WithoutCancel(ctx), bin)
	if err != nil {
		return nil, scrape.Failf(scrape.Unavailable, "Chromium does not start: %w", err)
	}
	b.log.InfoContext(ctx, "Chromium started", "bin", bin, "pid", p.cmd.Process.Pid, "sandbox", p.sandboxed)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.processes[p] = struct{}{}
	if b.closed {
		b.end(p)
		return nil, errClosed
	}
	return p, nil
}

// leave makes p idle. It ends p when p is not fit for another page.
func (b *Browser) leave(p *process) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p.served++
	if b.closed || p.dead() || p.sick || p.served >= pagesPerLife {
		b.end(p)
		return
	}
	b.idle = append(b.idle, p)
	if !b.cfg.Warm {
		p.rest = time.AfterFunc(b.cfg.Idle, func() { b.retire(p) })
	}
}

// retire ends a Chromium that has had no work for a while; its memory is worth more than its start.
func (b *Browser) retire(p *process) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if i := slices.Index(b.idle, p); i >= 0 {
		b.idle = slices.Delete(b.idle, i, i+1)
		b.log.Info("Chromium closed, it was idle", "pages", p.served)
		b.end(p)
	}
}

// end stops p in the background, once. b.mu is held.
func (b *Browser) end(p *process) {
	if _, runs := b.processes[p]; runs {
		delete(b.processes, p)
		b.retired.Go(p.stop)
	}
}

var errClosed = scrape.Failf(scrape.Unavailable, "the browser is closed")

// find gives the path of Chromium.
func (b *Browser) find() (string, error) {
	// The shell is the same engine without what serves a person. It starts in a third of the time.
	names := []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"}
	if b.cfg.Bin != "" {
		names = []string{b.cfg.Bin}
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", scrape.Failf(scrape.Unavailable,
		"no Chromium: install the package chromium, or set ASSAY_CHROMIUM to its path")
}

func take(ctx context.Context, room chan struct{}) error {
	select {
	case room <- struct{}{}:
		return nil
	case <-ctx.Done():
		return waited(ctx.Err())
	}
}
