package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
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

// writeProfile writes a CPU profile of the binary under the load that it serves most: cached answers as JSON,
// compressed and to agents, and answers that are in no cache. A release is built with it (profile-guided optimization).
func writeProfile(ctx context.Context, o options, file string) error {
	s, err := startSubject(ctx, o.binary, "ASSAY_PROFILING=true")
	if err != nil {
		return err
	}
	defer func() { _ = s.stop() }()
	m, err := newMisser(ctx, s)
	if err != nil {
		return err
	}
	defer m.nats.Close()
	loads, err := profiledLoads(ctx, m, o.time)
	if err != nil {
		return err
	}
	profiles := make(chan error, 1)
	go func() { profiles <- s.fetchProfile(ctx, time.Duration(len(loads))*o.time, file) }()
	for _, load := range loads {
		if err := load(); err != nil {
			return err
		}
	}
	return <-profiles
}

// profiledLoads are what is profiled, one after the other, each for the time d.
func profiledLoads(ctx context.Context, m *misser, d time.Duration) (loads []func() error, err error) {
	base, err := url.Parse(m.base)
	if err != nil {
		return nil, err
	}
	if _, err := m.subject.ask(ctx, m.key, oneCarrier); err != nil {
		return nil, err
	}
	repeated := func(method, target, headers, body string) func() error {
		return func() error {
			_, err := repeat(ctx, base.Host, request(method, base.Host, target, m.key, headers, body), d)
			return err
		}
	}
	plain := repeated(http.MethodGet, oneCarrier, "", "")
	return []func() error{
		plain, plain, plain,
		repeated(http.MethodGet, oneCarrier, "Accept-Encoding: gzip\r\n", ""),
		repeated(http.MethodPost, "/mcp/ltl", toolHeaders, toolCall),
		func() error { return m.missFor(ctx, d) },
	}, nil
}

// missFor asks for answers that are in no cache for the time d, or until each was asked for once.
func (m *misser) missFor(ctx context.Context, d time.Duration) error {
	end := time.Now().Add(d)
	for weeks := contracts.MinWeeks; weeks < contracts.MaxWeeks; weeks++ {
		for _, c := range plainCarriers {
			if time.Now().After(end) {
				return nil
			}
			if err := m.miss(ctx, c, weeks); err != nil {
				return err
			}
		}
	}
	return nil
}

// miss asks for an answer that no cache holds any more.
func (m *misser) miss(ctx context.Context, c contracts.Carrier, weeks int) error {
	if err := m.expire(ctx, c); err != nil && !errors.Is(err, jetstream.ErrKeyNotFound) {
		return err
	}
	_, err := m.answer(ctx, c, weeks)
	return err
}

// fetchProfile writes a CPU profile of the time d to a file.
func (s *subject) fetchProfile(ctx context.Context, d time.Duration, file string) error {
	address := fmt.Sprintf("%s/debug/pprof/profile?seconds=%d", s.admin, max(1, int(d/time.Second)))
	profile, err := fetch(ctx, http.DefaultClient, address, "")
	if err != nil {
		return err
	}
	return os.WriteFile(file, profile, 0o600)
}
