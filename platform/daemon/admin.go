package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"assay.dev/platform/kv"
)

// admin serves /livez, /readyz and /metrics. /livez always answers 200, and /readyz asks the checks.
type admin struct {
	listener net.Listener
	server   *http.Server
	mux      *http.ServeMux

	mu     sync.Mutex
	checks map[string]func() error
}

// openAdmin opens the admin port. When the setting turns the port off, the checks still work for [Host.Ready].
func openAdmin(cfg Config, registry *prometheus.Registry, log *slog.Logger) (*admin, error) {
	a := &admin{mux: http.NewServeMux(), checks: map[string]func() error{}}
	if cfg.AdminListen == "" || cfg.AdminListen == adminOff {
		return a, nil
	}
	var err error
	if a.listener, err = Listen("ASSAY_ADMIN_LISTEN", cfg.AdminListen); err != nil {
		return nil, err
	}
	a.route(cfg, registry, log)
	a.server = &http.Server{
		Handler:           guarded(a.mux),
		ReadHeaderTimeout: 5 * time.Second,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	go func() { _ = a.server.Serve(a.listener) }() // ends with close
	return a, nil
}

// adminBodyTime is how long a request may take to send a body, which nothing here reads.
const adminBodyTime = 10 * time.Second

// guarded refuses a request that arrives on a loopback address and names another Host, as that of a web page whose own
// name leads there does: the tool servers do so too. It bounds bodies in time.
func guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if here, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok && isLoopback(here.String()) &&
			!isLoopback(r.Host) {
			http.Error(w, "the Host of a request to this address is a loopback address", http.StatusForbidden)
			return
		}
		if r.ContentLength != 0 {
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(adminBodyTime)) // every connection here has one
		}
		next.ServeHTTP(w, r)
	})
}

func isLoopback(address string) bool {
	host := address
	if name, _, err := net.SplitHostPort(address); err == nil {
		host = name
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || err == nil && ip.Unmap().IsLoopback()
}

func (a *admin) route(cfg Config, registry *prometheus.Registry, log *slog.Logger) {
	a.mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	a.mux.HandleFunc("GET /readyz", a.readyz)
	a.mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{
		EnableOpenMetrics: true,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
		ErrorHandling:     promhttp.ContinueOnError,
	}))
	if cfg.Profiling {
		a.mux.HandleFunc("GET /debug/pprof/", pprof.Index)
		a.mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
		a.mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	}
}

// readyz answers 200 when every check passes and 503 otherwise, with a line for each.
func (a *admin) readyz(w http.ResponseWriter, _ *http.Request) {
	lines, ready := a.report()
	if !ready {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	fmt.Fprintln(w, strings.Join(lines, "\n"))
}

// ready returns the failure of a check whose name begins with prefix, or nil when all of them pass.
func (a *admin) ready(prefix string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	err := errors.New("not started")
	for name, check := range a.checks {
		if !strings.HasPrefix(name, prefix) {
			continue
		}
		if err = check(); err != nil && !degraded(err) {
			return fmt.Errorf("%s: %w", name, err)
		}
		err = nil
	}
	return err
}

// degraded tells whether the service can do all of its work in spite of a failure. Such a service is ready. For
// example, a service is ready whose streams were restored and are not confirmed yet: it tells its callers so, and it
// goes on by itself once they are confirmed.
func degraded(err error) bool {
	var damage *kv.Damaged
	return errors.As(err, new(Degraded)) || errors.As(err, &damage) && damage.Unconfirmed
}

func (a *admin) report() (lines []string, ready bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	ready = len(a.checks) > 0
	for name, check := range a.checks {
		if err := check(); err != nil {
			lines, ready = append(lines, name+": "+err.Error()), ready && degraded(err)
		} else {
			lines = append(lines, name+": ok")
		}
	}
	slices.Sort(lines)
	return lines, ready
}

func (a *admin) set(name string, check func() error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.checks[name] = check
}

func (a *admin) drop(prefix string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for name := range a.checks {
		if strings.HasPrefix(name, prefix) {
			delete(a.checks, name)
		}
	}
}

func (a *admin) url() string {
	if a.listener == nil {
		return ""
	}
	return "http://" + a.listener.Addr().String()
}

func (a *admin) close(ctx context.Context) error {
	if a == nil || a.server == nil {
		return nil
	}
	return a.server.Shutdown(ctx)
}
