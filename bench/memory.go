package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"assay.dev/contracts"
)

// mixedTime is how long everything is asked for before the memory is read.
const mixedTime = 20 * time.Second

// measureMemory has the system read every carrier and search every state, and answer from its caches, and reads what it
// holds then. Chromium's processes are not counted.
func measureMemory(ctx context.Context, o options) ([]figure, error) {
	s, err := startSubject(ctx, o.binary)
	if err != nil {
		return nil, err
	}
	defer func() { _ = s.stop() }()
	key, err := s.unlimitedKey(ctx)
	if err != nil {
		return nil, err
	}
	base, err := url.Parse(s.base)
	if err != nil {
		return nil, err
	}
	for end := time.Now().Add(mixedTime); time.Now().Before(end); {
		if _, err := s.ask(ctx, key, "/v1/ltl/fuel-surcharge?weeks=26"); err != nil {
			return nil, err
		}
		for _, state := range contracts.States {
			if _, err := s.ask(ctx, key, fmt.Sprintf("/v1/abc/search?state=%s&dba_name=cafe", state)); err != nil {
				return nil, err
			}
		}
		hit := request(http.MethodGet, base.Host, oneCarrier, key, "", "")
		if _, err := repeat(ctx, base.Host, hit, o.time); err != nil {
			return nil, err
		}
	}
	mb, err := s.residentMB()
	return []figure{{name: "resident memory, after mixed load", value: mb, unit: "MB", target: 180,
		detail: fmt.Sprintf("all carriers, a search in every state, hits, for %s", mixedTime)}}, err
}
