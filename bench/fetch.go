package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
)

// refusal is an answer that is not 200.
type refusal struct {
	address string
	status  int
	body    []byte
}

func (r *refusal) Error() string {
	return fmt.Sprintf("GET %s: %d %s: %.200s", r.address, r.status, http.StatusText(r.status), bytes.TrimSpace(r.body))
}

// fetch returns the body of a reply with status 200. For any other status it returns a [refusal]. It sends key unless
// key is empty.
func fetch(ctx context.Context, client *http.Client, address, key string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	if key != "" {
		req.Header.Set("X-API-Key", key)
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = &refusal{address, resp.StatusCode, body}
	}
	return body, err
}
