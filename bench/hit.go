package main

import (
	"bytes"
	"context"
	"fmt"
)

// measureHit compares cached answers through the whole gateway with a bare gin handler that writes the same bytes.
func measureHit(ctx context.Context, o options) ([]figure, error) {
	s, err := startSubject(ctx, o.binary)
	if err != nil {
		return nil, err
	}
	defer func() { _ = s.stop() }()
	key, err := s.unlimitedKey(ctx)
	if err != nil {
		return nil, err
	}
	body, err := s.ask(ctx, key, oneCarrier)
	if err != nil {
		return nil, err
	}
	bare, stop, err := startBare(ctx, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	defer stop()
	var whole, plain, ratios []float64
	for range o.rounds {
		a, err := load(ctx, s.base+oneCarrier, key, o.time)
		if err != nil {
			return nil, err
		}
		b, err := load(ctx, bare+oneCarrier, key, o.time)
		if err != nil {
			return nil, err
		}
		whole, plain, ratios = append(whole, a), append(plain, b), append(ratios, a/b)
	}
	fmt.Printf("hit       gateway %.0f/s, bare gin %.0f/s, ratios %.2f, body of %d bytes\n", median(whole), median(plain),
		ratios, len(body))
	return []figure{{
		name: "cached answers, gateway ÷ bare gin", value: median(ratios), target: 0.6, least: true,
		detail: fmt.Sprintf("%.0f/s ÷ %.0f/s, %d connections, auth, limit, cache and metrics on", median(whole),
			median(plain), connections),
	}}, nil
}
