// Package client asks the Assay API for fuel surcharges and liquor licenses. It stands on the standard library and on
// assay.dev/contracts, whose types are the bodies of answers.
//
//	c, err := client.New(client.Options{RequireConfidence: 0.90}) // the key is ASSAY_API_KEY
//	rate, err := c.FuelSurcharge(ctx, contracts.ODFL, client.Weeks{AsOf: "2026-09-11"})
//	license, err := c.License(ctx, contracts.TX, "100001140")
//	err = license.Require("suspensions") // an error where the register shows none
package client

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"assay.dev/contracts"
)

// The defaults of [Options].
const (
	DefaultURL      = "http://127.0.0.1:8080"
	DefaultTimeout  = 2 * time.Minute
	DefaultAttempts = 3
)

// The variables of the environment that stand for options that are empty.
const (
	KeyVariable     = "ASSAY_API_KEY"
	KeyFileVariable = "ASSAY_API_KEY_FILE"
	URLVariable     = "ASSAY_API_URL"
)

// Options say whom a client asks and what it takes for an answer. The zero Options take all from the environment.
type Options struct {
	// Key is the API key; empty takes ASSAY_API_KEY, or the content of the file that ASSAY_API_KEY_FILE names.
	Key string
	// URL is the address of the API before /v1, such as https://api.example.com; empty takes ASSAY_API_URL, or
	// [DefaultURL].
	URL string
	// RequireConfidence makes an answer whose confidence is lower an error, a *[ConfidenceError]. 0 takes every answer;
	// 0.90 is the contract's gate, with Require("current") for the current rate.
	RequireConfidence float64
	// Timeout bounds a call with its retries; 0 is [DefaultTimeout]. Some registers take a minute.
	Timeout time.Duration
	// Attempts bound how often a call is sent that is answered with 429 or 503; 0 is [DefaultAttempts], 1 never
	// retries.
	Attempts int
	// Transport sends the requests; nil is one of the client's own, which [Client.Close] closes.
	Transport http.RoundTripper
}

// Client asks the API. It is safe for concurrent use.
type Client struct {
	base       string
	key        func() string // a function, so that no format prints the key
	confidence float64
	timeout    time.Duration
	attempts   int
	transport  http.RoundTripper
}

// New makes a client. The error says which option is missing or wrong; it never holds the key.
func New(o Options) (*Client, error) {
	key, err := keyOf(o.Key)
	if err != nil {
		return nil, err
	}
	base, err := baseOf(o.URL)
	if err != nil {
		return nil, err
	}
	c := &Client{
		base: base, key: func() string { return key }, confidence: o.RequireConfidence,
		timeout: o.Timeout, attempts: o.Attempts, transport: o.Transport,
	}
	if c.timeout <= 0 {
		c.timeout = DefaultTimeout
	}
	if c.attempts <= 0 {
		c.attempts = DefaultAttempts
	}
	if c.transport == nil {
		c.transport = &http.Transport{
			Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, IdleConnTimeout: time.Minute,
			ResponseHeaderTimeout: c.timeout,
		}
	}
	return c, nil
}

// URL is the address of the API, without a slash at its end.
func (c *Client) URL() string { return c.base }

// Close closes connections that are idle.
func (c *Client) Close() {
	if t, ok := c.transport.(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
}

// keyOf gives the key of the options, or else the key of the environment.
func keyOf(given string) (string, error) {
	key := given
	if key == "" {
		key = os.Getenv(KeyVariable)
	}
	if file := os.Getenv(KeyFileVariable); key == "" && file != "" {
		text, err := os.ReadFile(file) //nolint:gosec // whoever sets the environment names the file
		if err != nil {
			return "", err
		}
		key = strings.TrimSpace(string(text))
	}
	if key == "" {
		return "", errors.New(KeyVariable + " is not set: `assay keys create` issues a key")
	}
	if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", errors.New("the API key has a blank or a character that no key has")
	}
	return key, nil
}

// baseOf gives the address of the options, or else the address of the environment, or else the default.
func baseOf(given string) (string, error) {
	address := given
	if address == "" {
		address = os.Getenv(URLVariable)
	}
	if address == "" {
		address = DefaultURL
	}
	if err := CheckURL(address); err != nil {
		return "", err
	}
	base, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	return base.Scheme + "://" + base.Host + strings.TrimRight(base.Path, "/"), nil
}

// CheckURL refuses an address that none of an API can be.
func CheckURL(address string) error {
	base, err := url.Parse(address)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return fmt.Errorf("URL %q: want an address such as %s", contracts.Printable(address), DefaultURL)
	}
	return nil
}
