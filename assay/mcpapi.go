package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	client "assay.dev/clients/go"
	"assay.dev/contracts"
	"assay.dev/gateway/api"
)

// agentAPI is the API for the tools of an agent, each request sent once: tools tell the agent when to retry.
type agentAPI struct{ *client.Client }

// RoundTrip sends r to the API. When the API cannot be reached the response is a 503 of our own, in the form of the
// API's errors, that says so.
func (a agentAPI) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := a.Send(r)
	if err != nil && r.Context().Err() == nil {
		return unreachable(r, err)
	}
	return response, err
}

// unreachableRetry is when a call to an API that was down may work again.
const unreachableRetry = 30 * time.Second

func unreachable(r *http.Request, cause error) (*http.Response, error) {
	type detail struct {
		Error   contracts.Code `json:"error"`
		Message string         `json:"message"`
	}
	body, err := json.Marshal(map[string]detail{"detail": {contracts.SourceUnavailable, cause.Error()}})
	if err != nil {
		return nil, err
	}
	return &http.Response{
		StatusCode: http.StatusServiceUnavailable, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
		Header: http.Header{"Retry-After": {strconv.Itoa(int(unreachableRetry.Seconds()))}},
		Body:   io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)),
	}, nil
}

const (
	// checkTime bounds the check at the start: the agent waits for it.
	checkTime = 3 * time.Second
	// maxListing is more than the largest listing.
	maxListing = 1 << 20
)

// check asks the API for its listing. An API that is down may come up, so that is only said on standard error. The
// error is for an address where something other than the API answers.
func (a agentAPI) check(ctx context.Context, c *console, p contracts.Product) error {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	listing := api.ProductOf(p).ListingPath()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, listing, nil)
	if err != nil {
		return err
	}
	response, err := a.Send(request)
	if err != nil {
		fmt.Fprintln(c.errs, "assay:", err)
		return nil
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxListing))
	if err == nil && response.StatusCode >= http.StatusInternalServerError {
		err = errors.New(response.Status)
	}
	if err != nil {
		fmt.Fprintf(c.errs, "assay: the API at %s cannot be reached (%v)\n", a.URL(), err)
		return nil
	}
	if response.StatusCode == http.StatusNotFound || !json.Valid(body) {
		return fmt.Errorf("there is no Assay API at %s: %[1]s%s answers with status %d; "+
			"--url is the address before /v1, such as http://127.0.0.1:8080", a.URL(), listing, response.StatusCode)
	}
	return a.refusal(c, response.StatusCode, body)
}

// refusal tells the person at the terminal why the API refuses the key. The tools tell the agent.
func (a agentAPI) refusal(c *console, status int, body []byte) error {
	var refused struct {
		Detail struct{ Error, Message string }
	}
	if status == http.StatusOK {
		return nil
	}
	if json.Unmarshal(body, &refused) != nil || refused.Detail.Error == "" {
		return fmt.Errorf("there is no Assay API at %s: its answer, status %d, is none of the API's", a.URL(), status)
	}
	fmt.Fprintf(c.errs, "assay: the API at %s refuses: %q: %q\n", a.URL(), refused.Detail.Error, refused.Detail.Message)
	return nil
}
