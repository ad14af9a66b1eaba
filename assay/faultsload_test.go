package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"assay.dev/platform/clock"
	"assay.dev/platform/clock/clocktest"
)

// loadFaults are clients that ask for too much.
var loadFaults = []fault{
	{
		name: "10,000 requests for one cold key over three gateways", run: oneColdKey,
		must: "exactly 1 upstream fetch; all answered ≤ fetch + 500 ms",
	},
	{
		name: "one tenant at 1,000 requests a second over three gateways", run: oneGreedyTenant,
		must: "≤ 60 in any 60 s; the others' p99 unchanged",
	},
	{
		name: "500 cold requests for TX", run: manySolves,
		must: "a bounded queue, the rest 503 with Retry-After within 50 ms; CA unaffected",
	},
	{
		name: "5,000 slowloris, smuggled requests, 64 KB of headers, 10,000 `carriers`", run: hostileRequests,
		must: "400, 413, 414, 431; hits: 0 errors, p99 < 2× that of another gateway; resident memory ≤ +200 MB",
	},
}

// crowd is an HTTP client with that many connections to each gateway.
func crowd(connections int) *http.Client {
	return &http.Client{
		Transport: &http.Transport{MaxConnsPerHost: connections, MaxIdleConnsPerHost: connections},
		Timeout:   time.Minute,
	}
}

func getOver(ctx context.Context, c *http.Client, url, key string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	req.Header.Set("X-API-Key", key)
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = &refusal{resp.StatusCode, url, string(body), resp.Header}
	}
	return err
}

func oneColdKey(r *row) {
	const requests = 10_000
	d := r.ownSystem()
	_, err := d.control(http.MethodDelete, "/requests", "")
	r.need(err)
	client := crowd(400)
	defer client.CloseIdleConnections()
	var all replies
	var asking sync.WaitGroup
	gateways := *d.gateways.Load()
	for i := range requests {
		asking.Go(func() {
			var began time.Time // when the request goes out: before, it waits for a connection
			ctx := httptrace.WithClientTrace(r.Context(), &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { began = time.Now() }})
			err := getOver(ctx, client, gateways[i%3].api+"/v1/ltl/fuel-surcharge?carriers=SEFL", d.key)
			all.add(reply{int64(i), began, time.Since(began), err})
		})
	}
	asking.Wait()
	counts, err := d.control(http.MethodGet, "/requests?host=www.sefl.com", "")
	r.need(err)
	r.holds(strings.HasSuffix(strings.TrimSpace(counts), ":1}"), "the site was asked for %s", strings.TrimSpace(counts))
	fetch := all.firstAnswer()
	r.holds(len(all.failed()) == 0 && all.quantile(1) <= fetch+500*time.Millisecond, "the first answer after %s; %s, over 1,200 connections", milliseconds(fetch), &all)
}

func oneGreedyTenant(r *row) {
	const while, rate = 75 * time.Second, 1000
	d := r.system()
	greedy := must(r.T, d.environ, "keys", "create", "--tenant", fmt.Sprint("greedy-", r.seed))
	gateways := *d.gateways.Load()
	for _, g := range gateways {
		clocktest.Await(r.T, "the key is known", func() bool { return status(g.api+"/health", greedy) == http.StatusOK })
	}
	quiet := d.observe(3000, func() {})
	client := crowd(50)
	defer client.CloseIdleConnections()
	var admitted replies
	var refused, failed atomic.Int64
	loud := d.observe(0, func() {
		tick := time.NewTicker(time.Second / rate)
		defer tick.Stop()
		var asking sync.WaitGroup
		defer asking.Wait()
		began := time.Now()
		for i := 0; time.Since(began) < while; i++ {
			<-tick.C
			asking.Go(func() {
				asked := time.Now()
				switch err := getOver(r.Context(), client, gateways[i%3].api+cachedPath, greedy); statusOf(err) {
				case http.StatusOK:
					admitted.add(reply{int64(i), asked, time.Since(asked), nil})
				case http.StatusTooManyRequests:
					refused.Add(1)
				default:
					failed.Add(1)
				}
			})
		}
	})
	most := admitted.mostWithin(time.Minute)
	r.holds(most <= 60 && failed.Load() == 0, "%d admitted in %s, at most %d in any 60 s; %d refused, %d failed", admitted.count(), while, most, refused.Load(), failed.Load())
	before, meanwhile := quiet.hits.quantile(0.99), loud.hits.quantile(0.99)
	r.holds(len(loud.failed()) == 0 && meanwhile <= max(2*before, 20*time.Millisecond), "the others' p99 %s before and %s meanwhile (client and servers share the cores)",
		milliseconds(before), milliseconds(meanwhile))
}

