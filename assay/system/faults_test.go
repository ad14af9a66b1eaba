package system_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/assay/system"
	"assay.dev/contracts"
	"assay.dev/gateway/keys"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/sandbox/renderer"
)

// fault makes a host of the sandbox fail, as an operator would.
func (r *running) fault(t *testing.T, host, kind string) {
	t.Helper()
	body := fmt.Sprintf(`{"host":%q,"fault":%q}`, host, kind)
	req, err := http.NewRequest(http.MethodPost, r.admin+"/sandbox/faults", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if text, _ := io.ReadAll(resp.Body); resp.StatusCode != http.StatusCreated {
		t.Fatalf("fault %s: %s %s", body, resp.Status, text)
	}
}

// connect reaches the streams of the system that runs on dir.
func connect(t *testing.T, dir string) (js jetstream.JetStream, disconnect func()) {
	t.Helper()
	url, err := system.NATSURL(dir)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	if js, err = jetstream.New(conn, jetstream.WithDefaultTimeout(clocktest.Patience)); err != nil {
		t.Fatal(err)
	}
	return js, conn.Close
}

// unlimitedKey issues a test key beside the running system.
func unlimitedKey(t *testing.T, dir string) string {
	t.Helper()
	js, disconnect := connect(t, dir)
	defer disconnect()
	store, err := keys.OpenStore(context.Background(), js)
	if err != nil {
		t.Fatal(err)
	}
	key, err := store.Create(context.Background(), keys.Record{
		Tenant: "many", Environment: contracts.Test, Products: contracts.Products, Limit: 1_000_000,
	})
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func TestAPathThatFailsIsReplacedByTheNext(t *testing.T) {
	t.Parallel()
	r := start(t, environ(t.TempDir()).With("ASSAY_REFRESH", "false")) // else the worker may read ODFL before the fault
	r.fault(t, "api.odfl.com", "down")
	status, _, body := r.get(t, r.base+"/v1/ltl/fuel-surcharge?carriers=ODFL", r.keys["test"])
	var answer contracts.Surcharge
	if err := json.Unmarshal(body, &answer); err != nil || status != http.StatusOK {
		t.Fatalf("%d %s %v", status, body, err)
	}
	if answer.Verifiability.ExtractionMethod != contracts.StructuredParse {
		t.Errorf("%+v", answer.Verifiability)
	}
}

// Days of the current week are read at the source by whoever asks, past ones in the archive.
func TestAnAuditOfACarrierThatIsDown(t *testing.T) {
	t.Parallel()
	r := start(t, environ(t.TempDir()).With("ASSAY_REFRESH", "false").With("ASSAY_CHROMIUM", "/nonexistent")) // else it may be read before the fault
	for _, host := range []string{"api.odfl.com", "www.odfl.com", renderer.Host} {
		r.fault(t, host, "down")
	}
	today := contracts.Today(time.Now())
	for day, want := range map[contracts.Date]string{today: "UNRESOLVED", today.AddDays(-30): "UNDERBILLED"} {
		asked, _, body := r.history(t, "carriers=ODFL&as_of="+string(day))
		status, audited := r.order(t, http.MethodPost, "/v1/ltl/audit", fmt.Sprintf(`{"id":"1","carrier":"ODFL","ship_date":%q,"billed_pct":"1"}`, day))
		if isRead := asked == http.StatusOK; status != http.StatusOK || isRead != (want != "UNRESOLVED") || !strings.Contains(fmt.Sprint(audited), "verdict:"+want) {
			t.Errorf("%s: %d %s; %d %v", day, asked, body, status, audited)
		}
	}
}

func TestACarrierThatIsDownTroublesNoOther(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for seconds")
	}
	t.Parallel()
	dir := t.TempDir()
	r := start(t, environ(dir).With("ASSAY_CHROMIUM", "/nonexistent"))
	r.fault(t, "www.saia.com", "down")
	r.fault(t, renderer.Host, "down")
	key := unlimitedKey(t, dir)
	// A failure is told to all for a second or two before the site is tried again: five tries take a while. To look at the metrics
	// each time would cost more than the rest of the test.
	asked := 0
	clocktest.Await(t, "the breaker of SAIA opens", func() bool {
		if status, header, body := r.get(t, r.base+"/v1/ltl/fuel-surcharge?carriers=SAIA", key); status != http.StatusServiceUnavailable || header.Get("Retry-After") == "" {
			t.Fatalf("%d %v %s", status, header, body)
		}
		asked++
		return asked%25 == 0 && r.openBreaker(t, "SAIA")
	})
	status, _, body := r.get(t, r.base+"/v1/ltl/fuel-surcharge?carriers=ODFL,SAIA,XPO,SEFL", key)
	var answer contracts.Surcharges
	if err := json.Unmarshal(body, &answer); err != nil || status != http.StatusOK {
		t.Fatalf("%d %s %v", status, body, err)
	}
	if len(answer.Results) != 3 || len(answer.Errors) != 1 || answer.Errors[0].Carrier != contracts.SAIA || answer.Errors[0].Error != contracts.SourceUnavailable {
		t.Errorf("%s", body)
	}
}

// openBreaker tells whether /metrics shows one of the source in the test environment.
func (r *running) openBreaker(t *testing.T, source string) bool {
	t.Helper()
	return slices.ContainsFunc(strings.Split(r.metrics(t), "\n"), func(line string) bool {
		return strings.HasPrefix(line, "breaker_state{") && strings.Contains(line, `environment="test"`) &&
			strings.Contains(line, `source="`+source+`"`) && !strings.HasSuffix(line, " 0")
	})
}

// manyRequests is enough for many to wait for each stage of the one read; a larger number costs minutes under the race detector.
var manyRequests = flag.Int("requests", 2_000, "requests of TestManyRequestsAreOneRead")

// It runs alone: so many requests take the time of whoever runs beside them.
func TestManyRequestsAreOneRead(t *testing.T) {
	dir := t.TempDir()
	r := start(t, environ(dir))
	key := unlimitedKey(t, dir)
	transport := &http.Transport{MaxConnsPerHost: 500, MaxIdleConnsPerHost: 500}
	defer transport.CloseIdleConnections()
	client := http.Client{Transport: transport, Timeout: clocktest.Patience}
	var callers sync.WaitGroup
	for range *manyRequests {
		callers.Go(func() {
			req, err := http.NewRequest(http.MethodGet, r.base+"/v1/ltl/fuel-surcharge?carriers=SEFL", nil)
			if err != nil {
				t.Error(err)
				return
			}
			req.Header.Set("X-API-Key", key)
			resp, err := client.Do(req)
			if err != nil {
				t.Error(err)
				return
			}
			defer resp.Body.Close()
			if _, _ = io.Copy(io.Discard, resp.Body); resp.StatusCode != http.StatusOK {
				t.Error(resp.Status)
			}
		})
	}
	callers.Wait()
	_, _, counts := r.get(t, r.admin+"/sandbox/requests?host=www.sefl.com", "")
	if pages := bytes.TrimSpace(counts); !bytes.HasSuffix(pages, []byte(`:1}`)) {
		t.Errorf("the site was asked for %s", pages)
	}
}
