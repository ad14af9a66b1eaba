package contracts

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// Every code of the set crosses the wire and comes out as it went in, with the HTTP status of the contract's table.
func TestEveryCodeCrossesTheWire(t *testing.T) {
	numbers := map[string]Code{}
	for _, code := range Codes() {
		t.Run(string(code), func(t *testing.T) {
			cause := errors.New("dial tcp 10.0.0.1: secret detail")
			sent := Wrap(cause, code, "try %s", "later").After(3 * time.Second)
			sent.Reason, sent.Repeated = TableUnknown, true
			sent.Violations = []Violation{{Loc: []string{"query", "weeks"}, Msg: "m", Type: "t"}}

			number, description, body := EncodeError(fmt.Errorf("outer: %w", sent))
			if description != string(code) {
				t.Errorf("description %q", description)
			}
			if other, taken := numbers[number]; taken {
				t.Errorf("number %s is also %s", number, other)
			}
			numbers[number] = code
			if strings.Contains(string(body), "secret detail") {
				t.Errorf("the cause crossed the wire: %s", body)
			}

			got := DecodeError(number, body)
			if got.Code != code || got.Message != "try later" || got.RetryAfter != 3*time.Second || got.Reason != sent.Reason || !got.Repeated || len(got.Violations) != 1 || !got.Peer {
				t.Errorf("decoded %+v", got)
			}
			if got.Code.HTTPStatus() < 400 || got.Code.Public().HTTPStatus() != got.Code.HTTPStatus() {
				t.Errorf("status %d, public %s", got.Code.HTTPStatus(), got.Code.Public())
			}
		})
	}
}

func TestHTTPStatusOfTheContract(t *testing.T) {
	for code, want := range map[Code]int{
		Unauthorized: 401, ProductNotEnabled: 403, NotFound: 404, ComingSoon: 404, SourceUnavailable: 503,
		CaptchaSolverNotConfigured: 503, InvalidRequest: 422, RateLimited: 429, MethodNotAllowed: 405,
		WeekNotArchived: 404, NotAcceptable: 406, Gone: 410, UnsupportedMediaType: 415,
		NoWorker: 503, Timeout: 503, Busy: 503, Internal: 500, Code("made up"): 500,
	} {
		if got := code.HTTPStatus(); got != want {
			t.Errorf("%s: status %d, want %d", code, got, want)
		}
	}
	for _, inner := range []Code{NoWorker, Timeout, Busy} {
		if inner.Public() != SourceUnavailable {
			t.Errorf("clients see %s for %s", inner.Public(), inner)
		}
	}
}

func TestErrorsWithoutACode(t *testing.T) {
	for name, tt := range map[string]struct {
		err  error
		want Code
	}{
		"unknown":  {errors.New("boom"), Internal},
		"hang-up":  {fmt.Errorf("read: %w", context.Canceled), Canceled},
		"deadline": {context.DeadlineExceeded, Timeout},
		"nil":      {nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := CodeOf(tt.err); got != tt.want {
				t.Errorf("code %q, want %q", got, tt.want)
			}
		})
	}
	if _, _, body := EncodeError(errors.New("password=hunter2")); strings.Contains(string(body), "hunter2") {
		t.Errorf("the text of an unknown error crossed the wire: %s", body)
	}
}

func TestDecodeRefusesWhatItDoesNotKnow(t *testing.T) {
	for name, tt := range map[string]struct{ number, body string }{
		"not a number":       {"x", `{"code":"NOT_FOUND","message":"m"}`},
		"not JSON":           {"4", `oops`},
		"code of another":    {"4", `{"code":"UNAUTHORIZED","message":"m"}`},
		"code of the future": {"99", `{"code":"TEAPOT","message":"m"}`},
		"empty":              {"", ``},
	} {
		t.Run(name, func(t *testing.T) {
			if got := DecodeError(tt.number, []byte(tt.body)); got.Code != Internal || got.Code.HTTPStatus() != http.StatusInternalServerError {
				t.Errorf("decoded %+v", got)
			}
		})
	}
}

func FuzzDecodeError(f *testing.F) {
	f.Add("4", []byte(`{"code":"NOT_FOUND","message":"m"}`))
	f.Fuzz(func(t *testing.T, number string, body []byte) {
		if e := DecodeError(number, body); e.Code.HTTPStatus() < 400 {
			t.Errorf("%+v has status %d", e, e.Code.HTTPStatus())
		}
	})
}

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"ODFL":                  "ODFL",
		"a\nb\x00c":             "a?b?c",
		"é ok":                  "é ok",
		"line\u2028sep":         "line?sep",
		"\xff":                  "?",
		strings.Repeat("x", 41): strings.Repeat("x", 40) + "…",
	} {
		if got := Printable(in); got != want {
			t.Errorf("Printable(%q) = %q, want %q", in, got, want)
		}
	}
}