func manySolves(r *row) {
	const requests = 500
	d := r.system()
	_, err := d.control(http.MethodPatch, "/solvers/2captcha/", `{"delay_seconds":5}`)
	r.need(err)
	paths := d.texas(requests)
	client := crowd(500)
	defer client.CloseIdleConnections()
	var all, others replies
	var asking sync.WaitGroup
	gateways := *d.gateways.Load()
	for i := range paths { // connections are open before: who dials 500 at once measures the dialing
		asking.Go(func() { _ = getOver(r.Context(), client, gateways[i%3].api+cachedPath, d.key) })
	}
	asking.Wait()
	for i, path := range paths {
		asking.Go(func() {
			began := time.Now()
			err := getOver(r.Context(), client, gateways[i%3].api+path, d.key)
			all.add(reply{int64(i), began, time.Since(began), err})
		})
	}
	done := make(chan struct{})
	go func() { asking.Wait(); close(done) }()
	for i := 0; ; i++ {
		asked := time.Now()
		err := askEither(gateways, int64(i), d.nextCold(), d.key)
		others.add(reply{int64(i), asked, time.Since(asked), err})
		select {
		case <-done:
			r.afterManySolves(&all, &others)
			return
		default:
			r.need(clock.Sleep(r.Context(), 100*time.Millisecond))
		}
	}
}

func (r *row) afterManySolves(all, others *replies) {
	counts := all.statuses()
	unsaid := 0
	var soon replies
	for _, one := range all.failed() {
		if refused, ok := asRefusal(one.err); !ok || refused.header.Get("Retry-After") == "" {
			unsaid++
		}
		if one.took <= 50*time.Millisecond {
			soon.add(one)
		}
	}
	r.holds(counts[http.StatusOK]+counts[http.StatusServiceUnavailable] == all.count() && unsaid == 0, "%s; %d refusals without Retry-After", all, unsaid)
	r.holds(soon.count() == counts[http.StatusServiceUnavailable], "%d of %d refusals within 50 ms", soon.count(), counts[http.StatusServiceUnavailable])
	r.holds(len(others.failed()) == 0, "CA, NY and FL meanwhile: %s", others)
}

