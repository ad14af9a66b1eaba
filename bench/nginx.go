package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"assay.dev/platform/clock"
)

// nginxConfig does with nginx alone what a hit takes: a key is checked (auth_request), a limit is kept for each key (limit_req), and
// the answer comes from a cache (proxy_cache). Its values are the number of workers, the key, the address to listen at, and the host
// of the server that the answer comes from.
const nginxConfig = `worker_processes %d;
pid nginx.pid;
error_log stderr error;
events { worker_connections 1024; }
http {
	access_log off;
	client_body_temp_path tmp-body; fastcgi_temp_path tmp-fastcgi; uwsgi_temp_path tmp-uwsgi; scgi_temp_path tmp-scgi;
	proxy_temp_path tmp-proxy;
	proxy_cache_path cache keys_zone=answers:1m use_temp_path=off;
	map $http_x_api_key $known { default 0; "%s" 1; }
	limit_req_zone $http_x_api_key zone=tenants:1m rate=1000000r/s;
	keepalive_requests 100000000;
	server {
		listen %s;
		location = /known {
			internal;
			if ($known = 0) { return 401; }
			return 204;
		}
		location / {
			auth_request /known;
			limit_req zone=tenants burst=1000000 nodelay;
			proxy_cache answers;
			proxy_cache_valid 200 1h;
			proxy_pass http://%s;
		}
	}
}
`

// nginxPatience is how long nginx may take to start.
const nginxPatience = 5 * time.Second

// errNoNginx says that nginx is not installed.
var errNoNginx = errors.New("nginx is not installed, so nothing is compared with it")

// startNginx runs nginx before the server at origin, such as 127.0.0.1:4711, for those who send the key. The error is errNoNginx
// where there is none.
func startNginx(ctx context.Context, origin, key string) (base string, stop func(), err error) {
	binary, err := exec.LookPath("nginx")
	if err != nil {
		return "", nil, errNoNginx
	}
	dir, err := os.MkdirTemp("", "assay-bench-nginx-")
	if err != nil {
		return "", nil, err
	}
	listen, err := freeAddress(ctx)
	if err == nil {
		config := fmt.Sprintf(nginxConfig, runtime.GOMAXPROCS(0), key, listen, origin)
		err = os.WriteFile(filepath.Join(dir, "nginx.conf"), []byte(config), 0o600)
	}
	if err != nil {
		return "", nil, errors.Join(err, os.RemoveAll(dir))
	}
	directives := "daemon off;"
	if os.Geteuid() == 0 {
		directives += " user root;" // else its workers could not read the directory
	}
	process := exec.CommandContext(ctx, binary, "-p", dir, "-c", "nginx.conf", "-g", directives)
	process.Stderr = os.Stderr
	if err := process.Start(); err != nil {
		return "", nil, errors.Join(err, os.RemoveAll(dir))
	}
	stop = func() {
		_ = process.Process.Signal(syscall.SIGTERM)
		_ = process.Wait()
		_ = os.RemoveAll(dir)
	}
	base = "http://" + listen
	if err := awaitAnswer(ctx, base+oneCarrier, key); err != nil {
		stop()
		return "", nil, fmt.Errorf("nginx: %w", err)
	}
	return base, stop, nil
}

// awaitAnswer asks until there is an answer, which is then in the cache.
func awaitAnswer(ctx context.Context, address, key string) (err error) {
	for end := time.Now().Add(nginxPatience); time.Now().Before(end); {
		if _, err = fetch(ctx, http.DefaultClient, address, key); err == nil {
			return nil
		}
		if clock.Sleep(ctx, 20*time.Millisecond) != nil {
			break
		}
	}
	return err
}

// freeAddress is a loopback address at which nobody listens.
func freeAddress(ctx context.Context) (string, error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}
