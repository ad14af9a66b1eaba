package renderer_test

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"assay.dev/platform/clock/clocktest"
	"assay.dev/sandbox/renderer"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start serves the service, and one site that shows itself to it only.
func start(t *testing.T, b renderer.Behaviour) (*renderer.Service, string) {
	t.Helper()
	service := renderer.New()
	if err := service.Behave(b); err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/page", func(w http.ResponseWriter, r *http.Request) {
		if !service.Recognises(r) {
			w.WriteHeader(http.StatusForbidden)
		}
		_, _ = io.WriteString(w, `<p id="there">hello</p>`)
	})
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/page", http.StatusFound) })
	mux.HandleFunc("/refused", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) })
	mux.HandleFunc("/broken", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) })
	site, api := httptest.NewServer(mux), httptest.NewServer(service)
	transport := &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, network, site.Listener.Addr().String())
	}}
	service.Connect(transport)
	t.Cleanup(func() {
		service.Close()
		http.DefaultClient.CloseIdleConnections()
		api.Close()
		transport.CloseIdleConnections()
		site.Close()
	})
	return service, api.URL
}

func quick() renderer.Behaviour {
	b := renderer.Usual()
	b.Delay, b.Patience, b.Lag = 0, 0, 0
	return b
}

func get(t *testing.T, base, path string, query url.Values) (*http.Response, string) {
	t.Helper()
	if !query.Has("api_key") {
		query.Set("api_key", renderer.Key)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+path+"?"+query.Encode(), http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(body)
}

func render(path string, more ...string) url.Values {
	q := url.Values{"url": {"http://site.test" + path}, "render": {"true"}}
	for i := 0; i+1 < len(more); i += 2 {
		q.Set(more[i], more[i+1])
	}
	return q
}

func TestRendersAndCharges(t *testing.T) {
	service, url := start(t, quick())
	res, body := get(t, url, "/", render("/moved", "wait_for_selector", "#there"))
	if res.StatusCode != http.StatusOK || !strings.Contains(body, "hello") || res.Header.Get("sa-credit-cost") != "5" || res.Header.Get("sa-final-url") != "http://site.test/page" {
		t.Errorf("%d %v %s", res.StatusCode, res.Header, body)
	}
	if res, _ := get(t, url, "/", render("/nowhere")); res.StatusCode != http.StatusNotFound || res.Header.Get("sa-statuscode") != "404" {
		t.Errorf("404: %d", res.StatusCode)
	}
	for path, want := range map[string]int{"/refused": 403, "/broken": 500} {
		if res, _ := get(t, url, "/", render(path)); res.StatusCode != want {
			t.Errorf("%s: %d, want %d", path, res.StatusCode, want)
		}
	}
	if res, _ := get(t, url, "/", render("/page", "wait_for_selector", "#never")); res.StatusCode != http.StatusInternalServerError {
		t.Errorf("a selector that never appears: %d", res.StatusCode)
	}
	if got := service.Counts(); got.Credits != 10 || got.Charged != 2 || got.Failed != 3 || got.Running != 0 {
		t.Errorf("counts %+v", got)
	}
	var account struct{ RequestCount, FailedRequestCount, RequestLimit int }
	_, body = get(t, url, "/account", urlValues())
	if err := json.Unmarshal([]byte(body), &account); err != nil || account.RequestCount != 10 || account.FailedRequestCount != 3 || account.RequestLimit != 1000 {
		t.Errorf("%v: account %s", err, body)
	}
	if _, body := get(t, url, "/account/urlcost", render("/page")); strings.TrimSpace(body) != `{"credits":5}` {
		t.Errorf("urlcost %s", body)
	}
}

func urlValues() url.Values { return url.Values{} }

func TestRefusals(t *testing.T) {
	b := quick()
	b.Limit = 7
	service, url := start(t, b)
	if res, _ := get(t, url, "/", render("/page", "api_key", "another")); res.StatusCode != http.StatusUnauthorized {
		t.Errorf("another key: %d", res.StatusCode)
	}
	if res, body := get(t, url, "/", render("/page", "max_cost", "4")); res.StatusCode != http.StatusForbidden || !strings.Contains(body, "max_cost") {
		t.Errorf("max_cost: %d %s", res.StatusCode, body)
	}
	get(t, url, "/", render("/page"))
	if res, body := get(t, url, "/", render("/page")); res.StatusCode != http.StatusForbidden || !strings.Contains(body, "credits") {
		t.Errorf("credits: %d %s", res.StatusCode, body)
	}
	for failure, want := range map[renderer.Failure]int{
		renderer.Throttled: 429, renderer.Blocked: 403, renderer.Unavailable: 503, renderer.Unauthorized: 401,
	} {
		if err := service.Fail(failure, 1); err != nil {
			t.Fatal(err)
		}
		if res, _ := get(t, url, "/", render("/page")); res.StatusCode != want {
			t.Errorf("%s: %d", failure, res.StatusCode)
		}
	}
}

func TestWhoHangsUpStillPays(t *testing.T) {
	b := quick()
	b.Delay = 2 * time.Second
	service, base := start(t, b)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer cancel()
		clocktest.Holds(func() bool { return service.Counts().Calls > 0 })
	}()
	q := render("/page", "api_key", renderer.Key)
	r, _ := http.NewRequestWithContext(ctx, http.MethodGet, base+"/?"+q.Encode(), http.NoBody)
	if res, err := http.DefaultClient.Do(r); err == nil {
		res.Body.Close()
		t.Fatal("it must not have answered yet")
	}
	clocktest.Await(t, "the rendering is charged", func() bool { return service.Counts().Charged > 0 })
}

func TestConcurrencyIsBounded(t *testing.T) {
	b := quick()
	b.Delay, b.Concurrency = 100*time.Millisecond, 2
	service, url := start(t, b)
	var calls sync.WaitGroup
	for range 6 {
		calls.Go(func() { get(t, url, "/", render("/page")) })
	}
	calls.Wait()
	if got := service.Counts(); got.Most > 2 || got.Charged+got.Failed != got.Calls || got.Credits != 5*got.Charged {
		t.Errorf("counts %+v", got)
	}
}
