package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
)

const (
	toolCall = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}},` +
		`"name":"get_fuel_surcharge","arguments":{"carrier":"ODFL","weeks":26}}}`
	toolHeaders = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n" +
		"Mcp-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: get_fuel_surcharge\r\n"
)

// measureTool compares the time of a cached answer to an agent's tool call with the time of the same answer over REST.
// The client is the same. The ratio has no target, because the MCP SDK makes a session for each call and takes most of
// the time.
func measureTool(ctx context.Context, o options) ([]figure, error) {
	s, err := startSubject(ctx, o.binary)
	if err != nil {
		return nil, err
	}
	defer func() { _ = s.stop() }()
	key, err := s.unlimitedKey(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := s.ask(ctx, key, oneCarrier); err != nil {
		return nil, err
	}
	base, err := url.Parse(s.base)
	if err != nil {
		return nil, err
	}
	rest := request(http.MethodGet, base.Host, oneCarrier, key, "", "")
	tool := request(http.MethodPost, base.Host, "/mcp/ltl", key, toolHeaders, toolCall)
	var ratios, tools, rests []float64
	for range o.rounds {
		a, err := repeat(ctx, base.Host, tool, o.time)
		if err != nil {
			return nil, fmt.Errorf("tool calls: %w", err)
		}
		b, err := repeat(ctx, base.Host, rest, o.time)
		if err != nil {
			return nil, fmt.Errorf("REST: %w", err)
		}
		tools, rests, ratios = append(tools, a), append(rests, b), append(ratios, b/a)
	}
	fmt.Printf("tool      tool calls %.0f/s, REST %.0f/s, times a call %.2f\n", median(tools), median(rests), ratios)
	return []figure{{
		name: "cached answer, tool call ÷ REST", value: median(ratios), unit: "×",
		detail: fmt.Sprintf("time a call under load: %.0f/s against %.0f/s, %d connections", median(tools), median(rests),
			connections),
	}}, nil
}
