package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/daemon"
)

// receiver is a program of the guide that takes webhooks: its block, the file that this is written to, and what runs it.
type receiver struct {
	fence, file string
	run         []string
}

// Each of the guide's receivers takes what is signed, also during a rotation, and refuses what is changed, old or signed by another.
func TestTheReceiversOfTheGuideVerify(t *testing.T) {
	t.Parallel()
	for _, c := range []receiver{
		{"go", "main.go", []string{"go", "run", "main.go"}}, {"python", "main.py", []string{"python3", "main.py"}},
		{"ts", "main.mjs", []string{"node", "main.mjs"}},
	} {
		t.Run(c.fence, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			blocks := regexp.MustCompile("(?s)```"+c.fence+"\n(.*?)```").FindAllStringSubmatch(readFile(t, guide), -1)
			if len(blocks) != 1 {
				t.Fatalf("the guide has %d programs in %s", len(blocks), c.fence)
			}
			if err := os.WriteFile(filepath.Join(dir, c.file), []byte(blocks[0][1]), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := exec.LookPath(c.run[0]); err != nil {
				t.Skip(err)
			}
			if c.fence == "go" { // go run would leave the program running
				build := exec.CommandContext(t.Context(), "go", "build", "-o", "receiver", c.file)
				build.Dir = dir
				if out, err := build.CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				c.run = []string{"./receiver"}
			}
			c.check(t, dir)
		})
	}
}

// start starts the program with a secret.
func (c receiver) start(ctx context.Context, t *testing.T, dir, secret, port string) *exec.Cmd {
	t.Helper()
	program := exec.CommandContext(ctx, c.run[0], c.run[1:]...)
	program.Dir = dir
	program.Env = []string{"SECRET=" + secret, "PORT=" + port, "PATH=" + daemon.OSEnviron()["PATH"], "HOME=" + dir}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	return program
}

func (c receiver) check(t *testing.T, dir string) {
	const mine, before, foreign = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
	const body = `{"id":"CA.1.0","type":"license.status_changed","data":{"dba_name":"CAFÉ ÑANDÚ"}}`
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	_, port, _ := net.SplitHostPort(address)
	_ = l.Close()
	ctx, cancel := context.WithTimeout(t.Context(), clocktest.Patience)
	defer cancel()
	if err := c.start(ctx, t, dir, "", port).Wait(); err == nil || ctx.Err() != nil {
		t.Errorf("without a secret: %v, %v", err, ctx.Err())
	}
	program := c.start(t.Context(), t, dir, mine, port)
	t.Cleanup(func() { _ = program.Wait() }) // the test's context has ended it
	clocktest.Await(t, "the receiver listens", func() bool {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	})
	broken, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = fmt.Fprint(broken, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf")
	_ = broken.(*net.TCPConn).CloseWrite()
	_, _ = io.Copy(io.Discard, broken) // until the receiver has seen it, or is gone
	_ = broken.Close()
	now := time.Now()
	sign := func(secret, id string, at time.Time) http.Header {
		h := http.Header{"Webhook-Id": {id}, "Webhook-Timestamp": {fmt.Sprint(at.Unix())}}
		w, err := standardwebhooks.NewWebhook(secret)
		if err != nil {
			t.Fatal(err)
		}
		signature, err := w.Sign(id, at, []byte(body))
		if err != nil {
			t.Fatal(err)
		}
		h.Set("Webhook-Signature", signature)
		return h
	}
	with := func(h http.Header, name, value string) http.Header { h.Set(name, value); return h }
	good := sign(mine, "CA.1.0", now)
	both := sign(before, "CA.1.0", now).Get("Webhook-Signature") + " " + good.Get("Webhook-Signature")
	for name, r := range map[string]struct {
		headers http.Header
		body    string
		status  int
	}{
		"signed":                  {good, body, 204},
		"signed by both":          {with(sign(mine, "CA.1.0", now), "Webhook-Signature", both), body, 204},
		"four minutes ago":        {sign(mine, "CA.1.0", now.Add(-4*time.Minute)), body, 204},
		"ten minutes ago":         {sign(mine, "CA.1.0", now.Add(-10*time.Minute)), body, 401},
		"in ten minutes":          {sign(mine, "CA.1.0", now.Add(10*time.Minute)), body, 401},
		"by another secret":       {sign(foreign, "CA.1.0", now), body, 401},
		"another body":            {good, strings.Replace(body, "CA.1.0", "CA.1.1", 1), 401},
		"another id":              {with(sign(mine, "CA.1.0", now), "Webhook-Id", "CA.1.1"), body, 401},
		"another time":            {with(sign(mine, "CA.1.0", now), "Webhook-Timestamp", fmt.Sprint(now.Unix()-1)), body, 401},
		"no time":                 {with(sign(mine, "CA.1.0", now), "Webhook-Timestamp", "now"), body, 401},
		"half a signature":        {with(sign(mine, "CA.1.0", now), "Webhook-Signature", good.Get("Webhook-Signature")[:20]), body, 401},
		"another version of them": {with(sign(mine, "CA.1.0", now), "Webhook-Signature", "v2"+good.Get("Webhook-Signature")[2:]), body, 401},
		"nothing":                 {http.Header{}, body, 401},
	} {
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+address+"/hook", strings.NewReader(r.body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header = r.headers
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		_ = response.Body.Close()
		if response.StatusCode != r.status {
			t.Errorf("%s: %d, want %d", name, response.StatusCode, r.status)
		}
	}
}
