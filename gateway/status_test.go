package gateway_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/kv"
)

// hostileName is what a source may call itself.
const hostileName = "<script>document.title='x'</script><img src=x onerror=alert(1)> \u202egnp.exe \u2066"

// describe puts what workers say of a live source into the bucket.
func (s *system) describe(key string, listing, history any) {
	s.t.Helper()
	bucket, err := kv.Open(s.t.Context(), s.js, contracts.SourcesBucket)
	if err != nil {
		s.t.Fatal(err)
	}
	for name, value := range map[string]any{key: listing, contracts.SourceHistoryKey(key): history} {
		if value == nil {
			continue
		}
		text, err := json.Marshal(value)
		if err != nil {
			s.t.Fatal(err)
		}
		if _, err := bucket.Put(s.t.Context(), name, text); err != nil {
			s.t.Fatal(err)
		}
	}
}

// describeLiveSources describes a source that is well, one that is not, one that nobody serves any more, and one that nobody has read.
func (s *system) describeLiveSources() (read time.Time) {
	read = time.Now().UTC().Add(-3 * time.Hour).Truncate(time.Second)
	today := contracts.Date(time.Now().UTC().Format(time.DateOnly))
	s.describe(contracts.ListingKey(contracts.Live, contracts.LTL, "ODFL"), contracts.CarrierListing{
		Code: contracts.ODFL, Name: "Old Dominion", ExtractionMethod: contracts.APIMirror,
		SourceHealth: contracts.SourceHealth{LastSuccess: &read, LastPath: "mirror", Breaker: "closed"},
	}, contracts.SourceHistory{Breaker: "closed", LastPath: "mirror", ChangedAt: read, ToldAt: new(time.Now().UTC()), Days: []contracts.SourceDay{
		{Date: today.AddDays(-200), Looks: 9}, {Date: today.AddDays(-2), Looks: 1440}, {Date: today.AddDays(-1), Looks: 1440, NotClosed: 9}, {Date: today, Looks: 5, NotClosed: 5},
	}})
	s.describe(contracts.ListingKey(contracts.Live, contracts.LTL, "SAIA"), contracts.CarrierListing{
		Code: contracts.SAIA, Name: hostileName + strings.Repeat("A", 10_000), SourceHealth: contracts.SourceHealth{Breaker: "open", LastPath: hostileName},
	}, nil)
	s.describe(contracts.ListingKey(contracts.Live, contracts.LTL, "XPO"), contracts.CarrierListing{
		Code: contracts.XPO, Name: "XPO", SourceHealth: contracts.SourceHealth{LastSuccess: &read, LastPath: "mirror", Breaker: "closed"},
	}, contracts.SourceHistory{Breaker: "closed", LastPath: "mirror", FallbackSince: &read, Days: []contracts.SourceDay{{Date: today, Looks: 5}}})
	s.describe(contracts.ListingKey(contracts.Live, contracts.LTL, "RLC"), contracts.CarrierListing{
		Code: contracts.RLC, Name: "R+L", SourceHealth: contracts.SourceHealth{LastSuccess: &read, LastPath: "page", Breaker: "half-open"},
	}, contracts.SourceHistory{Breaker: "half-open", LastPath: "page", FailingSince: &read, Days: []contracts.SourceDay{{Date: today, Looks: 5, NotClosed: 5}}})
	s.describe(contracts.ListingKey(contracts.Live, contracts.LTL, "ABF"), contracts.CarrierListing{
		Code: contracts.ABF, Name: "ABF", SourceHealth: contracts.SourceHealth{LastSuccess: &read, LastPath: "page", Breaker: "closed"},
	}, contracts.SourceHistory{Breaker: "closed", LastPath: "page", ToldAt: &read}) // its workers are gone
	s.describe(contracts.ListingKey(contracts.Live, contracts.ABC, "CA"), contracts.StateListing{State: contracts.CA, Name: "California"}, nil)
	s.describe(contracts.ListingKey(contracts.Test, contracts.ABC, "TX"), contracts.StateListing{State: contracts.TX, Name: "Texas of the sandbox"}, nil)
	return read
}

