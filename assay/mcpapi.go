package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/daemon"
)

// remoteAPI sends requests to the API with the key of the agent.
type remoteAPI struct {
	base string // such as http://127.0.0.1:8080
	key  daemon.Secret
	next http.RoundTripper
}

// RoundTrip sends r to the API. It follows no redirect, so that the key goes nowhere else. When the API cannot be
// reached the response is a 503 of our own, in the form of the API's errors, that says so.
func (a remoteAPI) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := a.send(r)
	if err != nil && r.Context().Err() == nil {
		return a.unreachable(r, err)
	}
	return response, err
}

func (a remoteAPI) send(r *http.Request) (*http.Response, error) {
	target, err := url.Parse(a.base + r.URL.RequestURI())
	if err != nil {
		return nil, err
	}
	sent := r.Clone(r.Context())
	sent.URL, sent.Host = target, target.Host
	sent.Header.Set("X-API-Key", a.key.Reveal())
	return a.next.RoundTrip(sent)
}

// unreachableText says what is wrong and how to look.
func (a remoteAPI) unreachableText(cause error) string {
	return fmt.Sprintf("the API at %s cannot be reached (%v); "+
		"check that it runs, with curl %[1]s/openapi.json, and that --url is right", a.base, cause)
}

// unreachableRetry is when a call to an API that was down may work again.
const unreachableRetry = 30 * time.Second

func (a remoteAPI) unreachable(r *http.Request, cause error) (*http.Response, error) {
	type detail struct {
		Error   contracts.Code `json:"error"`
		Message string         `json:"message"`
	}
	body, err := json.Marshal(map[string]detail{"detail": {contracts.SourceUnavailable, a.unreachableText(cause)}})
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

// listings are the paths that the check asks for. They cost nothing, and no source is read for them.
var listings = map[contracts.Product]string{contracts.LTL: "/v1/ltl/carriers", contracts.ABC: "/v1/abc/states"}

// check asks the API for its listing. An API that is down may come up, so that is only said on standard error. The
// error is for an address where something other than the API answers.
func (a remoteAPI) check(ctx context.Context, c *console, p contracts.Product) error {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, listings[p], nil)
	if err != nil {
		return err
	}
	response, err := a.send(request)
	if err != nil {
		fmt.Fprintln(c.errs, "assay:", a.unreachableText(err))
		return nil
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxListing))
	if err == nil && response.StatusCode >= http.StatusInternalServerError {
		err = errors.New(response.Status)
	}
	if err != nil {
		fmt.Fprintln(c.errs, "assay:", a.unreachableText(err))
		return nil
	}
	if response.StatusCode == http.StatusNotFound || !json.Valid(body) {
		return fmt.Errorf("there is no Assay API at %s: %[1]s%s answers with status %d; "+
			"--url is the address before /v1, such as http://127.0.0.1:8080", a.base, listings[p], response.StatusCode)
	}
	return a.refusal(c, response.StatusCode, body)
}

// refusal tells the person at the terminal why the API refuses the key. The tools tell the agent.
func (a remoteAPI) refusal(c *console, status int, body []byte) error {
	var refused struct {
		Detail struct{ Error, Message string }
	}
	if status == http.StatusOK {
		return nil
	}
	if json.Unmarshal(body, &refused) != nil || refused.Detail.Error == "" {
		return fmt.Errorf("there is no Assay API at %s: its answer, status %d, is none of the API's", a.base, status)
	}
	fmt.Fprintf(c.errs, "assay: the API at %s refuses: %q: %q\n", a.base, refused.Detail.Error, refused.Detail.Message)
	return nil
}
