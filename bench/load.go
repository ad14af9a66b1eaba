package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const connections = 64

// load sends requests over 64 connections for the time d and returns how many replies a second had the status 200. It
// fails on any other status. It uses wrk where that is installed, because wrk needs less of the machine than a Go
// client.
func load(ctx context.Context, target, key string, d time.Duration) (float64, error) {
	if wrk, err := exec.LookPath("wrk"); err == nil {
		return loadByWrk(ctx, wrk, target, key, d)
	}
	return loadByGo(ctx, target, key, d)
}

var wrkRate = regexp.MustCompile(`Requests/sec:\s+([\d.]+)`)

func loadByWrk(ctx context.Context, wrk, target, key string, d time.Duration) (float64, error) {
	out, err := exec.CommandContext(ctx, wrk, "-t1", fmt.Sprintf("-c%d", connections), "-d", d.String(), "-H",
		"X-API-Key: "+key, target).CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("wrk: %w: %s", err, out)
	}
	if strings.Contains(string(out), "Non-2xx") {
		return 0, fmt.Errorf("not all answers were 200: %s", out)
	}
	found := wrkRate.FindSubmatch(out)
	if found == nil {
		return 0, fmt.Errorf("wrk printed %s", out)
	}
	return strconv.ParseFloat(string(found[1]), 64)
}

// loadByGo writes one prepared request again and again. The client of net/http would need more of the machine than the
// servers.
func loadByGo(ctx context.Context, target, key string, d time.Duration) (float64, error) {
	u, err := url.Parse(target)
	if err != nil {
		return 0, err
	}
	return repeat(ctx, u.Host, request(http.MethodGet, u.Host, u.RequestURI(), key, "", ""), d)
}

// request returns the text of an HTTP request. headers are further header lines, each with its line end.
func request(method, host, target, key, headers, body string) []byte {
	if body != "" {
		headers += fmt.Sprintf("Content-Length: %d\r\n", len(body))
	}
	return fmt.Appendf(nil, "%s %s HTTP/1.1\r\nHost: %s\r\nX-API-Key: %s\r\n%s\r\n%s", method, target, host, key, headers,
		body)
}

// repeat sends a request again and again over 64 connections for the time d. It returns how many replies a second had
// the status 200, and fails on any other status.
func repeat(ctx context.Context, host string, request []byte, d time.Duration) (float64, error) {
	var answered atomic.Int64
	var running sync.WaitGroup
	errs := make([]error, connections)
	began := time.Now()
	for i := range connections {
		running.Go(func() { errs[i] = drive(ctx, host, request, began.Add(d), &answered) })
	}
	running.Wait()
	return float64(answered.Load()) / time.Since(began).Seconds(), errors.Join(errs...)
}

func drive(ctx context.Context, host string, request []byte, until time.Time, answered *atomic.Int64) error {
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", host)
	if err != nil {
		return err
	}
	defer conn.Close()
	in := bufio.NewReader(conn)
	for time.Now().Before(until) {
		if _, err := conn.Write(request); err != nil {
			return err
		}
		resp, err := http.ReadResponse(in, nil)
		if err != nil {
			return err
		}
		if resp.StatusCode != http.StatusOK {
			return fmt.Errorf("%s", resp.Status)
		}
		if _, err := io.Copy(io.Discard, resp.Body); err != nil {
			return err
		}
		_ = resp.Body.Close()
		answered.Add(1)
	}
	return nil
}
