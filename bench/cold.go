package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
)

// maxColdRounds is how many rounds there are different numbers of weeks for: each round asks with two.
const maxColdRounds = (contracts.MaxWeeks - contracts.MinWeeks) / 2

// measureCold compares one request for all ten carriers, whose answers are in no cache, with the slowest of ten requests for
// one carrier each. Chromium runs from the start on.
func measureCold(ctx context.Context, o options) ([]figure, error) {
	s, err := startSubject(ctx, o.binary, "ASSAY_CHROMIUM_WARM=true")
	if err != nil {
		return nil, err
	}
	defer func() { _ = s.stop() }()
	m, err := newMisser(ctx, s)
	if err != nil {
		return nil, err
	}
	defer m.nats.Close()
	first, err := m.timed(ctx, contracts.MaxWeeks, contracts.Carriers...)
	if err != nil {
		return nil, err
	}
	var all, extra []float64
	for round := range min(o.rounds, maxColdRounds) {
		ten, slowest, err := m.coldRound(ctx, contracts.MinWeeks+2*round)
		if err != nil {
			return nil, err
		}
		all, extra = append(all, ten), append(extra, ten-slowest)
	}
	fmt.Printf("cold      ten carriers at once %.2f s, beyond the slowest of them %.2f s\n", all, extra)
	return []figure{
		{name: "ten carriers cold, beyond the slowest one", value: median(extra), unit: "s", target: 0.6,
			detail: fmt.Sprintf("medians of %d rounds, %.2f s in all; Chromium runs", len(extra), median(all))},
		{name: "ten carriers cold, first request", value: first, unit: "s", detail: "a moment after the start"},
	}, nil
}

// coldRound returns how long a request for all carriers takes, and the slowest request for one, in seconds. It asks for two
// numbers of weeks, beginning with weeks, because the gateway keeps a copy for each number.
func (m *misser) coldRound(ctx context.Context, weeks int) (ten, slowest float64, err error) {
	if ten, err = m.timed(ctx, weeks, contracts.Carriers...); err != nil {
		return 0, 0, err
	}
	for _, c := range contracts.Carriers {
		one, err := m.timed(ctx, weeks+1, c)
		if err != nil {
			return 0, 0, err
		}
		slowest = max(slowest, one)
	}
	return ten, slowest, nil
}

// timed asks for carriers whose stored answers have expired, and returns the seconds.
func (m *misser) timed(ctx context.Context, weeks int, carriers ...contracts.Carrier) (float64, error) {
	var codes []string
	for _, c := range carriers {
		if err := m.expire(ctx, c); err != nil && !errors.Is(err, jetstream.ErrKeyNotFound) {
			return 0, err
		}
		codes = append(codes, string(c))
	}
	began := time.Now()
	body, err := m.ask(ctx, m.key, fmt.Sprintf("/v1/ltl/fuel-surcharge?carriers=%s&weeks=%d", strings.Join(codes, ","), weeks))
	took := time.Since(began).Seconds()
	var all struct{ Errors []contracts.CarrierFailure }
	if err == nil {
		err = json.Unmarshal(body, &all)
	}
	if err == nil && len(all.Errors) > 0 {
		err = fmt.Errorf("not all carriers were read: %+v", all.Errors)
	}
	return took, err
}