func TestStatusSaysWhatIsKnown(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	read := s.describeLiveSources()
	described := time.Now().Truncate(time.Second)
	g := s.gateway()
	r := g.pageOf("/status.json")
	status := decode[api.Status](t, r.body)
	if r.StatusCode != 200 || len(status.Sources) != 6 || len(status.Test) != 1 ||
		status.LookedAt.Before(described) || status.LookedAt.After(time.Now()) {
		t.Fatalf("%d %s", r.StatusCode, r.body)
	}
	of := map[string]api.SourceStatus{}
	for _, source := range status.Sources {
		of[source.Code] = source
	}
	odfl, saia, ca := of["ODFL"], of["SAIA"], of["CA"]
	if odfl.Code != "ODFL" || odfl.LastPath != "mirror" || !odfl.LastSuccess.Equal(read) || !odfl.ChangedAt.Equal(read) || len(odfl.Days) != 4 {
		t.Errorf("%+v", odfl)
	}
	if saia.Breaker != "open" || saia.LastSuccess != nil || saia.ChangedAt != nil || len(saia.Days) != 0 || ca.Breaker != "" {
		t.Errorf("%+v %+v", saia, ca)
	}
	page := string(g.pageOf("/status").body)
	since := "since " + read.Format("2006-01-02 15:04") + " UTC"
	for _, want := range []string{
		"3 hours ago", "the first way throughout on 1, by a fallback or not at all at times on 1, mostly on 1; of 87 nothing is known", "of 90 nothing is known",
		"Live sources: 1 failing, 2 answering by a fallback or in doubt, 1 answering now, 2 not read yet, or not known.",
		"<strong>Not known: no worker has told of it " + since,
		"<strong>Answers now</strong>", "<strong>Answers by a fallback " + since, "<strong>Failing " + since, "<strong>Not read yet</strong>", "never",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	live, test, _ := strings.Cut(page, "Test environment")
	if strings.Contains(live, "Texas of the sandbox") || !strings.Contains(test, "Texas of the sandbox") {
		t.Error("the test environment does not stand apart")
	}
	if strings.Contains(strings.ToLower(page), "breaker") || strings.Contains(page, "half-open") {
		t.Error("the page speaks of breakers")
	}
	if strings.Contains(page, "<script>document") {
		t.Error("the page shows what it must not")
	}
}

func TestStatusWithoutAnyWorker(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	g := s.gateway()
	if status := decode[api.Status](t, g.pageOf("/status.json").body); len(status.Sources) != 0 {
		t.Errorf("%+v", status)
	}
	if page := g.pageOf("/status"); !strings.Contains(string(page.body), "No worker has described a source") {
		t.Errorf("%s", page.body)
	}
}

// What cannot be read is no status; what was read before stays, with its time.
func TestStatusWhileItCannotBeRead(t *testing.T) {
	waitsForSeconds(t)
	t.Parallel()
	s := newSystem(t)
	s.describeLiveSources()
	knows, new := s.gateway(), s.gateway()
	if r := knows.pageOf("/status.json"); r.StatusCode != 200 {
		t.Fatal(r.StatusCode)
	}
	if err := s.js.DeleteStream(t.Context(), contracts.SourcesBucket.Stream()); err != nil {
		t.Fatal(err)
	}
	if r := new.pageOf("/status.json"); r.StatusCode != http.StatusServiceUnavailable || r.code() != contracts.SourceUnavailable {
		t.Errorf("%d %s", r.StatusCode, r.body)
	}
	clocktest.Await(t, "the status is older than a look lasts, and shown", func() bool {
		r := knows.pageOf("/status.json")
		status := decode[api.Status](t, r.body)
		return r.StatusCode == 200 && len(status.Sources) == 6 && time.Since(status.LookedAt) > 7*time.Second
	})
}

func TestTheStatusInABrowser(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.describeLiveSources()
	g := s.gateway()
	b := openBrowser(t)
	for _, l := range shown(journey) {
		t.Run(l.String(), func(t *testing.T) {
			v := g.visit(t, b, "/status", l)
			v.check()
			if title := v.eval("document.title"); title != "Status · Assay" {
				t.Errorf("the title is %s", title)
			}
			if names := v.eval(`document.querySelectorAll(".source").length + " " + document.querySelectorAll(".source script, .source img").length`); names != "6 0" {
				t.Errorf("%s sources, and elements of theirs", names)
			}
		})
	}
}
