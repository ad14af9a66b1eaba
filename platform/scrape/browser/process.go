package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/cdp"
	"github.com/go-rod/rod/lib/proto"
)

// process is one running Chromium. The fields after sandboxed are guarded by Browser.mu.
type process struct {
	cmd     *exec.Cmd
	profile string
	said    lastWords
	pipe    *pipe
	rod     *rod.Browser
	life    context.Context // ends with it
	// sandboxed: Chromium confines its renderers itself.
	sandboxed bool

	served int
	sick   bool        // a page could not be closed
	rest   *time.Timer // ends it when it stays idle
}

// launch starts Chromium and connects over a pipe: no port is open to other local processes, and Chromium ends by
// itself when this process does, however it ends.
func launch(ctx context.Context, bin string, memory int64, sandbox bool, userAgent string) (*process, error) {
	ctx, cancel := context.WithTimeout(ctx, launchTimeout)
	defer cancel()
	sweep()
	profile, err := os.MkdirTemp("", fmt.Sprintf("assay-chromium-%d-", os.Getpid()))
	if err != nil {
		return nil, err
	}
	life, ended := context.WithCancel(context.Background())
	p := &process{profile: profile, life: life, sandboxed: sandbox}
	p.cmd = exec.Command(bin, switches(profile, sandbox, userAgent)...) //nolint:gosec,noctx // the operator names the binary; it outlives its first caller
	// None of our secrets, no proxy, and nothing written outside the profile.
	p.cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + profile, "TMPDIR=" + profile, "LANG=en_US.UTF-8",
		"TZ=" + os.Getenv("TZ")}
	p.cmd.Stderr = &p.said
	inOwnGroup(p.cmd)
	if p.pipe, err = startWithPipe(p.cmd); err != nil {
		ended()
		_ = os.RemoveAll(profile)
		return nil, err
	}
	go func() {
		_ = p.cmd.Wait()
		ended()
	}()
	// The context is for Chromium's end: a call whose request could not be sent is else waited for by rod for ever.
	p.rod = rod.New().Context(life).Client(cdp.New().Start(p.pipe)).NoDefaultDevice()
	err = p.connect(ctx)
	if err == nil {
		err = p.bound(memory) // before it sees any page
	}
	if err != nil {
		p.stop()
		return nil, fmt.Errorf("%w; it said %q", err, p.said.String())
	}
	return p, nil
}

// sweep removes the profiles of processes that were killed before they could.
func sweep() {
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), "assay-chromium-*-*"))
	for _, dir := range left {
		var owner int
		n, _ := fmt.Sscanf(filepath.Base(dir), "assay-chromium-%d-", &owner)
		if n == 1 && gone(owner) {
			_ = os.RemoveAll(dir)
		}
	}
}

// connect waits for the first answer. rod's Connect knows no deadline, so a Chromium that hangs is killed under it.
func (p *process) connect(ctx context.Context) error {
	hung := context.AfterFunc(ctx, p.kill)
	defer hung()
	err := p.rod.Connect()
	if err == nil {
		err = proto.BrowserSetDownloadBehavior{Behavior: proto.BrowserSetDownloadBehaviorBehaviorDeny}.Call(p.rod)
	}
	if errors.Is(err, context.Canceled) { // nobody gave up: this is the context of the process
		err = errEnded
	}
	if err != nil {
		return errors.Join(err, ctx.Err())
	}
	return nil
}

var errEnded = errors.New("it ended")

func (p *process) dead() bool { return p.life.Err() != nil }

// stop ends Chromium with all its children and removes its profile.
func (p *process) stop() {
	ctx, cancel := context.WithTimeout(p.life, 2*time.Second)
	defer cancel()
	if err := (proto.BrowserClose{}).Call(p.rod.Context(ctx)); err == nil {
		<-ctx.Done()
	}
	p.kill()
	<-p.life.Done()
	p.pipe.close()
	_ = os.RemoveAll(p.profile)
}

// kill ends Chromium with all its children.
func (p *process) kill() { killGroup(p.cmd.Process.Pid) }

// lastWords keeps the end of what Chromium writes to standard error: it says why Chromium did not start.
type lastWords struct {
	mu  sync.Mutex
	end []byte
}

func (w *lastWords) Write(text []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.end = append(w.end, text...)
	w.end = w.end[max(0, len(w.end)-4096):]
	return len(text), nil
}

// String is the line that says why it ended, as far as there is one.
func (w *lastWords) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(string(w.end)), "\n")
	for _, line := range lines {
		if strings.Contains(line, "FATAL") {
			return line
		}
	}
	return lines[len(lines)-1]
}
