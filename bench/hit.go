package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
)

// measureHit compares cached answers through the whole gateway with a bare gin handler that writes the same bytes, and with an nginx
// that checks the key, keeps a limit and has the same bytes in its cache.
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
	sides := []string{s.base, bare}
	nginx, stopNginx, err := startNginxBefore(ctx, bare, key)
	switch {
	case errors.Is(err, errNoNginx):
		fmt.Printf("hit       %v\n", err)
	case err != nil:
		return nil, err
	default:
		defer stopNginx()
		sides = append(sides, nginx)
	}
	rates, err := hitRates(ctx, o, key, sides)
	if err != nil {
		return nil, err
	}
	return hitFigures(rates, len(body)), nil
}

func startNginxBefore(ctx context.Context, bare, key string) (base string, stop func(), err error) {
	origin, err := url.Parse(bare)
	if err != nil {
		return "", nil, err
	}
	return startNginx(ctx, origin.Host, key)
}

// hitRates asks each side in turn, and returns the answers a second of each in all rounds.
func hitRates(ctx context.Context, o options, key string, sides []string) ([][]float64, error) {
	rates := make([][]float64, len(sides))
	for range o.rounds {
		for i, base := range sides {
			rate, err := load(ctx, base+oneCarrier, key, o.time)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", base, err)
			}
			rates[i] = append(rates[i], rate)
		}
	}
	return rates, nil
}

// hitFigures are the ratios of the gateway's rates, the first, to those of bare gin and, where it was measured, of nginx.
func hitFigures(rates [][]float64, size int) []figure {
	whole, plain := rates[0], rates[1]
	ratios := quotients(whole, plain)
	fmt.Printf("hit       gateway %.0f/s, bare gin %.0f/s, ratios %.2f, body of %d bytes\n", median(whole), median(plain), ratios, size)
	figures := []figure{{
		name: "cached answers, gateway ÷ bare gin", value: median(ratios), target: 0.8, least: true,
		detail: fmt.Sprintf("%.0f/s ÷ %.0f/s, %d connections, auth, limit, cache and metrics on", median(whole), median(plain), connections),
	}}
	if len(rates) > 2 {
		figures = append(figures, figure{
			name: "cached answers, gateway ÷ nginx", value: median(quotients(whole, rates[2])),
			detail: fmt.Sprintf("%.0f/s ÷ %.0f/s, nginx with auth_request, limit_req and proxy_cache of the same body", median(whole), median(rates[2])),
		})
	}
	return figures
}

// quotients divides the values of each round.
func quotients(of, by []float64) (ratios []float64) {
	for i := range of {
		ratios = append(ratios, of[i]/by[i])
	}
	return ratios
}
