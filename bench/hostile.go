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
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"assay.dev/platform/clock"
)

const (
	// gatewayMemory is GOMEMLIMIT of the gateway's deployment, and gatewayLimit its memory limit (512 MiB) in MB.
	gatewayMemory = "GOMEMLIMIT=400MiB"
	gatewayLimit  = 512 * 1.048576
	// hostileRounds bounds the rounds, because each starts a system of its own.
	hostileRounds = 3
	// warming is how long an attack runs before the good client is measured.
	warming = time.Second
	// pace is how often the good client asks.
	pace = 10 * time.Millisecond
)

// attack describes clients without a key who want to slow Assay down.
type attack struct {
	name        string
	connections int
	addresses   int // how many addresses they come from: 127.0.1.1, 127.0.1.2 and so on
	slow        bool
	requests    func(host string) [][]byte
}

var attacks = []attack{
	{name: "batches", connections: 64, addresses: 1, requests: toolBatch},
	{name: "single requests", connections: 64, addresses: 1, requests: costlySingles},
	{name: "single requests of 64 addresses", connections: 64, addresses: 64, requests: costlySingles},
	{name: "slow readers", connections: 500, addresses: 1, slow: true, requests: largeReplies},
	{name: "slow readers of 250 addresses", connections: 500, addresses: 250, slow: true, requests: largeReplies},
}

const (
	plainHeaders = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
	toolsList    = `{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`
)

// toolBatch returns one request with a body of 64 KB that asks 1,300 times for the list of tools.
func toolBatch(host string) [][]byte {
	var list []string
	for i := range 1300 {
		list = append(list, fmt.Sprintf(toolsList, i))
	}
	return [][]byte{keyless(host, "["+strings.Join(list, ",")+"]")}
}

// keyless returns a request that sends message to the tool server without a key.
func keyless(host, message string) []byte {
	return request(http.MethodPost, host, "/mcp/ltl", "", plainHeaders, message)
}

// costlySingles returns the requests without a key that cost the gateway most, one of each kind.
func costlySingles(host string) [][]byte {
	long := strings.Repeat("<", 15_000)
	return [][]byte{
		keyless(host, fmt.Sprintf(toolsList, 1)),
		keyless(host, `{"jsonrpc":"2.0","id":"`+long+`","method":"tools/list"}`),
		keyless(host, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"`+long+`","version":"1"}}}`),
		keyless(host, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_fuel_surcharge","arguments":{"carrier":"ODFL"}}}`),
		keyless(host, `{"jsonrpc":"2.0","id":1,"method":"x","params":"`+strings.Repeat(long, 4)+`"}`),
		request(http.MethodGet, host, "/openapi.json", "", "", ""),
		request(http.MethodGet, host, "/llms.txt", "", "", ""),
		request(http.MethodGet, host, oneCarrier, "0a1b2c3d4emsh5f6a7b8c9d0e1f2p", "", ""),
	}
}

// largeReplies returns a text of 40 requests with the largest replies. A client that sends it and does not read makes
// the gateway hold the replies.
func largeReplies(host string) [][]byte {
	one := append(request(http.MethodGet, host, "/openapi.json", "", "", ""), keyless(host, fmt.Sprintf(toolsList, 1))...)
	return [][]byte{[]byte(strings.Repeat(string(one), 20))}
}

// measureHostile measures how long cached answers take for a client with a key, first alone and then beside an attack.
// It also reads how much memory the whole system needs during the attack.
func measureHostile(ctx context.Context, o options) (figures []figure, err error) {
	for _, a := range attacks {
		var ratios, idle, beside, peaks, stalls []float64
		for range min(o.rounds, hostileRounds) {
			s, err := a.siege(ctx, o)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", a.name, err)
			}
			ratios, idle = append(ratios, s.beside/s.alone), append(idle, s.alone)
			beside, peaks, stalls = append(beside, s.beside), append(peaks, s.peak), append(stalls, s.stall)
			fmt.Printf("hostile   %s: %.3f ms alone, %.3f ms beside, peak %.0f MB, %s, machine late by at most %.0f ms\n",
				a.name, s.alone, s.beside, s.peak, s.replies, s.stall)
		}
		figures = append(figures, figure{
			name: "hit beside " + a.name + " ÷ alone", value: median(ratios), unit: "×", target: 1.5,
			detail: fmt.Sprintf("medians of %.3f ms ÷ %.3f ms, %d connections without a key; machine late by at most %.0f ms",
				median(beside), median(idle), a.connections, slices.Max(stalls)),
		}, figure{
			name: "memory beside " + a.name, value: median(peaks), unit: "MB", target: gatewayLimit,
			detail: "the most that all of assay up took; the limit is the gateway's",
		})
	}
	return figures, nil
}

// siege is what was measured in one run of an attack. alone and beside are medians of the client with a key, without
// and with the attack, and stall is the longest stall of the machine, in milliseconds. peak is the highest memory, in
// MB.
type siege struct {
	alone, beside, stall, peak float64
	replies                    string
}

