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
		"sucuri website firewall", "captcha", "client challenge", "checking your browser", "un momento",
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
	if !looksLikeHTML(body) {
		return ""
	}
	seen := look(body)
	for _, title := range challengeTitles {
		if strings.HasPrefix(seen.title, title) {
			return "title " + strconv.Quote(title)
		}
	}
	source := strings.ToLower(string(body))
	for _, marker := range challengeMarkers {
		if strings.Contains(source, marker) {
			return "marker " + strconv.Quote(marker)
		}
	}
	if seen.table || seen.text > thinText {
		return ""
	}
	for _, marker := range thinMarkers {
		if strings.Contains(source, marker) {
			return "a page with little but " + strconv.Quote(marker)
		}
	}
	return ""
}

func looksLikeHTML(body []byte) bool {
	start := bytes.TrimLeft(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")), " \t\r\n")
	return bytes.HasPrefix(start, []byte("<"))
}

type appearance struct {
	title string // lower-case, trimmed
	text  int    // bytes of visible text
	table bool   // there are table cells
}

func look(body []byte) appearance {
	var a appearance
	var inside string // title, or an element whose text nobody sees
	for tokens := html.NewTokenizer(bytes.NewReader(body)); ; {
		switch tokens.Next() {
		case html.ErrorToken:
			return a
		case html.StartTagToken:
			name, _ := tokens.TagName()
			switch string(name) {
			case "title", "script", "style", "noscript", "template":
				inside = string(name)
			case "td":
				a.table = true
			}
		case html.EndTagToken:
			if name, _ := tokens.TagName(); string(name) == inside {
				inside = ""
			}
		case html.TextToken:
			text := strings.Join(strings.Fields(string(tokens.Text())), " ")
			switch {
			case inside == "title" && a.title == "":
				a.title = strings.ToLower(text)
			case inside == "":
				a.text += len(text)
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
