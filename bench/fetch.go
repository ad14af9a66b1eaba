package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
)

// get returns the body of a 200; every other status is an error. key is sent unless it is empty.
func get(ctx context.Context, client *http.Client, address, key string) ([]byte, error) {
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
		err = fmt.Errorf("GET %s: %s: %.200s", address, resp.Status, bytes.TrimSpace(body))
	}
	return body, err
}
