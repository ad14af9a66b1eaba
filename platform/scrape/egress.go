package scrape

import (
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"

	"golang.org/x/net/http/httpproxy"
)

// Transport reaches what an operator configured, such as a paid service: through the proxy and the authorities of e,
// but without the guards of a [Fetcher], which are for addresses that foreign pages name.
func (e Egress) Transport() (*http.Transport, error) {
	if err := e.validate(); err != nil {
		return nil, err
	}
	roots, err := rootsFrom(e.CAFile)
	if err != nil {
		return nil, err
	}
	t := newTransport(roots, &net.Dialer{Timeout: 10 * time.Second})
	proxyFor := e.proxyFor()
	t.Proxy = func(r *http.Request) (*url.URL, error) { return proxyFor(r.URL) }
	return t, nil
}

func (e Egress) validate() error {
	for _, proxy := range []string{e.HTTPProxy, e.HTTPSProxy} {
		if _, err := url.Parse(proxy); err != nil {
			return errors.New("HTTP_PROXY or HTTPS_PROXY is not a URL") // the value may hold a password
		}
	}
	return nil
}

func (e Egress) proxyFor() func(*url.URL) (*url.URL, error) {
	proxies := httpproxy.Config{HTTPProxy: e.HTTPProxy, HTTPSProxy: e.HTTPSProxy, NoProxy: e.NoProxy}
	return proxies.ProxyFunc()
}

// rootsFrom reads the only authorities to trust; nil, the system's, for no file.
func rootsFrom(file string) (*x509.CertPool, error) {
	if file == "" {
		return nil, nil
	}
	pem, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("SSL_CERT_FILE: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("SSL_CERT_FILE: %s holds no certificate", file)
	}
	return pool, nil
}
