package gateway_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway"
	"assay.dev/platform/clock/clocktest"
)

// few allows one address few anonymous requests.
func few(c *gateway.Config) { c.AnonymousLimit = 3 }

func TestBatchesAreRefused(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	g := s.gateway()
	list := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	for name, c := range map[string]struct {
		protocol, path, message string
		status                  int
	}{
		"one message":          {handshake, "/mcp/ltl", list, 200},
		"white space before":   {handshake, "/mcp/ltl", " \r\n\t" + list, 200},
		"a batch":              {handshake, "/mcp/ltl", "[" + list + "]", 400},
		"a batch, no protocol": {"", "/mcp/ltl", "[" + list + "]", 400},
		"a batch of the first": {"2025-03-26", "/mcp-ltl/", "[" + list + "," + list + "]", 400},
		"a batch of the last":  {stateless, "/mcp/abc", " \n[" + list + "]", 400},
		"an empty batch":       {handshake, "/mcp-abc", "[]", 400},
		"a batch cut short":    {handshake, "/mcp/abc/", "[", 400},
	} {
		t.Run(name, func(t *testing.T) {
			for _, key := range []string{"", s.key()} {
				r := g.message(c.protocol, c.path, key, c.message)
				var answer struct {
					ID    json.RawMessage
					Error struct{ Code int }
				}
				if err := json.Unmarshal(r.body, &answer); err != nil || r.StatusCode != c.status {
					t.Fatalf("%d %s", r.StatusCode, r.body)
				}
				if c.status == 400 && (string(answer.ID) != "null" || answer.Error.Code != -32600) {
					t.Errorf("%s", r.body)
				}
			}
		})
	}
}

// What is answered without a key is limited by address, whatever is asked for; with a valid key it is not.
func TestAnonymousRequestsShareOneLimit(t *testing.T) {
	waitsForSeconds(t)
	t.Parallel()
	s := newSystem(t)
	key, other := s.key(), s.key(products(contracts.ABC))
	ask := map[string]func(g *runningGateway, key string) *response{
		"an unknown path": func(g *runningGateway, key string) *response { return g.get(key, "/x") },
		"a wrong method":  func(g *runningGateway, key string) *response { return g.do(http.MethodDelete, key, "/health") },
		"the document":    func(g *runningGateway, key string) *response { return g.get(key, "/openapi.json") },
		"the guide": func(g *runningGateway, key string) *response {
			r, _ := g.try(http.MethodGet, key, "/llms.txt")
			return r
		},
		"the catalog": func(g *runningGateway, key string) *response {
			r, _ := g.try(http.MethodGet, key, "/.well-known/mcp/catalog.json")
			return r
		},
		"a list": func(g *runningGateway, key string) *response {
			return g.message(handshake, "/mcp/ltl", key, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
		},
		"a tool call": func(g *runningGateway, key string) *response {
			return g.message(stateless, "/mcp/ltl", key, toolsCall(stateless, "list_carriers", `{}`))
		},
		"what is no message": func(g *runningGateway, key string) *response { return g.message(handshake, "/mcp/abc", key, "x") },
	}
	for name, ask := range ask {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := s.gateway(few)
			for i := range 3 {
				if r := ask(g, []string{"", "wrong", ""}[i]); r.StatusCode == http.StatusTooManyRequests {
					t.Fatalf("request %d: %s", i+1, r.body)
				}
			}
			r := ask(g, "")
			if r.StatusCode != http.StatusTooManyRequests || r.code() != contracts.RateLimited || r.Header.Get("Retry-After") == "" {
				t.Errorf("the fourth of three: %d %v %s", r.StatusCode, r.Header, r.body)
			}
			if r := g.get("", surchargePath); r.StatusCode != http.StatusTooManyRequests {
				t.Errorf("another route: %d", r.StatusCode)
			}
			if r := g.get(other, surchargePath); r.StatusCode != http.StatusTooManyRequests {
				t.Errorf("a key without the product: %d", r.StatusCode)
			}
			for i := range 5 {
				if r := ask(g, key); r.StatusCode == http.StatusTooManyRequests {
					t.Errorf("with a key, request %d: %s", i+1, r.body)
				}
			}
			metrics := g.metrics()
			for _, want := range []string{
				`gateway_anonymous_total{environment="",outcome="admitted",service="gateway"} 3`,
				`gateway_anonymous_total{environment="",outcome="address_rate",service="gateway"} 3`,
			} {
				if !strings.Contains(metrics, want) {
					t.Errorf("no %s", want)
				}
			}
		})
	}
}

