package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/keys"
)

type smokeCommand struct {
	Gateway string `help:"Base URL of the API." required:""`
	Sandbox string `help:"Admin URL of the sandbox, which knows its licenses." required:""`
}

// Help says what is asked.
func (smokeCommand) Help() string {
	return `It issues a test key, asks for the surcharge of each carrier and a license of each state, revokes the key, and
prints a line for each answer. It fails unless all answers are good.` + targetHelp
}

const (
	smokeTenant = "smoke"
	smokeTime   = 75 * time.Second
)

// Run asks everything, also after a failure.
func (s smokeCommand) Run(ctx context.Context, c *console) error {
	return withKeys(ctx, c, func(store *keys.Store) error {
		key, err := store.Create(ctx, keys.Record{
			Tenant: smokeTenant, Environment: contracts.Test, Products: contracts.Products, Limit: 1000, ExpiresAt: time.Now().UTC().Add(time.Hour).Truncate(time.Second),
		})
		if err != nil {
			return err
		}
		defer func() { _ = store.Revoke(context.WithoutCancel(ctx), key) }() // it expires anyway
		paths, err := s.paths(ctx)
		if err != nil {
			return err
		}
		failed := 0
		for _, path := range paths {
			began := time.Now()
			status, body, err := fetch(ctx, s.Gateway+path, key)
			fmt.Fprintf(c.out, "%d  %5d ms  %s\n", status, time.Since(began).Milliseconds(), path)
			if err != nil || status != http.StatusOK {
				failed++
				fmt.Fprintf(c.out, "      %v %s\n", err, strings.TrimSpace(body))
			}
		}
		if failed > 0 {
			return fmt.Errorf("%d of %d answers are not good", failed, len(paths))
		}
		return nil
	})
}

func (s smokeCommand) paths(ctx context.Context) ([]string, error) {
	paths := []string{"/health"}
	for _, carrier := range contracts.Carriers {
		paths = append(paths, "/v1/ltl/fuel-surcharge?carriers="+string(carrier))
	}
	for _, state := range contracts.States {
		status, body, err := fetch(ctx, s.Sandbox+"/licenses?limit=1&state="+string(state), "")
		var licenses []struct{ Number string }
		if err == nil {
			err = json.Unmarshal([]byte(body), &licenses)
		}
		if err == nil && len(licenses) == 0 {
			err = fmt.Errorf("status %d and no licenses", status)
		}
		if err != nil {
			return nil, fmt.Errorf("the sandbox's licenses of %s: %w", state, err)
		}
		paths = append(paths, "/v1/abc/license/"+url.PathEscape(licenses[0].Number)+"?state="+string(state))
	}
	return paths, nil
}

func fetch(ctx context.Context, address, key string) (status int, body string, err error) {
	ctx, cancel := context.WithTimeout(ctx, smokeTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return 0, "", err
	}
	if key != "" {
		req.Header.Set("X-API-Key", key)
	}
	resp, err := (&http.Client{Timeout: smokeTime}).Do(req)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	return resp.StatusCode, string(text), err
}
