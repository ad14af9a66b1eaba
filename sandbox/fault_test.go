package sandbox

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"assay.dev/platform/clock/clocktest"
)

const saiaPage = "https://www.saia.com/tools-and-resources/fuel-surcharges"

// get is one request without following redirects; the body is read up to limit.
func get(
	t *testing.T, client *http.Client, address string, limit int64, patience time.Duration,
) (*http.Response, []byte, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	resp, err := client.Do(req)
	if err != nil {
		return nil, nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, limit))
	return resp, body, err
}

func TestFaults(t *testing.T) {
	s, client := start(t, septemberMorning)
	failed := func(_ *http.Response, _ []byte, err error) bool { return err != nil }
	status := func(code int, text string) func(*http.Response, []byte, error) bool {
		return func(r *http.Response, body []byte, err error) bool {
			return err == nil && r.StatusCode == code && strings.Contains(string(body), text) &&
				!strings.Contains(string(body), "50.12")
		}
	}
	for kind, holds := range map[Kind]func(*http.Response, []byte, error) bool{
		Down: failed,
		Slow: failed,
		Drip: func(_ *http.Response, body []byte, err error) bool {
			return err != nil && len(body) > 0 && len(body) < 6
		},
		Reset:     func(_ *http.Response, body []byte, err error) bool { return err != nil && len(body) > 1000 },
		Forbidden: status(http.StatusForbidden, "denied"),
		Throttled: status(http.StatusTooManyRequests, "Too many"),
		Broken:    status(http.StatusInternalServerError, "went wrong"),
		Challenge: status(http.StatusOK, "challenge-form"),
		Empty: func(r *http.Response, body []byte, err error) bool {
			return err == nil && r.StatusCode == 200 && len(body) == 0
		},
		Redesigned: status(http.StatusOK, "customer portal"),
		Swapped: func(_ *http.Response, body []byte, err error) bool {
			return err == nil && slices.Equal(row(t, string(body), "9/2/2026"),
				[]string{"100.24%", "50.12%", "$5.599", "9/2/2026"}) &&
				strings.Contains(string(body), "<th>Effective Date</th><th>DOE Price</th><th>LTL %</th>")
		},
		Reworded: func(_ *http.Response, body []byte, err error) bool {
			return err == nil && strings.Contains(string(body), "are a draft") && strings.Contains(string(body), "50.12")
		},
		Huge: func(_ *http.Response, body []byte, err error) bool { return err == nil && len(body) == 9<<20 },
		Bomb: func(_ *http.Response, body []byte, err error) bool { return err == nil && len(body) == 9<<20 },
		Headers: func(r *http.Response, _ []byte, err error) bool {
			return err == nil && len(strings.Join(r.Header["X-Padding"], "")) == 2_000_000
		},
		PrivateRedirect: func(r *http.Response, _ []byte, err error) bool {
			return err == nil && strings.HasPrefix(r.Header.Get("Location"), "http://169.254.")
		},
		ForeignRedirect: func(r *http.Response, _ []byte, err error) bool {
			return err == nil && r.Header.Get("Location") == "https://"+ForeignHost+"/"
		},
	} {
		t.Run(string(kind), func(t *testing.T) {
			for _, path := range []string{"", "/tools-and-resources"} {
				if err := s.Fault("www.saia.com", path, kind); err != nil {
					t.Fatal(err)
				}
				patience := clocktest.Patience
				switch kind {
				case Slow:
					patience = time.Second / 2
				case Drip: // a byte each second, so five at most
					patience = 4500 * time.Millisecond
				}
				resp, body, err := get(t, client, saiaPage, 9<<20, patience)
				if !holds(resp, body, err) {
					t.Errorf("path %q: %v, %d bytes %.80q, %v", path, resp != nil, len(body), body, err)
				}
				s.ClearFaults()
			}
			if _, body, err := get(t, client, saiaPage, 9<<20, clocktest.Patience); err != nil ||
				row(t, string(body), "9/2/2026") == nil {
				t.Errorf("the site is not well again: %v", err)
			}
		})
	}
}

func TestEveryKindIsTested(t *testing.T) {
	if n := len(faultKinds); n != 17 {
		t.Errorf("%d kinds: TestFaults knows 17", n)
	}
}

func TestBombIsOneStream(t *testing.T) {
	s, client := start(t, nil)
	if err := s.Fault("www.saia.com", "", Bomb); err != nil {
		t.Fatal(err)
	}
	client.Transport.(*http.Transport).DisableCompression = true
	_, body, err := get(t, client, saiaPage, 8<<20, clocktest.Patience)
	if err != nil || len(body) > 2<<20 {
		t.Fatal(len(body), err)
	}
	zip, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if n, err := io.Copy(io.Discard, zip); n != gibibyte || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
}

