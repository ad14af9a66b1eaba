package bench

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
)

const (
	toolCall = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}},` +
		`"name":"get_fuel_surcharge","arguments":{"carrier":"ODFL","weeks":26}}}`
	toolHeaders = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n" +
		"Mcp-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: get_fuel_surcharge\r\n"
)

// TestProfile writes a CPU profile of the binary under the load that it serves most: cached answers as JSON, compressed
// and to agents, and answers that are in no cache. A release is built with it (profile-guided optimization).
func TestProfile(t *testing.T) {
	if *profile == "" {
		t.Skip("`make profile` names the file")
	}
	m := newMisser(t, startSubject(t, "ASSAY_PROFILING=true"))
	loads := m.profiledLoads(*runTime)
	profiled := make(chan error, 1)
	go func() { profiled <- m.writeProfile(time.Duration(len(loads))**runTime, *profile) }()
	for _, load := range loads {
		load()
	}
	must(t, <-profiled)
}

// profiledLoads are what is profiled, one after the other, each for the time d.
func (m *misser) profiledLoads(d time.Duration) []func() {
	base, err := url.Parse(m.base)
	must(m.T, err)
	m.ask(m.key, oneCarrier)
	repeated := func(method, target, headers, body string) func() {
		return func() { repeat(m.T, base.Host, request(method, base.Host, target, m.key, headers, body), d) }
	}
	plain := repeated(http.MethodGet, oneCarrier, "", "")
	return []func(){
		plain, plain, plain,
		repeated(http.MethodGet, oneCarrier, "Accept-Encoding: gzip\r\n", ""),
		repeated(http.MethodPost, "/mcp/ltl", toolHeaders, toolCall),
		func() { m.missFor(d) },
	}
}

// missFor asks for answers that are in no cache for the time d, or until each was asked for once.
func (m *misser) missFor(d time.Duration) {
	end := time.Now().Add(d)
	for weeks := contracts.MinWeeks; weeks < contracts.MaxWeeks; weeks++ {
		for _, c := range plainCarriers {
			if time.Now().After(end) {
				return
			}
			if err := m.expire(c); !errors.Is(err, jetstream.ErrKeyNotFound) {
				must(m.T, err)
			}
			m.answer(c, weeks)
		}
	}
}

// writeProfile writes a CPU profile of the time d to a file.
func (m *misser) writeProfile(d time.Duration, file string) error {
	resp, err := http.Get(fmt.Sprintf("%s/debug/pprof/profile?seconds=%d", m.admin, max(1, int(d/time.Second))))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return errors.New("no profile: " + resp.Status)
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	_, err = f.ReadFrom(resp.Body)
	return errors.Join(err, f.Close())
}
