package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/assay/system"
	"assay.dev/contracts"
	"assay.dev/ltl-worker/carrier"
	"assay.dev/ltl-worker/surcharge"
)

// plainCarriers are read from one page without scripts, cookies or redirects, so that a direct fetch of that page
// makes the same request as a worker.
var plainCarriers = []contracts.Carrier{contracts.SAIA, contracts.XPO, contracts.SEFL}

// measureMiss compares a request whose answer is in no cache with a direct fetch of the same page through the same
// proxy. Both keep their connections open. Most pages are as they were when they were read before; others were revised
// since.
func measureMiss(ctx context.Context, o options) ([]figure, error) {
	same := func(*misser, context.Context, contracts.Carrier, int) error { return nil }
	unchanged, _, err := compareMisses(ctx, o, "unchanged", same)
	if err != nil {
		return nil, err
	}
	revised, ratio, err := compareMisses(ctx, o, "revised", (*misser).revise)
	if err != nil {
		return nil, err
	}
	detail := fmt.Sprintf("medians of %d requests for each of %v: HTTP, NATS, worker, page, ",
		contracts.MaxWeeks, plainCarriers)
	return []figure{
		{name: "miss, beyond a page that is as before", value: unchanged, unit: "ms", target: 0.8, detail: detail + "store"},
		{name: "miss, beyond a page that was revised", value: revised, unit: "ms", target: 0.8,
			detail: detail + "parse, store"},
		{name: "the same ÷ the page's fetch and parse", value: ratio, target: 1, detail: "in the same run"},
	}, nil
}

// changePage changes a carrier's page before a round, or leaves it.
type changePage func(m *misser, ctx context.Context, c contracts.Carrier, round int) error

// compareMisses compares all plain carriers on a system of its own, because a gateway keeps a copy of each answer. It
// returns the median of what a miss takes beyond the page, and of the ratio of that to the page's fetch and parse.
func compareMisses(ctx context.Context, o options, pages string, change changePage) (beyond, ratio float64, err error) {
	s, err := startSubject(ctx, o.binary, "ASSAY_LOG_LEVEL=error") // each revision is a warning
	if err != nil {
		return 0, 0, err
	}
	defer func() { _ = s.stop() }()
	m, err := newMisser(ctx, s)
	if err != nil {
		return 0, 0, err
	}
	defer m.nats.Close()
	var extra, ratios []float64
	for _, c := range plainCarriers {
		t, err := m.compare(ctx, c, change)
		if err != nil {
			return 0, 0, fmt.Errorf("%s: %w", c, err)
		}
		fetched, parsed, missed := median(t.fetched), median(t.parsed), median(t.missed)
		fmt.Printf("miss      %-5s %-9s page alone %.2f ms, its parse %.2f ms, through everything %.2f ms\n", c, pages,
			fetched, parsed, missed)
		extra, ratios = append(extra, missed-fetched), append(ratios, (missed-fetched)/(fetched+parsed))
	}
	return median(extra), median(ratios), nil
}

// revise has the carrier show another percent for a week half a year ago than in the round before.
func (m *misser) revise(ctx context.Context, c contracts.Carrier, round int) error {
	day := time.Wednesday
	if c == contracts.XPO {
		day = time.Monday
	}
	week := contracts.DateOf(time.Now()).AddDays(-26 * 7)
	for week.Time().Weekday() != day {
		week = week.AddDays(1)
	}
	return m.reviseWeek(ctx, fmt.Sprintf(`{"carrier":%q,"week":%q,"fuel_surcharge_pct":%d.5}`, c, week, 30+round%10))
}

// misser asks for answers that are in no cache.
type misser struct {
	*subject
	key     string
	nats    *nats.Conn
	answers jetstream.KeyValue
	client  *http.Client // through the sandbox
}

