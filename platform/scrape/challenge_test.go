package scrape

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestChallenge(t *testing.T) {
	prose := strings.Repeat("<p>Fuel surcharges change each week with the national average price of diesel.</p>", 20)
	for _, tc := range []struct {
		name, body string
		header     http.Header
		want       bool
	}{
		{name: "cloudflare", want: true, body: `<html><head><title>Just a moment...</title></head><body><script>window._cf_chl_opt={}</script></body></html>`},
		{name: "cloudflare by header", want: true, header: http.Header{"Cf-Mitigated": {"challenge"}}, body: "x"},
		{name: "cloudflare block", want: true, body: `<title>Attention Required! | Cloudflare</title>` + prose},
		{name: "akamai", want: true, body: `<HTML><HEAD><TITLE>Access Denied</TITLE></HEAD><BODY>Reference #18.1</BODY></HTML>`},
		{name: "akamai behavioural", want: true, body: `<html><body><div id="sec-if-cpt-container"></div></body></html>`},
		{name: "perimeterx", want: true, body: `<title>Hold on</title><div id="px-captcha"></div>`},
		{name: "incapsula", want: true, body: `<html><head><META NAME="robots"></head><iframe src="/_Incapsula_Resource?x">Request unsuccessful. Incapsula incident ID: 1</iframe></html>`},
		{name: "datadome", want: true, body: `<script src="https://geo.captcha-delivery.com/captcha/?x"></script>`},
		{name: "generic", want: true, body: `<html><body><h1>One more step</h1>Please enable JavaScript and cookies to continue.</body></html>`},
		{name: "generic captcha", want: true, body: `<html><title>Verification</title><body>Please confirm <div class="h-captcha" data-sitekey="x"></div></body></html>`},
		{name: "a normal page", body: prose},
		{name: "a normal page behind cloudflare", body: prose + `<script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>`},
		{name: "a short table behind incapsula", body: `<table><tr><td>46.32%</td></tr></table><script src="/_Incapsula_Resource?x"></script>`},
		{name: "an unrendered application", body: `<html><title>Fuel Surcharge</title><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div></html>`},
		{name: "a form with its own captcha image", body: `<html><title>Public Inquiry</title><form>Enter the CAPTCHA code <img src="CaptchaImage.aspx"><input name="code"></form></html>`},
		{name: "a form with reCAPTCHA among text", body: prose + `<div class="g-recaptcha"></div>`},
		{name: "json that mentions it", body: `{"title":"<title>Just a moment...</title>"}`},
		{name: "nothing"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := Challenge(&Page{Status: 200, Header: tc.header, Body: []byte(tc.body)}); (got != "") != tc.want {
				t.Errorf("got %q, want %v", got, tc.want)
			}
		})
	}
}

func FuzzChallenge(f *testing.F) {
	f.Add([]byte("<title>Just a moment...</title>"))
	f.Add([]byte("<table><td>46.32%"))
	f.Add([]byte("<script><!--<title>"))
	f.Fuzz(func(t *testing.T, body []byte) {
		p := &Page{Status: 200, Header: http.Header{"Content-Type": {"text/html"}}, Body: body}
		if sign := Challenge(p); sign != "" && !LooksLikeMarkup(body) {
			t.Errorf("%s in what is no HTML", sign)
		}
		_ = p.Text()
	})
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 9, 8, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"": 0, "7": 7 * time.Second, "-5": 0, "999999999": time.Hour, "soon": 0,
		"Tue, 08 Sep 2026 12:01:00 GMT": time.Minute, "Tue, 08 Sep 2026 11:00:00 GMT": 0, "Wed, 08 Sep 2027 11:00:00 GMT": time.Hour,
	} {
		if got := retryAfter(http.Header{"Retry-After": {text}}, now); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
