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
	whole, plain, err := hitRates(ctx, o, key, s.base, bare)
	if err != nil {
		return nil, err
	}
	ratios := quotients(whole, plain)
	fmt.Printf("hit       gateway %.0f/s, bare gin %.0f/s, ratios %.2f, body of %d bytes\n",
		median(whole), median(plain), ratios, len(body))
	return []figure{{
		name: "cached answers, gateway ÷ bare gin", value: median(ratios), target: 0.8, least: true,
		detail: fmt.Sprintf("%.0f/s ÷ %.0f/s, %d connections, auth, limit, cache and metrics on",
			median(whole), median(plain), connections),
	}}, nil
}

// hitRates asks both in turn, and returns the answers a second of each in all rounds.
func hitRates(ctx context.Context, o options, key, gateway, bare string) (whole, plain []float64, err error) {
	for range o.rounds {
		for base, rates := range map[string]*[]float64{gateway: &whole, bare: &plain} {
			rate, err := load(ctx, base+oneCarrier, key, o.time)
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %w", base, err)
			}
			*rates = append(*rates, rate)
		}
	}
	return whole, plain, nil
}

// quotients divides the values of each round.
func quotients(of, by []float64) (ratios []float64) {
	for i := range of {
		ratios = append(ratios, of[i]/by[i])
	}
	return ratios
}
