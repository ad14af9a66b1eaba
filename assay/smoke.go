package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
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

// Help says what is asked, and when the command fails.
func (smokeCommand) Help() string {
	return `It issues a test key, asks for the surcharge of each carrier and a license of each state, another one at each run,
revokes the key, and prints a line for each answer: status, time, how it was read, path. It fails unless all answers
are good: 200, a license in the state in which the sandbox has it, and a surcharge that the deployment read itself: the
paid rendering service reads what its browser cannot, and would hide that the browser does not run.` + targetHelp
}

const (
	smokeTenant = "smoke"
	smokeTime   = 75 * time.Second
)

// question is a request to the API. For a license, status is the one that the sandbox gives it; for others it is
// empty. Of a surcharge, unpaid is set: no paid service is to read it.
type question struct {
	path   string
	status contracts.Status
	unpaid bool
}

// Run asks all questions, and goes on after a wrong answer.
func (s smokeCommand) Run(ctx context.Context, c *console) error {
	return withKeys(ctx, c, func(store *keys.Store) error {
		key, err := store.Create(ctx, keys.Record{
			Tenant: smokeTenant, Environment: contracts.Test, Products: contracts.Products, Limit: 1000,
			ExpiresAt: time.Now().UTC().Add(time.Hour).Truncate(time.Second),
		})
		if err != nil {
			return err
		}
		defer func() { _ = store.Revoke(context.WithoutCancel(ctx), key) }() // it expires anyway
		questions, err := s.questions(ctx)
		if err != nil {
			return err
		}
		failed := 0
		for _, q := range questions {
			began := time.Now()
			status, body, err := fetch(ctx, s.Gateway+q.path, key)
			method, wrong := q.check(status, body, err)
			fmt.Fprintf(c.out, "%d  %5d ms  %-16s  %s\n", status, time.Since(began).Milliseconds(), method, q.path)
			if wrong != nil {
				failed++
				fmt.Fprintf(c.out, "      %v\n", wrong)
			}
		}
		if failed > 0 {
			return fmt.Errorf("%d of %d answers are not good", failed, len(questions))
		}
		return nil
	})
}

// check returns how the source was read (the extraction method) and what is wrong with the answer, if anything.
func (q question) check(status int, body string, err error) (contracts.Method, error) {
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("%s", strings.TrimSpace(body))
	}
	if err != nil {
		return "", err
	}
	var answer struct {
		Record        contracts.LicenseRecord `json:"record"`
		Verifiability contracts.Verifiability `json:"_verifiability"`
	}
	err = json.Unmarshal([]byte(body), &answer)
	method := answer.Verifiability.ExtractionMethod
	if err == nil && answer.Record.Status != q.status {
		err = fmt.Errorf("the license is %s, the answer says %s", q.status, answer.Record.Status)
	}
	if err == nil && q.unpaid && method == contracts.ScraperAPI {
		err = errors.New("the paid rendering service read it: see in ltl-worker's log why its own paths, " +
			"such as its browser, did not")
	}
	return method, err
}

func (s smokeCommand) questions(ctx context.Context) ([]question, error) {
	all := []question{{path: "/health"}}
	for _, carrier := range contracts.Carriers {
		all = append(all, question{path: "/v1/ltl/fuel-surcharge?carriers=" + string(carrier), unpaid: true})
	}
	for _, state := range contracts.States {
		q, err := s.license(ctx, state)
		if err != nil {
			return nil, fmt.Errorf("the sandbox's licenses of %s: %w", state, err)
		}
		all = append(all, q)
	}
	return all, nil
}

// license makes a question about a license of the state. It picks at random among those that the state's first path
// shows.
func (s smokeCommand) license(ctx context.Context, state contracts.State) (question, error) {
	status, body, err := fetch(ctx, s.Sandbox+"/licenses?limit=500&state="+string(state), "")
	var licenses []struct {
		Number  string
		Primary *contracts.LicenseRecord
	}
	if err == nil {
		err = json.Unmarshal([]byte(body), &licenses)
	}
	for _, i := range rand.Perm(len(licenses)) {
		if l := licenses[i]; l.Primary != nil {
			path := "/v1/abc/license/" + url.PathEscape(l.Number) + "?state=" + string(state)
			return question{path: path, status: l.Primary.Status}, nil
		}
	}
	if err == nil {
		err = fmt.Errorf("status %d and no licenses", status)
	}
	return question{}, err
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
