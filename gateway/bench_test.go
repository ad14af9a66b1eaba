package gateway_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"

	"assay.dev/contracts"
)

// hammer asks over kept-alive connections with as little work as possible.
func hammer(b *testing.B, address, key string) { hammerFor(b, address, key, "") }

// hammerFor asks with a further header, such as "Accept: text/csv\r\n".
func hammerFor(b *testing.B, address, key, header string) {
	b.Helper()
	hammerWith(b, address, "GET "+surchargePath+"?carriers=ODFL&weeks=26 HTTP/1.1\r\nHost: x\r\nX-API-Key: "+key+"\r\n"+header+"\r\n")
}

func hammerWith(b *testing.B, address, text string) {
	b.Helper()
	request := []byte(text)
	b.SetParallelism(16)
	b.ReportAllocs()
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			b.Error(err)
			return
		}
		defer conn.Close()
		in := bufio.NewReader(conn)
		for pb.Next() {
			if _, err := conn.Write(request); err != nil {
				b.Error(err)
				return
			}
			if err := skipResponse(in); err != nil {
				b.Error(err)
				return
			}
		}
	})
}

func skipResponse(in *bufio.Reader) error {
	length, chunked := 0, false
	for first := true; ; first = false {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return err
		}
		if first && !strings.Contains(string(line), " 200 ") {
			return io.ErrUnexpectedEOF
		}
		if name := "Content-Length: "; len(line) > len(name) && string(line[:len(name)]) == name {
			for _, c := range line[len(name) : len(line)-2] {
				length = length*10 + int(c-'0')
			}
		}
		chunked = chunked || string(line) == "Transfer-Encoding: chunked\r\n"
		if len(line) == 2 && chunked {
			if _, err := io.Copy(io.Discard, httputil.NewChunkedReader(in)); err != nil {
				return err
			}
			_, err := in.ReadSlice('\n') // behind the last chunk
			return err
		}
		if len(line) == 2 {
			_, err := in.Discard(length)
			return err
		}
	}
}

func BenchmarkCachedAnswer(b *testing.B) { benchmarkCached(b, "") }

// BenchmarkCachedCSV is BenchmarkCachedAnswer as CSV.
func BenchmarkCachedCSV(b *testing.B) { benchmarkCached(b, "Accept: text/csv\r\n") }

func benchmarkCached(b *testing.B, header string) {
	b.Helper()
	s := newSystem(b)
	s.worker(contracts.Test)
	g := s.gateway()
	key := s.key(limit(100_000_000))
	if r := g.get(key, surchargePath+"?carriers=ODFL&weeks=26"); r.StatusCode != 200 {
		b.Fatal(r.StatusCode)
	}
	hammerFor(b, strings.TrimPrefix(g.url, "http://"), key, header)
}

// BenchmarkBareGin writes the same bytes without any of a gateway's duties.
func BenchmarkBareGin(b *testing.B) {
	s := newSystem(b)
	s.worker(contracts.Test)
	body := s.gateway().get(s.key(), surchargePath+"?carriers=ODFL&weeks=26").body
	gin.SetMode(gin.ReleaseMode)
	e := gin.New()
	e.GET(surchargePath, func(c *gin.Context) { c.Data(http.StatusOK, "application/json", body) })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	server := &http.Server{Handler: e}
	go func() { _ = server.Serve(l) }()
	b.Cleanup(func() { _ = server.Close() })
	hammer(b, l.Addr().String(), "")
}

// BenchmarkToolCall is BenchmarkCachedAnswer as a tool call.
func BenchmarkToolCall(b *testing.B) {
	for _, protocol := range protocols {
		b.Run(protocol, func(b *testing.B) {
			s := newSystem(b)
			s.worker(contracts.Test)
			g := s.gateway()
			key := s.key(limit(100_000_000))
			message := toolsCall(protocol, "get_fuel_surcharge", `{"carrier":"ODFL","weeks":26}`)
			if r := g.message(protocol, "/mcp/ltl", key, message); r.StatusCode != 200 {
				b.Fatal(r.StatusCode)
			}
			address := strings.TrimPrefix(g.url, "http://")
			hammerWith(b, address, fmt.Sprintf("POST /mcp/ltl HTTP/1.1\r\nHost: %s\r\nX-API-Key: %s\r\nContent-Type: application/json\r\n"+
				"Accept: application/json, text/event-stream\r\nMcp-Protocol-Version: %s\r\nMcp-Method: tools/call\r\nMcp-Name: get_fuel_surcharge\r\n"+
				"Content-Length: %d\r\n\r\n%s", address, key, protocol, len(message), message))
		})
	}
}
