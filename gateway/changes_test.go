package gateway_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/platform/clock/clocktest"
)

// change publishes that the status of a license of CA changed.
func (s *system) change(env contracts.Environment, number string) contracts.Change {
	s.t.Helper()
	c := contracts.Change{
		ID: "CA.e." + number, Type: contracts.StatusChanged, OccurredAt: time.Now().UTC().Truncate(time.Second), Product: contracts.ABC, Source: "CA",
		Data: contracts.ChangeData{
			LicenseNumber: number, LicenseTypeCode: "47",
			Before: &contracts.ChangeValues{Status: contracts.Active}, After: &contracts.ChangeValues{Status: contracts.Suspended},
		},
		Evidence: contracts.ChangeEvidence{Before: []contracts.Evidence{}, After: []contracts.Evidence{}},
	}
	doc, err := json.Marshal(c)
	if err == nil {
		_, err = s.js.Publish(s.t.Context(), contracts.ChangeSubject(env, contracts.ABC, "CA", contracts.StatusChanged).Name, doc)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return c
}

// changes asks for the feed.
func (g *runningGateway) changes(key, query string) contracts.Changes {
	g.t.Helper()
	r := g.get(key, "/v1/changes"+query)
	if r.StatusCode != http.StatusOK {
		g.t.Fatalf("%s: %d %s", query, r.StatusCode, r.body)
	}
	return decode[contracts.Changes](g.t, r.body)
}

// cursor is the newest one, once the feed is followed.
func (g *runningGateway) cursor(key string) (cursor string) {
	g.t.Helper()
	clocktest.Await(g.t, "the feed", func() bool {
		r := g.get(key, "/v1/changes")
		if r.StatusCode == http.StatusOK {
			cursor = decode[contracts.Changes](g.t, r.body).Cursor
		}
		return cursor != ""
	})
	return cursor
}

func TestChangesAreFed(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	g := s.gateway()
	key := s.key()
	begin := g.cursor(key)
	if page := g.changes(key, ""); page.Changes == nil || len(page.Changes) != 0 {
		t.Errorf("without a cursor: %+v", page)
	}
	want := s.change(contracts.Test, "400000")
	s.change(contracts.Live, "400003")
	page := g.changes(key, "?wait=60&since="+begin) // waits for it, if it must
	if len(page.Changes) != 1 || fmt.Sprint(page.Changes[0].ID, page.Changes[0].Data.After.Status) != want.ID+"SUSPENDED" {
		t.Fatalf("told %+v", page)
	}
	if again := g.changes(key, "?since="+page.Cursor); len(again.Changes) != 0 {
		t.Errorf("told again: %+v", again)
	}
	for query, n := range map[string]int{
		"&source=CA,TX": 1, "&source=ca,saia": 1, "&source=TX": 0, "&product=ABC": 1, "&type=LICENSE.status_changed": 1, "&type=license.status_changed": 1, "&type=license.appeared,license.holder_changed": 0,
		"&product=abc": 1, "&product=ltl": 0, "&limit=1": 1,
	} {
		if page := g.changes(key, "?since="+begin+query); len(page.Changes) != n {
			t.Errorf("%s: %+v", query, page)
		}
	}
	csv := g.get(key, "/v1/changes?format=csv&since="+begin)
	if lines := strings.Split(string(csv.body), "\r\n"); len(lines) != 3 || !strings.Contains(lines[0], "data_after_status") || !strings.Contains(lines[1], "SUSPENDED") {
		t.Errorf("CSV: %s", csv.body)
	}
	for query, status := range map[string]int{
		"?type=license.status_changed&source=ODFL": 422, "?type=surcharge.published&portfolio=none": 422, "?product=ltl&type=license.appeared": 422, "?since=zz": 422, "?since=RlFBLjE4": 410, "?since=" + begin + "&source=UPS": 422, "?since=" + begin + "&type=x": 422, "?wait=61": 422, "?limit=0": 422,
	} {
		if r := g.get(key, "/v1/changes"+query); r.StatusCode != status {
			t.Errorf("%s: %d %s", query, r.StatusCode, r.body)
		}
	}
	gone := g.get(key, "/v1/changes?since=RlFBLjE4")
	if oldest := decode[api.CursorError](t, gone.body).Cursor; oldest == "" || g.get(key, "/v1/changes?since="+oldest).StatusCode != http.StatusOK {
		t.Errorf("a cursor that is gone does not say where to begin anew: %s", gone.body)
	}
	for query, want := range map[string]string{
		"product=foo": `\"foo\" is no product; want ltl or abc`, "source=UPS": `\"UPS\" is no source; want ODFL, `, "type=x": `\"x\" is no type; want surcharge.published, `,
	} {
		if r := g.get(key, "/v1/changes?"+query); !strings.Contains(string(r.body), want) {
			t.Errorf("%s: %s", query, r.body)
		}
	}
	ltl := s.key(products(contracts.LTL))
	if page := g.changes(ltl, "?since="+begin); len(page.Changes) != 0 {
		t.Errorf("another product's: %+v", page)
	}
	for query, status := range map[string]int{
		"product=abc": 403, "type=license.status_changed": 403, "source=CA": 403, "source=TX-holds": 403, "portfolio=bars": 403,
		"type=source.degraded": 200, "type=license.appeared,surcharge.published": 200, "source=ODFL,CA": 200,
	} {
		if r := g.get(ltl, "/v1/changes?"+query+"&since="+begin); r.StatusCode != status {
			t.Errorf("with another product's key, %s: %d %s", query, r.StatusCode, r.body)
		}
	}
}

// Four requests of a tenant wait at once, no more; a revocation ends them, and so does a stop.
func TestWaitsAreBoundedAndEnd(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	g := s.gateway()
	key, revoked := s.key(tenant("many")), s.key(tenant("many"))
	query := "/v1/changes?wait=60&since=" + url.QueryEscape(g.cursor(key))
	replies := make(chan int, 5)
	ask := func(key string) {
		go func() { r, err := g.try(http.MethodGet, key, query); replies <- statusOf(r, err) }()
	}
	for range 3 {
		ask(key)
	}
	ask(revoked)
	clocktest.Await(t, "four that wait", func() bool {
		return strings.Contains(g.metrics(), `feed_readers{doing="waiting",environment="",service="gateway"} 4`)
	})
	if r := g.get(key, query); r.StatusCode != http.StatusTooManyRequests || r.Header.Get("Retry-After") == "" {
		t.Errorf("a fifth: %d", r.StatusCode)
	}
	if r := g.get(s.key(tenant("another")), strings.Replace(query, "wait=60", "wait=1", 1)); r.StatusCode != http.StatusOK {
		t.Errorf("another tenant: %d", r.StatusCode)
	}
	if err := s.keys.Revoke(t.Context(), revoked); err != nil {
		t.Fatal(err)
	}
	if status := <-replies; status != http.StatusUnauthorized {
		t.Errorf("after its revocation: %d", status)
	}
	s.change(contracts.Test, "400000")
	for range 3 {
		if status := <-replies; status != http.StatusOK {
			t.Errorf("after a change: %d", status)
		}
	}
}

func statusOf(r *response, err error) int {
	if err != nil {
		return 0
	}
	return r.StatusCode
}