// What is open to all is limited by tenant where a valid key comes with it, beside the limit of the key.
func TestPagesOfATenantAreLimited(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	g := s.gateway()
	key, other := s.key(limit(1)), s.key(tenant("bolt"))
	asked := 0
	for r := g.get(key, "/openapi.json"); r.StatusCode == http.StatusOK && asked < 1000; asked++ {
		r = g.do(http.MethodHead, key, "/openapi.json")
		if r.StatusCode == http.StatusTooManyRequests && r.Header.Get("Retry-After") != "" {
			break
		}
	}
	if asked < 600 || asked == 1000 {
		t.Errorf("%d requests were answered", asked)
	}
	if r := g.message(handshake, "/mcp/ltl", key, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`); r.StatusCode != http.StatusTooManyRequests {
		t.Errorf("a message: %d", r.StatusCode)
	}
	if r := g.get(key, auditsPath); r.StatusCode != http.StatusOK {
		t.Errorf("what the key permits: %d %s", r.StatusCode, r.body)
	}
	if r := g.get(other, "/openapi.json"); r.StatusCode != http.StatusOK {
		t.Errorf("another tenant: %d", r.StatusCode)
	}
}

// Who guesses keys in the log-in form is a stranger, whatever key comes beside.
func TestALogInIsAStrangers(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	g := s.gateway(withConsole, few)
	key, status := s.key(), 0
	for i := range 5 {
		guess := url.Values{"key": {fmt.Sprintf("%040d", i)}}
		status = g.submit("/console/session", guess, "Sec-Fetch-Site", "same-origin", "X-Api-Key", key).StatusCode
	}
	if status != http.StatusTooManyRequests {
		t.Errorf("a fifth guess of three: %d", status)
	}
}

// A key that is new to a gateway needs a look-up, which is anonymous until the key is known; the request is not.
func TestANewKeyIsNotHurried(t *testing.T) {
	waitsForSeconds(t)
	t.Parallel()
	s := newSystem(t)
	w := s.worker(contracts.Test)
	w.slow.Store(int64(6 * time.Second)) // longer than an anonymous request may take
	g := s.gateway()
	if r := g.get(s.key(), surchargePath+"?carriers=ODFL"); r.StatusCode != http.StatusOK {
		t.Errorf("%d %s", r.StatusCode, r.body)
	}
}

func TestAllAddressesShareOneRate(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	g := s.gateway(func(c *gateway.Config) { c.AnonymousRate = 1 })
	key := s.key()
	var statuses [20]int
	var asking sync.WaitGroup
	for i := range statuses {
		asking.Go(func() {
			if r, err := g.from(i+1, "GET /openapi.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"); err == nil {
				statuses[i] = r.StatusCode
			}
		})
	}
	asking.Wait()
	if !slices.Contains(statuses[:], 200) || !slices.Contains(statuses[:], 429) {
		t.Errorf("statuses %v of 20 addresses at once, one a second is allowed", statuses)
	}
	for range 5 {
		if r := g.get(key, "/health"); r.StatusCode != http.StatusOK {
			t.Errorf("a good key: %d", r.StatusCode)
		}
	}
}

// from sends bytes from the address 127.0.2.n and reads one answer.
func (g *runningGateway) from(n int, request string) (*response, error) {
	conn, err := g.dialFrom(n)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, request); err != nil {
		return nil, err
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return &response{resp, body}, err
}

func (g *runningGateway) dialFrom(n int) (net.Conn, error) {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 2, byte(n))}, Timeout: clocktest.Patience}
	conn, err := dialer.DialContext(g.t.Context(), "tcp", strings.TrimPrefix(g.url, "http://"))
	if err == nil {
		err = conn.SetDeadline(time.Now().Add(clocktest.Patience))
	}
	return conn, err
}

// slowBodies begins many requests from the address 127.0.2.n that wait for the rest of their bodies, and returns once all are admitted.
func (g *runningGateway) slowBodies(n, many int) (slow []net.Conn) {
	g.t.Helper()
	const head = "POST /mcp/ltl HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: 1000\r\n\r\n{"
	const admitted = `gateway_anonymous_total{environment="",outcome="admitted",service="gateway"}`
	before, _ := g.metric(admitted) // none yet
	for range many {
		conn, err := g.dialFrom(n)
		if err != nil {
			g.t.Fatal(err)
		}
		g.t.Cleanup(func() { _ = conn.Close() })
		if _, err := io.WriteString(conn, head); err != nil {
			g.t.Fatal(err)
		}
		slow = append(slow, conn)
	}
	clocktest.Await(g.t, "all are admitted", func() bool { // before another request takes the place of one
		now, err := g.metric(admitted)
		return err == nil && now == before+float64(many)
	})
	return slow
}

// Who sends a body byte by byte holds one of the few places of an address for a few seconds, and no other's. It runs alone,
// because it measures time.
func TestSlowAnonymousBodiesAreCutOff(t *testing.T) {
	waitsForSeconds(t)
	s := newSystem(t)
	g := s.gateway()
	const document = "GET /openapi.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
	n := 0
	clocktest.Await(t, "all is seen before the first body is cut off, and the last one is within 8 s", func() bool {
		began := time.Now()
		n++
		slow := g.slowBodies(n, 8)
		refused, err := g.from(n, document)
		served, errOther := g.from(100+n, document)
		if time.Since(began) > 4*time.Second { // the place of the first may be free again after five
			return false
		}
		if err != nil || refused.StatusCode != http.StatusTooManyRequests {
			t.Errorf("beside all that an address may have at once: %v %v", err, refused)
		}
		if errOther != nil || served.StatusCode != http.StatusOK {
			t.Errorf("another address: %v %v", errOther, served)
		}
		for _, conn := range slow {
			_, _ = io.Copy(io.Discard, conn) // until the gateway closes it
		}
		took := time.Since(began)
		t.Logf("the gateway closed the last body after %s", took)
		return took <= 8*time.Second // any other request is given ten
	})
	if r, err := g.from(n, document); err != nil || r.StatusCode != http.StatusOK {
		t.Errorf("afterwards: %v %v", err, r)
	}
	if !strings.Contains(g.metrics(), `outcome="address_active",service="gateway"} `) {
		t.Error("no metric tells of it")
	}
}

func TestAnonymousBodiesAreSmall(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Test)
	g := s.gateway()
	message := toolsCall(handshake, "list_carriers", `{"x":"`+strings.Repeat("x", 16<<10)+`"}`)
	if r := g.message(handshake, "/mcp/ltl", "", message); r.StatusCode != http.StatusRequestEntityTooLarge || r.code() != contracts.RequestTooLarge {
		t.Errorf("%d %s", r.StatusCode, r.body)
	}
	if r := g.message(handshake, "/mcp/ltl", s.key(), message); r.StatusCode != http.StatusOK {
		t.Errorf("with a key: %d %s", r.StatusCode, r.body)
	}
	chunked := "POST /mcp/ltl HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n" +
		"Transfer-Encoding: chunked\r\n\r\n" + fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(message), message)
	if r, err := g.from(1, chunked); err != nil || r.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("in chunks: %v %v", err, r)
	}
}

// Nobody gets more than 256 KB for a request without a key, whatever of it is sent back.
func TestAnonymousRepliesAreSmall(t *testing.T) {
	t.Parallel()
	g := newSystem(t).gateway()
	const most = 256 << 10
	for _, path := range []string{"/openapi.json", "/llms.txt", "/.well-known/mcp/catalog.json", "/.well-known/mcp/ltl/server-card.json", "/x"} {
		for _, host := range []string{"x", strings.Repeat("a", 15_000)} {
			r, err := g.from(1, "GET "+path+" HTTP/1.1\r\nHost: "+host+"\r\nConnection: close\r\n\r\n")
			if err != nil || len(r.body) > most {
				t.Errorf("%s: %v, %d bytes", path, err, len(r.body))
			}
			if strings.Contains(string(r.body), strings.Repeat("a", 300)) {
				t.Errorf("%s sends the host back: %d bytes", path, len(r.body))
			}
		}
	}
	for _, protocol := range append(protocols, "2025-03-26") {
		for _, filler := range []string{"<", "\u2028", `\u0001`, `\"`, "\x7f"} {
			long := strings.Repeat(filler, 15_000/len(filler))
			for name, message := range map[string]string{
				"id":       `{"jsonrpc":"2.0","id":"` + long + `","method":"tools/list"}`,
				"method":   `{"jsonrpc":"2.0","id":1,"method":"` + long + `"}`,
				"tool":     `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + long + `"}}`,
				"prompt":   `{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"` + long + `"}}`,
				"argument": `{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"ltl_fuel_surcharge_audit","arguments":{"carrier":"` + long + `"}}}`,
				"cursor":   `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"` + long + `"}}`,
				"version":  `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + long + `","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
				"tool's":   toolsCall(protocol, "get_fuel_surcharge", `{"`+long+`":1}`),
			} {
				if r := g.message(protocol, "/mcp/ltl", "", message, "Mcp-Method", "x", "Mcp-Name", "x"); len(r.body) > most {
					t.Errorf("%s of %q: %d bytes", name, filler, len(r.body))
				}
			}
		}
	}
}