func newMisser(ctx context.Context, s *subject) (*misser, error) {
	m := &misser{subject: s}
	var err error
	if m.key, err = s.unlimitedKey(ctx); err != nil {
		return nil, err
	}
	at, err := system.NATSURL(s.data)
	if err != nil {
		return nil, err
	}
	if m.nats, err = nats.Connect(at); err != nil {
		return nil, err
	}
	js, err := jetstream.New(m.nats)
	if err != nil {
		return nil, err
	}
	if m.answers, err = js.KeyValue(ctx, contracts.AnswersBucket.Name); err != nil {
		return nil, err
	}
	m.client, err = sandboxClient(s)
	return m, err
}

func sandboxClient(s *subject) (*http.Client, error) {
	ca, err := os.ReadFile(filepath.Join(s.data, "sandbox", "sandbox-ca.pem"))
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(ca) {
		return nil, errors.New("the sandbox's authority is not a certificate")
	}
	proxy, err := url.Parse(s.proxy)
	return &http.Client{Transport: &http.Transport{
		Proxy: http.ProxyURL(proxy), TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
	}}, err
}

// missTimes are the milliseconds of a page's fetch, of its parse, and of a request for its answer.
type missTimes struct{ fetched, parsed, missed []float64 }

// compare changes a carrier's page, fetches and parses it and asks for its answer, in turn. It asks for each number of
// weeks once, because the gateway keeps a copy of the answer for each number.
func (m *misser) compare(ctx context.Context, c contracts.Carrier, change changePage) (t missTimes, err error) {
	address, err := m.answer(ctx, c, contracts.MaxWeeks) // warms all connections
	if err != nil {
		return t, err
	}
	for weeks := contracts.MinWeeks; weeks < contracts.MaxWeeks; weeks++ {
		if err := change(m, ctx, c, weeks); err != nil {
			return t, err
		}
		began := time.Now()
		page, err := fetch(ctx, m.client, address, "")
		if err != nil {
			return t, err
		}
		t.fetched = append(t.fetched, milliseconds(began))
		began = time.Now()
		if _, err := surcharge.Read(page, carrier.Recipes[c].Rule, contracts.Today(began)); err != nil {
			return t, err
		}
		t.parsed = append(t.parsed, milliseconds(began))
		if err := m.expire(ctx, c); err != nil {
			return t, err
		}
		began = time.Now()
		answer, err := m.ask(ctx, m.key, surchargePath(c, weeks))
		if err != nil {
			return t, err
		}
		t.missed = append(t.missed, milliseconds(began))
		if _, err := pageOf(answer); err != nil {
			return t, err
		}
	}
	return t, nil
}

func milliseconds(since time.Time) float64 { return float64(time.Since(since).Microseconds()) / 1000 }

// answer returns the page that the answer was read from.
func (m *misser) answer(ctx context.Context, c contracts.Carrier, weeks int) (page string, err error) {
	body, err := m.ask(ctx, m.key, surchargePath(c, weeks))
	if err != nil {
		return "", err
	}
	return pageOf(body)
}

func surchargePath(c contracts.Carrier, weeks int) string {
	return fmt.Sprintf("/v1/ltl/fuel-surcharge?carriers=%s&weeks=%d", c, weeks)
}

// pageOf is the page that an answer was read from. Only one that was read by its structure is compared.
func pageOf(body []byte) (page string, err error) {
	var answer contracts.Surcharge
	err = json.Unmarshal(body, &answer)
	if err == nil && answer.Verifiability.ExtractionMethod != contracts.StructuredParse {
		err = fmt.Errorf("it was read by %s", answer.Verifiability.ExtractionMethod)
	}
	return answer.Verifiability.RawDataEvidenceURL, err
}

// expire replaces the stored answer by one that has expired.
func (m *misser) expire(ctx context.Context, c contracts.Carrier) error {
	key := string(contracts.SurchargeKey(contracts.Test, c))
	entry, err := m.answers.Get(ctx, key)
	if err != nil {
		return err
	}
	var answer contracts.SurchargeAnswer
	if err := json.Unmarshal(entry.Value(), &answer); err != nil {
		return err
	}
	answer.ExpiresAt = time.Now().Add(-time.Second)
	stale, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	_, err = m.answers.Put(ctx, key, stale)
	return err
}
