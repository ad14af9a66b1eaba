package bench

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
	"testing"
	"time"
)

const connections = 64

// load sends requests over 64 connections for the time d and returns how many replies a second had the status 200. It
// fails on any other status. It uses wrk where that is installed, because wrk needs less of the machine than a Go
// client.
func load(t *testing.T, target, key string, d time.Duration) float64 {
	if wrk, err := exec.LookPath("wrk"); err == nil {
		return loadByWrk(t, wrk, target, key, d)
	}
	u, err := url.Parse(target)
	must(t, err)
	return repeat(t, u.Host, request(http.MethodGet, u.Host, u.RequestURI(), key, "", ""), d)
}

var wrkRate = regexp.MustCompile(`Requests/sec:\s+([\d.]+)`)

func loadByWrk(t *testing.T, wrk, target, key string, d time.Duration) float64 {
	out, err := exec.CommandContext(t.Context(), wrk, "-t1", fmt.Sprintf("-c%d", connections), "-d", d.String(), "-H",
		"X-API-Key: "+key, target).CombinedOutput()
	found := wrkRate.FindSubmatch(out)
	if err != nil || strings.Contains(string(out), "Non-2xx") || found == nil {
		t.Fatalf("wrk: %v: not all answers were 200: %s", err, out)
	}
	rate, err := strconv.ParseFloat(string(found[1]), 64)
	must(t, err)
	return rate
}

// request returns the text of an HTTP request. headers are further header lines, each with its line end.
func request(method, host, target, key, headers, body string) []byte {
	if body != "" {
		headers += fmt.Sprintf("Content-Length: %d\r\n", len(body))
	}
	return fmt.Appendf(nil, "%s %s HTTP/1.1\r\nHost: %s\r\nX-API-Key: %s\r\n%s\r\n%s", method, target, host, key, headers,
		body)
}

// repeat writes one prepared request again and again over 64 connections for the time d: the client of net/http would
// need more of the machine than the servers. It returns how many replies a second had the status 200, and fails on any
// other status.
func repeat(t *testing.T, host string, request []byte, d time.Duration) float64 {
	var answered atomic.Int64
	var running sync.WaitGroup
	errs := make([]error, connections)
	began := time.Now()
	for i := range connections {
		running.Go(func() { errs[i] = drive(t.Context(), host, request, began.Add(d), &answered) })
	}
	running.Wait()
	took := time.Since(began)
	must(t, errors.Join(errs...))
	return float64(answered.Load()) / took.Seconds()
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
