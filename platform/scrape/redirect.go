package scrape

import (
	"net/http"
	"net/url"
	"strings"
)

const maxRedirects = 3

// follow is the request that a redirect answer asks for; false when the answer is not one. It stays within the
// registrable domain: a source that sends us elsewhere has changed.
func follow(r Request, p *Page) (Request, bool, error) {
	switch p.Status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return Request{}, false, nil
	}
	from, err := url.Parse(p.URL)
	if err != nil {
		return Request{}, false, Failf(Changed, "a redirect from an unreadable URL")
	}
	to, err := from.Parse(p.Header.Get("Location"))
	if err != nil || p.Header.Get("Location") == "" {
		return Request{}, false, Failf(Changed, "a redirect without a readable Location")
	}
	if !SameSite(from.Hostname(), to.Hostname()) {
		return Request{}, false, Failf(Changed, "%s redirects out of its domain, to %q", from.Hostname(), to.Hostname())
	}
	// A server behind a TLS proxy often believes that it speaks http. What came by https stays there.
	if from.Scheme == "https" && to.Scheme == "http" && to.Port() == "" {
		to.Scheme = "https"
	}
	r.URL = to.String()
	if p.Status != http.StatusTemporaryRedirect && p.Status != http.StatusPermanentRedirect {
		r.Body, r.Form = nil, nil
		if r.Method != http.MethodHead {
			r.Method = http.MethodGet
		}
	}
	if from.Host != to.Host {
		r.Header = withoutSecrets(r.Header)
	}
	return r, true, nil
}

// withoutSecrets keeps the headers that another host of the same owner may see.
func withoutSecrets(h http.Header) http.Header {
	kept := http.Header{}
	for name, values := range h {
		if strings.HasPrefix(name, "Accept") || name == "User-Agent" || name == "Content-Type" ||
			strings.HasPrefix(name, "If-") {
			kept[name] = values
		}
	}
	return kept
}