// hostileRequests attacks one gateway. The clients share the cores with the gateways, so hits take longer at all of them: those of the
// attacked one are compared with another's at the same time.
func hostileRequests(r *row) {
	const slow, megabytes = 5000, 200
	d := r.ownSystem()
	gateways := *d.gateways.Load()
	g := gateways[0]
	host := strings.TrimPrefix(g.api, "http://")
	hits := func(while time.Duration) (there, elsewhere *replies) {
		there, elsewhere = &replies{}, &replies{}
		client := crowd(1)
		defer client.CloseIdleConnections()
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for began := time.Now(); time.Since(began) < while; {
			for api, all := range map[string]*replies{g.api: there, gateways[1].api: elsewhere} {
				<-tick.C
				asked := time.Now()
				err := getOver(r.Context(), client, api+cachedPath, d.key)
				all.add(reply{int64(all.count()), asked, time.Since(asked), err})
			}
		}
		return there, elsewhere
	}
	alone, _ := hits(5 * time.Second)
	memory, most := residentMB(g.Process.Pid), 0

	ctx, stop := context.WithCancel(r.Context())
	var attacking sync.WaitGroup
	defer attacking.Wait()
	defer stop()
	var open, cut atomic.Int64
	for i := range slow {
		attacking.Go(func() {
			for clock.Sleep(ctx, time.Duration(i)*time.Second/slow) == nil { // spread over a second, also when all are cut at once
				open.Add(1)
				if drip(ctx, host) != nil {
					cut.Add(1)
				}
				open.Add(-1)
			}
		})
	}
	clocktest.Await(r.T, "many drip", func() bool { return open.Load() > slow/2 })
	attacking.Go(func() {
		for clock.Sleep(ctx, 50*time.Millisecond) == nil {
			most = max(most, residentMB(g.Process.Pid))
		}
	})
	answered := map[string]map[int]int{}
	attacking.Go(func() {
		for clock.Sleep(ctx, 50*time.Millisecond) == nil {
			for name, request := range hostile(d.key) {
				if answered[name] == nil {
					answered[name] = map[int]int{}
				}
				answered[name][statusOfRaw(ctx, host, request)]++
			}
		}
	})
	beside, elsewhere := hits(30 * time.Second)
	stop()
	attacking.Wait()
	r.holds(len(beside.failed()) == 0 && beside.quantile(0.99) < r.bound(2*elsewhere.quantile(0.99)),
		"hits before: %s; beside %d clients that drip: %s; meanwhile at a gateway that is not attacked: %s", alone, slow, beside, elsewhere)
	r.holds(most-memory <= megabytes, "they were cut %d times, and began again; resident memory %d MB before, %d at most", cut.Load(), memory, most)
	for name, want := range hostileStatuses {
		r.holds(len(answered[name]) == 1 && answered[name][want] > 0, "%s: %v", name, answered[name])
	}
}

var hostileStatuses = map[string]int{
	"two lengths": http.StatusBadRequest, "a length and chunks": http.StatusRequestEntityTooLarge, "a blank before the colon": http.StatusBadRequest,
	"64 KB of headers": http.StatusRequestHeaderFieldsTooLarge, "10,000 carriers": http.StatusRequestURITooLong,
}

// hostile is one request for each of hostileStatuses. The smuggled ones are followed by a request that must not be answered.
func hostile(key string) map[string]string {
	head := "GET " + cachedPath + " HTTP/1.1\r\nHost: x\r\nX-API-Key: " + key + "\r\n"
	smuggled := head + "\r\n"
	return map[string]string{
		"two lengths":              head + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc" + smuggled,
		"a length and chunks":      head + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + smuggled,
		"a blank before the colon": head + "Content-Length : 3\r\n\r\nabc" + smuggled,
		"64 KB of headers":         head + "X-Fill: " + strings.Repeat("a", 64<<10) + "\r\n\r\n",
		"10,000 carriers":          strings.Replace(head, "=", "="+strings.Repeat("ODFL,", 10_000), 1) + "\r\n",
	}
}

// statusOfRaw sends request and reads until the connection is closed. It is -1 when there is not exactly one answer.
func statusOfRaw(ctx context.Context, host, request string) int {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", host)
	if err != nil {
		return -1
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	go func() { _, _ = io.WriteString(conn, request) }() // ends with the connection: who is refused early need not be read to the end
	in := bufio.NewReader(conn)
	resp, err := http.ReadResponse(in, nil)
	if err != nil {
		return -1
	}
	defer resp.Body.Close()
	if _, err = io.Copy(io.Discard, resp.Body); err != nil {
		return -1
	}
	if more, _ := in.Peek(1); len(more) > 0 {
		return -1
	}
	return resp.StatusCode
}

// drip sends a request that never ends, a byte a second, until it is cut.
func drip(ctx context.Context, host string) error {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", host)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err = io.WriteString(conn, "GET "+cachedPath+" HTTP/1.1\r\nHost: x\r\nX-Slow: "); err != nil {
		return err
	}
	for clock.Sleep(ctx, time.Second) == nil {
		if _, err = io.WriteString(conn, "a"); err != nil {
			return err
		}
	}
	return nil
}
