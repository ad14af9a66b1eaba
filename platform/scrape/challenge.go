package scrape

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/html"
)

// Interstitials say who they are in a response header, in the title, or in a marker of their scripts. Pages behind
// the same protection carry some of those scripts too, so a marker that both have counts only when the page has next to
// nothing to read.
var (
	challengeHeaders = []struct{ name, prefix string }{
		{"Cf-Mitigated", "challenge"}, {"X-Amzn-Waf-Action", "challenge"}, {"X-Amzn-Waf-Action", "captcha"},
	}
	challengeTitles = []string{
		"just a moment", "attention required! | cloudflare", "please wait... | cloudflare", "ddos-guard",
		"access denied", "access to this page has been denied", "pardon our interruption", "request rejected",
		"request unsuccessful", "robot check", "bot verification", "human verification", "security check",
		"verifying you are human", "verify you are human", "are you a robot", "are you human", "you have been blocked",
		"sucuri website firewall", "captcha", "client challenge", "checking your browser",
	}
	challengeMarkers = []string{
		"_cf_chl_opt", "cf-browser-verification", "id=\"challenge-form\"", "id=\"challenge-running\"",
		"id=\"px-captcha\"", "id='px-captcha'", "sec-if-cpt-container", "captcha-delivery.com/captcha",
		"window.gokuprops", "errors.edgesuite.net",
	}
	thinMarkers = []string{
		"_incapsula_resource", "incapsula incident id", "/cdn-cgi/challenge-platform/", "perimeterx", "bm-verify",
		"enable javascript and cookies", "enable cookies and javascript", "javascript and cookies are required",
		"verify you are human", "verify that you are human", "you are not a robot", "you're not a robot", "unusual traffic",
		"g-recaptcha", "h-captcha", "cf-turnstile", "checking your browser", "complete the security check",
	}
)

const (
	challengeLook = 256 << 10 // how far into a page we look
	thinText      = 700       // bytes of visible text; an interstitial has a sentence or two
)

// Challenge is the sign by which p is a robot check rather than the page asked for; empty when it is none.
func Challenge(p *Page) string {
	for _, h := range challengeHeaders {
		if strings.HasPrefix(strings.ToLower(p.Header.Get(h.name)), h.prefix) {
			return "header " + h.name
		}
	}
	body := p.Body[:min(len(p.Body), challengeLook)]
	if !LooksLikeMarkup(body) {
		return ""
	}
	title := titleOf(body)
	for _, known := range challengeTitles {
		if strings.HasPrefix(title, known) {
			return "title " + strconv.Quote(known)
		}
	}
	source := bytes.ToLower(body)
	if marker := firstIn(source, challengeMarkers); marker != "" {
		return "marker " + strconv.Quote(marker)
	}
	if marker := firstIn(source, thinMarkers); marker != "" && thin(body) {
		return "a page with little but " + strconv.Quote(marker)
	}
	return ""
}

func firstIn(source []byte, markers []string) string {
	for _, marker := range markers {
		if bytes.Contains(source, []byte(marker)) {
			return marker
		}
	}
	return ""
}

// LooksLikeMarkup tells whether a body begins like a page, also one that should be data.
func LooksLikeMarkup(body []byte) bool {
	start := bytes.TrimLeft(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")), " \t\r\n")
	return bytes.HasPrefix(start, []byte("<"))
}

// titleOf is the title in lower case; empty when the body begins before one.
func titleOf(body []byte) string {
	inside := false
	for tokens := html.NewTokenizer(bytes.NewReader(body)); ; {
		switch tokens.Next() {
		case html.ErrorToken:
			return ""
		case html.StartTagToken:
			switch name, _ := tokens.TagName(); string(name) {
			case "title":
				inside = true
			case "body":
				return ""
			}
		case html.TextToken:
			if inside {
				return strings.ToLower(strings.Join(strings.Fields(string(tokens.Text())), " "))
			}
		}
	}
}

// thin tells whether there is next to nothing to read: no table cell and a sentence or two.
func thin(body []byte) bool {
	text, hidden := 0, ""
	for tokens := html.NewTokenizer(bytes.NewReader(body)); ; {
		switch tokens.Next() {
		case html.ErrorToken:
			return true
		case html.StartTagToken:
			switch name, _ := tokens.TagName(); string(name) {
			case "title", "script", "style", "noscript", "template":
				hidden = string(name)
			case "td":
				return false
			}
		case html.EndTagToken:
			if name, _ := tokens.TagName(); string(name) == hidden {
				hidden = ""
			}
		case html.TextToken:
			if hidden == "" {
				text += len(bytes.Join(bytes.Fields(tokens.Text()), []byte(" ")))
			}
			if text > thinText {
				return false
			}
		}
	}
}

// judge tells whether p is an answer; the error is a *Failure that holds p.
func judge(p *Page) error {
	fail := func(kind Kind, format string, args ...any) error {
		f := Failf(kind, format, args...)
		f.Page, f.RetryAfter = p, retryAfter(p.Header, p.ReadAt)
		return f
	}
	sign := Challenge(p)
	switch {
	case sign != "":
		return fail(Blocked, "%s shows a robot check (status %d, %s)", withoutQuery(p.URL), p.Status, sign)
	case p.Status == http.StatusOK && len(p.Body) == 0:
		return fail(Changed, "%s answers 200 with nothing in it", withoutQuery(p.URL))
	case p.Status < 400:
		return nil
	}
	kind := Changed
	switch p.Status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusUnavailableForLegalReasons:
		kind = Blocked
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		kind = Throttled
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusProxyAuthRequired:
		kind = Unreachable
	}
	if p.Status >= 500 && kind != Throttled {
		kind = Unreachable
	}
	return fail(kind, "%s answers %d", withoutQuery(p.URL), p.Status)
}

const maxRetryAfter = time.Hour

// retryAfter reads the header in seconds or as a date; 0 when absent or in the past.
func retryAfter(h http.Header, now time.Time) time.Duration {
	text := h.Get("Retry-After")
	after := time.Duration(0)
	if n, err := strconv.Atoi(text); err == nil {
		after = time.Duration(min(n, int(maxRetryAfter/time.Second))) * time.Second
	} else if at, err := http.ParseTime(text); err == nil {
		after = at.Sub(now)
	}
	return max(0, min(after, maxRetryAfter))
}