// The pages of other formats fail in the same ways.
func TestFaultsInOtherFormats(t *testing.T) {
	s, client := start(t, septemberMorning)
	for name, tt := range map[string]struct {
		kind      Kind
		host, url string
		want      string
	}{
		"renamed JSON": {Redesigned, "api.odfl.com", "https://api.odfl.com/tools/fuel-history/v1.0/fuel-history.list",
			`{"f0":[{"f0":5.599,"f1":"2026-09-09"`},
		"turned JSON": {Swapped, "api.odfl.com", "https://api.odfl.com/tools/fuel-history/v1.0/fuel-history.list",
			`{"dieselPrice":92.64,"effectiveDate":46.32,"ltlSurchargePercent":"2026-09-09"`},
		"renamed CSV": {Redesigned, "fred.stlouisfed.org", "https://fred.stlouisfed.org/graph/fredgraph.csv?id=GASDESW",
			"column_1,column_2\n2022-01-03"},
		"turned CSV": {Swapped, "fred.stlouisfed.org", "https://fred.stlouisfed.org/graph/fredgraph.csv?id=GASDESW",
			"observation_date,GASDESW\n3.613,2022-01-03"},
		"no script": {Redesigned, "www.estes-express.com",
			"https://www.estes-express.com/resources/fees-and-surcharges/fuel-surcharge", "customer portal"},
		"unclosed cells": {Swapped, "www.sefl.com", "https://www.sefl.com/seflWebsite/servlet/FUELSURCHARGE_FUELPAGEUPDATE",
			"<td>89.26%</td><td>44.63%</td>"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := s.Fault(tt.host, "", tt.kind); err != nil {
				t.Fatal(err)
			}
			if _, body, err := get(t, client, tt.url, 1<<20, clocktest.Patience); err != nil ||
				!strings.Contains(strings.ReplaceAll(string(body), "\n</td>", "</td>"), tt.want) {
				t.Errorf("%v, %.300s", err, body)
			}
			s.ClearFaults()
		})
	}
}

func TestLongestPathWins(t *testing.T) {
	s, client := start(t, nil)
	for path, kind := range map[string]Kind{"": Broken, "/tools-and-resources": Forbidden, "/else": Throttled} {
		if err := s.Fault("www.saia.com", path, kind); err != nil {
			t.Fatal(err)
		}
	}
	if status, _ := read(t, client, saiaPage); status != http.StatusForbidden {
		t.Errorf("%d", status)
	}
	if status, _ := read(t, client, "https://www.saia.com/"); status != http.StatusInternalServerError {
		t.Errorf("%d", status)
	}
	if status, _ := read(t, client, "https://www.xpo.com/"); status != http.StatusOK {
		t.Errorf("another host fails too: %d", status)
	}
}

func TestSlowTakesItsSeconds(t *testing.T) {
	s, client := start(t, nil)
	if err := s.Inject(Fault{Host: "www.saia.com", Kind: Slow, Seconds: 1}); err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	if status, _ := read(t, client, saiaPage); status != http.StatusOK || time.Since(begin) < time.Second {
		t.Errorf("%d after %s", status, time.Since(begin))
	}
}

func TestFaultsAreRefused(t *testing.T) {
	s, _ := start(t, nil)
	for name, f := range map[string]Fault{
		"unknown host":    {Host: "example.org", Kind: Down},
		"unknown kind":    {Host: "www.saia.com", Kind: "odd"},
		"no kind":         {Host: "www.saia.com"},
		"path without /":  {Host: "www.saia.com", Path: "tools", Kind: Down},
		"negative time":   {Host: "www.saia.com", Kind: Slow, Seconds: -1},
		"time of an hour": {Host: "www.saia.com", Kind: Slow, Seconds: 3601},
	} {
		if s.Inject(f) == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	var full error
	for i := range maxFaults + 1 {
		full = errors.Join(full, s.Fault("www.saia.com", "/"+strings.Repeat("a", i), Down))
	}
	if full == nil {
		t.Error("there is no bound")
	}
}

func TestAdmin(t *testing.T) {
	s, err := Start(Options{AdminListen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	client, admin := s.Client(), &http.Client{}
	defer func() {
		client.CloseIdleConnections()
		admin.CloseIdleConnections()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	call := func(method, path, body string) (int, string) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, s.AdminURL()+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := admin.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, _ := io.ReadAll(resp.Body)
		return resp.StatusCode, string(text)
	}
	const fault = `{"host":"www.saia.com","path":"/tools","fault":"forbidden"}`
	if status, text := call("POST", "/faults", fault); status != http.StatusCreated || strings.TrimSpace(text) != fault {
		t.Errorf("%d %s", status, text)
	}
	if status, _ := read(t, client, saiaPage); status != http.StatusForbidden {
		t.Errorf("the fault does not hold: %d", status)
	}
	if _, text := call("GET", "/faults", ""); strings.TrimSpace(text) != "["+fault+"]" {
		t.Errorf("%s", text)
	}
	for _, wrong := range []string{`{`, `{"host":"www.saia.com","fault":"odd"}`,
		`{"host":"www.saia.com","fault":"down","often":1}`} {
		if status, _ := call("POST", "/faults", wrong); status != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d", wrong, status)
		}
	}
	call("DELETE", "/faults?host=www.xpo.com", "")
	if status, _ := read(t, client, saiaPage); status != http.StatusForbidden {
		t.Error("another host's faults were cleared")
	}
	call("DELETE", "/faults", "")
	if status, _ := read(t, client, saiaPage); status != http.StatusOK {
		t.Errorf("the fault outlived its end: %d", status)
	}
	var counts map[string]Counts
	_, text := call("GET", "/requests", "")
	if err := json.Unmarshal([]byte(text), &counts); err != nil || counts["www.saia.com"].Total() != 3 {
		t.Errorf("%s, %v", text, err)
	}
	if _, text := call("GET", "/requests?host=www.saia.com",
		""); strings.TrimSpace(text) != `{"/tools-and-resources/fuel-surcharges":3}` {
		t.Errorf("%s", text)
	}
	call("DELETE", "/requests", "")
	if _, text := call("GET", "/requests", ""); strings.TrimSpace(text) != "{}" {
		t.Errorf("%s", text)
	}
	if status, _ := call("GET", "/readyz", ""); status != http.StatusOK {
		t.Errorf("%d", status)
	}
}
