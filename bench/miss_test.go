package bench

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/assay/system"
	"assay.dev/contracts"
	"assay.dev/ltl-worker/carrier"
	"assay.dev/ltl-worker/surcharge"
	"assay.dev/platform/kv"
)

// plainCarriers are read from one page without scripts, cookies or redirects, so that a direct fetch of that page
// makes the same request as a worker.
var plainCarriers = []contracts.Carrier{contracts.SAIA, contracts.XPO, contracts.SEFL}

// measureMiss compares a request whose answer is in no cache with a direct fetch of the same page through the same
// proxy. Both keep their connections open. Most pages are as they were when they were read before; others were revised
// since.
func measureMiss(t *testing.T) []figure {
	same := func(*misser, contracts.Carrier, int) {}
	unchanged, _ := compareMisses(t, "unchanged", same)
	revised, ratio := compareMisses(t, "revised", (*misser).revise)
	detail := fmt.Sprintf("medians of %d requests for each of %v: HTTP, NATS, worker, page, ",
		contracts.MaxWeeks, plainCarriers)
	return []figure{
		{name: "miss, beyond a page that is as before", value: unchanged, unit: "ms", target: 0.8, detail: detail + "store"},
		{name: "miss, beyond a page that was revised", value: revised, unit: "ms", target: 0.8,
			detail: detail + "parse, store"},
		{name: "the same ÷ the page's fetch and parse", value: ratio, target: 1, detail: "in the same run"},
	}
}

// compareMisses compares all plain carriers on a system of its own, because a gateway keeps a copy of each answer. It
// returns the median of what a miss takes beyond the page, and of the ratio of that to the page's fetch and parse.
// change changes a carrier's page before a round, or leaves it.
func compareMisses(
	t *testing.T, pages string, change func(m *misser, c contracts.Carrier, round int),
) (beyond, ratio float64) {
	m := newMisser(t, startSubject(t, "ASSAY_LOG_LEVEL=error")) // each revision is a warning
	var extra, ratios []float64
	for _, c := range plainCarriers {
		times := m.compare(c, change)
		fetched, parsed, missed := median(times.fetched), median(times.parsed), median(times.missed)
		fmt.Printf("miss      %-5s %-9s page alone %.2f ms, its parse %.2f ms, through everything %.2f ms\n", c, pages,
			fetched, parsed, missed)
		extra, ratios = append(extra, missed-fetched), append(ratios, (missed-fetched)/(fetched+parsed))
	}
	m.stop()
	return median(extra), median(ratios)
}

// revise has the carrier show another percent for a week half a year ago than in the round before.
func (m *misser) revise(c contracts.Carrier, round int) {
	day := time.Wednesday
	if c == contracts.XPO {
		day = time.Monday
	}
	week := contracts.DateOf(time.Now()).AddDays(-26 * 7)
	for week.Time().Weekday() != day {
		week = week.AddDays(1)
	}
	m.reviseWeek(fmt.Sprintf(`{"carrier":%q,"week":%q,"fuel_surcharge_pct":%d.5}`, c, week, 30+round%10))
}

// misser asks for answers that are in no cache.
type misser struct {
	*subject
	key     string
	answers jetstream.KeyValue
	client  *http.Client // through the sandbox
}

func newMisser(t *testing.T, s *subject) *misser {
	at, err := system.NATSURL(s.data)
	must(t, err)
	conn, err := nats.Connect(at)
	must(t, err)
	t.Cleanup(conn.Close)
	js, err := jetstream.New(conn)
	must(t, err)
	answers, err := js.KeyValue(t.Context(), contracts.AnswersBucket.Name)
	must(t, err)
	ca, err := os.ReadFile(filepath.Join(s.data, "sandbox", "sandbox-ca.pem"))
	must(t, err)
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(ca) {
		t.Fatal("the sandbox's authority is not a certificate")
	}
	proxy, err := url.Parse(s.proxy)
	must(t, err)
	return &misser{subject: s, key: s.unlimitedKey(), answers: answers, client: &http.Client{Transport: &http.Transport{
		Proxy: http.ProxyURL(proxy), TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
	}}}
}

// missTimes are the milliseconds of a page's fetch, of its parse, and of a request for its answer.
type missTimes struct{ fetched, parsed, missed []float64 }

// compare changes a carrier's page, fetches and parses it and asks for its answer, in turn. It asks for each number of
// weeks once, because the gateway keeps a copy of the answer for each number.
func (m *misser) compare(c contracts.Carrier, change func(*misser, contracts.Carrier, int)) (of missTimes) {
	address := m.answer(c, contracts.MaxWeeks) // warms all connections
	for weeks := contracts.MinWeeks; weeks < contracts.MaxWeeks; weeks++ {
		change(m, c, weeks)
		began := time.Now()
		page := fetch(m.T, m.client, address, "")
		of.fetched = append(of.fetched, milliseconds(time.Since(began)))
		began = time.Now()
		_, err := surcharge.Read(page, carrier.Recipes[c].Rule, contracts.Today(began))
		of.parsed = append(of.parsed, milliseconds(time.Since(began)))
		must(m.T, err)
		must(m.T, m.expire(c))
		began = time.Now()
		body := m.ask(m.key, surchargePath(c, weeks))
		of.missed = append(of.missed, milliseconds(time.Since(began)))
		m.pageOf(body)
	}
	return of
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// answer returns the page that the answer was read from.
func (m *misser) answer(c contracts.Carrier, weeks int) (page string) {
	return m.pageOf(m.ask(m.key, surchargePath(c, weeks)))
}

func surchargePath(c contracts.Carrier, weeks int) string {
	return fmt.Sprintf("/v1/ltl/fuel-surcharge?carriers=%s&weeks=%d", c, weeks)
}

// pageOf is the page that an answer was read from. Only one that was read by its structure is compared.
func (m *misser) pageOf(body []byte) (page string) {
	var answer contracts.Surcharge
	must(m.T, json.Unmarshal(body, &answer))
	if by := answer.Verifiability.ExtractionMethod; by != contracts.StructuredParse {
		m.Fatalf("%s was read by %s", answer.Carrier, by)
	}
	return string(answer.Verifiability.RawDataEvidenceURL)
}

// expire replaces the stored answer by one that has expired.
func (m *misser) expire(c contracts.Carrier) error {
	key := string(contracts.SurchargeKey(contracts.Test, c))
	entry, err := m.answers.Get(m.Context(), key)
	if err != nil {
		return err
	}
	stored, err := kv.Expand(entry.Value())
	must(m.T, err)
	var answer contracts.SurchargeAnswer
	must(m.T, json.Unmarshal(stored, &answer))
	answer.ExpiresAt = time.Now().Add(-time.Second)
	stale, err := json.Marshal(answer)
	must(m.T, err)
	_, err = m.answers.Put(m.Context(), key, stale)
	return err
}