func (a attack) siege(ctx context.Context, o options) (r siege, err error) {
	s, err := startSubject(ctx, o.binary, gatewayMemory, "ASSAY_LOG_LEVEL=error")
	if err != nil {
		return r, err
	}
	defer func() { _ = s.stop() }()
	key, err := s.unlimitedKey(ctx)
	if err != nil {
		return r, err
	}
	if r.alone, err = s.latency(ctx, key, o.time); err != nil {
		return r, err
	}
	base, err := url.Parse(s.base)
	if err != nil {
		return r, err
	}
	crowd, leave := a.begin(ctx, base.Host)
	defer leave()
	peak, stall := s.watchMemory(ctx), watchStalls(ctx)
	if err := clock.Sleep(ctx, warming); err != nil {
		return r, err
	}
	r.beside, err = s.latency(ctx, key, o.time)
	r.peak, r.stall, r.replies = peak(), stall(), crowd.String()
	return r, err
}

// latency returns the median time of a cached answer in milliseconds. The client has one connection and asks at every
// pace, for the time d. When an answer comes so late that the next question is late too, the time of the next answer
// counts from when its question was due. Otherwise a second without answers would count as one slow answer among many.
func (s *subject) latency(ctx context.Context, key string, d time.Duration) (float64, error) {
	var times []float64
	began := time.Now()
	for due := began; time.Since(began) < d; due = due.Add(pace) {
		asked := due
		if early := time.Until(due); early > 0 {
			if err := clock.Sleep(ctx, early); err != nil {
				return 0, err
			}
			asked = time.Now()
		}
		if _, err := s.ask(ctx, key, oneCarrier); err != nil {
			return 0, err
		}
		times = append(times, milliseconds(asked))
	}
	return median(times), nil
}

// watchMemory reads the memory of the process again and again, until the returned function is called. That returns the
// highest value in MB.
func (s *subject) watchMemory(ctx context.Context) func() float64 {
	ctx, cancel := context.WithCancel(ctx)
	seen := make(chan float64, 1)
	go func() {
		most := 0.0
		for ctx.Err() == nil {
			if mb, err := s.residentMB(); err == nil {
				most = max(most, mb)
			}
			_ = clock.Sleep(ctx, 20*time.Millisecond)
		}
		seen <- most
	}()
	return func() float64 { cancel(); return <-seen }
}

// watchStalls sleeps for pace again and again, until the returned function is called. That returns by how many
// milliseconds the longest sleep was too long. When a machine has more to run than cores, all processes wait, and a
// slow answer says nothing about Assay when this process waited as long.
func watchStalls(ctx context.Context) func() float64 {
	ctx, cancel := context.WithCancel(ctx)
	seen := make(chan float64, 1)
	go func() {
		most := 0.0
		for ctx.Err() == nil {
			asleep := time.Now()
			if clock.Sleep(ctx, pace) == nil {
				most = max(most, milliseconds(asleep.Add(pace)))
			}
		}
		seen <- most
	}()
	return func() float64 { cancel(); return <-seen }
}

// besiegers counts the replies to an attack.
type besiegers struct{ answered, refused, broken atomic.Int64 }

func (b *besiegers) String() string {
	return fmt.Sprintf("%d answered, %d refused, %d connections broken", b.answered.Load(), b.refused.Load(),
		b.broken.Load())
}

// begin starts the attack and returns the function that ends it.
func (a attack) begin(ctx context.Context, host string) (b *besiegers, leave func()) {
	ctx, cancel := context.WithCancel(ctx)
	b = &besiegers{}
	requests := a.requests(host)
	var running sync.WaitGroup
	for i := range a.connections {
		running.Go(func() {
			for n := i; ctx.Err() == nil; {
				err := a.connect(ctx, b, host, net.IPv4(127, 0, 1, byte(1+i%a.addresses)), requests, &n)
				if err != nil && ctx.Err() == nil {
					b.broken.Add(1)
					_ = clock.Sleep(ctx, 10*time.Millisecond)
				}
			}
		})
	}
	return b, func() { cancel(); running.Wait() }
}

// connect attacks over one connection until the server closes it. It sends the requests in turn and begins with
// request n.
func (a attack) connect(ctx context.Context, b *besiegers, host string, from net.IP, requests [][]byte, n *int) error {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: from}}
	conn, err := dialer.DialContext(ctx, "tcp", host)
	if err != nil {
		return err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	in := bufio.NewReader(conn)
	for ; ; *n++ {
		request := requests[*n%len(requests)]
		if a.slow {
			return trickle(ctx, conn, request)
		}
		if _, err := conn.Write(request); err != nil {
			return err
		}
		if again, err := b.read(in); err != nil || !again {
			return err
		}
	}
}

func (b *besiegers) read(in *bufio.Reader) (again bool, err error) {
	resp, err := http.ReadResponse(in, nil)
	if err != nil {
		return false, err
	}
	defer resp.Body.Close()
	if resp.StatusCode < http.StatusBadRequest {
		b.answered.Add(1)
	} else {
		b.refused.Add(1)
	}
	_, err = io.Copy(io.Discard, resp.Body)
	return !resp.Close, err
}

// trickle writes requests and reads the replies as slowly as ten bytes a second.
func trickle(ctx context.Context, conn net.Conn, requests []byte) error {
	if c, ok := conn.(*net.TCPConn); ok {
		_ = c.SetReadBuffer(1) // the least that the kernel allows
	}
	go func() { _, _ = conn.Write(requests) }() // ends with the connection
	for oneByte := make([]byte, 1); ; {
		if _, err := conn.Read(oneByte); err != nil {
			return errors.Join(err, ctx.Err())
		}
		if clock.Sleep(ctx, 100*time.Millisecond) != nil {
			return nil
		}
	}
}
