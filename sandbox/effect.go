package sandbox

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"assay.dev/platform/clock"
)

type effect func(f Fault, w http.ResponseWriter, r *http.Request, site http.Handler)

// ForeignHost is a host that belongs to no source and shows a copied table of surcharges.
const ForeignHost = "surcharges.example"

const challengePage = `<title>One moment</title><h1>Checking that you are a person</h1>
<p>This takes a few seconds. Your browser must run scripts and keep cookies.</p>
<form id="challenge-form" action="/cdn-cgi/challenge" method="post"><input type="hidden" name="ray" value="8f0c51"></form>
<script>setTimeout(function () { document.title = "Still checking"; }, 3000);</script>`

func html(w http.ResponseWriter) { w.Header().Set("Content-Type", "text/html; charset=utf-8") }

func status(code int, text string) effect {
	return func(_ Fault, w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		html(w)
		w.WriteHeader(code)
		_, _ = io.WriteString(w, "<!DOCTYPE html><html><body>"+text+"</body></html>\n")
	}
}

func hangUp(Fault, http.ResponseWriter, *http.Request, http.Handler) { panic(http.ErrAbortHandler) }

func empty(_ Fault, w http.ResponseWriter, _ *http.Request, _ http.Handler) { html(w) }

func redirect(target string) effect {
	return func(_ Fault, w http.ResponseWriter, r *http.Request, _ http.Handler) {
		http.Redirect(w, r, target, http.StatusFound)
	}
}

func slow(f Fault, w http.ResponseWriter, r *http.Request, site http.Handler) {
	seconds := f.Seconds
	seconds = cmp.Or(seconds, 60)
	end := time.NewTimer(time.Duration(seconds) * time.Second)
	defer end.Stop()
	select {
	case <-end.C:
	case <-f.over:
	case <-r.Context().Done():
		hangUp(f, w, r, site)
	}
	site.ServeHTTP(w, r)
}

// sleep waits, and ends the connection when the client has left or the sandbox closes.
func sleep(ctx context.Context, d time.Duration) {
	if clock.Sleep(ctx, d) != nil {
		panic(http.ErrAbortHandler)
	}
}

// answer returns the site's own answer, uncompressed.
func answer(r *http.Request, site http.Handler) *httptest.ResponseRecorder {
	plain := r.Clone(r.Context())
	plain.Header.Del("Accept-Encoding")
	rec := httptest.NewRecorder()
	site.ServeHTTP(rec, plain)
	rec.Header().Del("Content-Length")
	return rec
}

func copyHead(w http.ResponseWriter, rec *httptest.ResponseRecorder) {
	maps.Copy(w.Header(), rec.Header())
	w.WriteHeader(rec.Code)
}

func drip(_ Fault, w http.ResponseWriter, r *http.Request, site http.Handler) {
	rec := answer(r, site)
	copyHead(w, rec)
	for _, b := range rec.Body.Bytes() {
		if _, err := w.Write([]byte{b}); err != nil || http.NewResponseController(w).Flush() != nil {
			return
		}
		sleep(r.Context(), time.Second)
	}
}

func reset(_ Fault, w http.ResponseWriter, r *http.Request, site http.Handler) {
	rec := answer(r, site)
	copyHead(w, rec)
	_, _ = w.Write(rec.Body.Bytes()[:rec.Body.Len()/2])
	control := http.NewResponseController(w)
	_ = control.Flush()
	conn, _, err := control.Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := transport(conn).(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // close sends RST
		conn = tcp
	}
	_ = conn.Close()
}

// transport returns the TCP connection under the TLS connection and the tunnel.
func transport(c net.Conn) net.Conn {
	for {
		switch inner := c.(type) {
		case interface{ NetConn() net.Conn }:
			c = inner.NetConn()
		case *tunnel:
			c = inner.Conn
		default:
			return c
		}
	}
}

const (
	gibibyte = 1 << 30
	block    = 1 << 20
)

func huge(_ Fault, w http.ResponseWriter, r *http.Request, _ http.Handler) {
	html(w)
	row := strings.Repeat("<tr><td>9/2/2026</td><td>50.00%</td></tr>\n", 25_000)
	_, _ = io.WriteString(w, "<!DOCTYPE html><html><body><table><tr><th>Effective Date</th><th>LTL</th></tr>\n")
	for sent := 0; sent < gibibyte && r.Context().Err() == nil; sent += len(row) {
		if _, err := io.WriteString(w, row); err != nil {
			return
		}
	}
}

// bomb sends one gzip member of a mebibyte of blanks 1024 times; together they are one valid stream.
func bomb(_ Fault, w http.ResponseWriter, _ *http.Request, _ http.Handler) {
	var member bytes.Buffer
	zip := gzip.NewWriter(&member)
	_, _ = zip.Write(bytes.Repeat([]byte{' '}, block))
	_ = zip.Close()
	html(w)
	w.Header().Set("Content-Encoding", "gzip")
	for range gibibyte / block {
		if _, err := w.Write(member.Bytes()); err != nil {
			return
		}
	}
}

func headers(_ Fault, w http.ResponseWriter, r *http.Request, site http.Handler) {
	padding := strings.Repeat("x", 2000)
	for range 1000 {
		w.Header().Add("X-Padding", padding)
	}
	site.ServeHTTP(w, r)
}
