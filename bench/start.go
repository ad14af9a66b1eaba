package main

import (
	"context"
	"fmt"
	"time"

	"assay.dev/platform/clock"
)

const (
	oneCarrier = "/v1/ltl/fuel-surcharge?carriers=ODFL&weeks=26"
	// idle is how long nobody asks anything before the memory is read.
	idle = 3 * time.Second
)

// measureStart starts the system on an empty directory. It measures the time to the first answer and the memory,
// before any request has needed a browser.
func measureStart(ctx context.Context, o options) ([]figure, error) {
	var seconds, resident []float64
	for range o.rounds {
		first, mb, err := startOnce(ctx, o.binary)
		if err != nil {
			return nil, err
		}
		seconds, resident = append(seconds, first.Seconds()), append(resident, mb)
	}
	fmt.Printf("start     %v s to the first answer, %v MB idle\n", seconds, resident)
	return []figure{
		{name: "start to first answer", value: median(seconds), unit: "s", target: 0.4,
			detail: "empty data directory, cold ODFL"},
		{name: "resident memory, idle", value: median(resident), unit: "MB", target: 100,
			detail: "assay up, no Chromium running"},
	}, nil
}

func startOnce(ctx context.Context, binary string) (first time.Duration, mb float64, err error) {
	s, err := startSubject(ctx, binary)
	if err != nil {
		return 0, 0, err
	}
	defer func() { _ = s.stop() }()
	if _, err := s.ask(ctx, s.key, oneCarrier); err != nil {
		return 0, 0, err
	}
	first = time.Since(s.began)
	if err := clock.Sleep(ctx, idle); err != nil {
		return 0, 0, err
	}
	mb, err = s.residentMB()
	return first, mb, err
}
