package gateway_test

import (
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"assay.dev/contracts"
	"assay.dev/gateway/keys"
)

const stopsPage = "/console/portfolios/bars/stops"

// putBars puts a portfolio with licenses of each verdict, and the list that one is on.
func (g *runningGateway) putBars(t *testing.T, key string) {
	t.Helper()
	g.putCSV(key, "bars", "state,license_number,label\r\nCA,1,good\r\nNY,0340-22-106125,cod\r\nIL,1A-1143621,\"<script>document.title='x'</script>\"\r\nCA,7,suspended\r\nTX,100001007,held\r\n")
	date := string(contracts.NY.Today(time.Now()).AddDays(-1))
	for _, list := range []string{"NY-101-aa", "NY-101-aaa"} {
		if r := g.sendBody(http.MethodPut, key, "/v1/abc/holds/"+list+"?date="+date, "text/csv", "license_number,since\r\n0340-22-106125,2026-11-02\r\n"); r.StatusCode/100 != 2 {
			t.Fatalf("%d %s", r.StatusCode, r.body)
		}
	}
}

// The page of stops prints: whom to stop first, then what is not known, then who pays at once, each with why, since when and its proof. Who is not
// logged in comes back to it. It works without scripts.
func TestStopsInABrowser(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.membersWorker(contracts.Test)
	g := s.gateway(withConsole)
	b := openBrowser(t)
	for i, l := range shown(looks) {
		t.Run(l.String(), func(t *testing.T) {
			key := s.key()
			g.putBars(t, key)
			var v *visit
			if i%2 == 0 {
				v = g.visit(t, b, stopsPage+"?beverage=wine", l)
				v.logIn(key)
				v.until(`location.pathname + location.search === "` + stopsPage + `?beverage=wine"`)
				v.check()
			} else {
				v = g.visitWithoutScripts(t, b, stopsPage+"?beverage=wine", key, l)
				v.checkStill()
			}
			shown := v.eval(`Array.from(document.querySelectorAll("main h2, main tbody tr"), e => e.cells ? e.cells[1].innerText + "/" + e.cells[2].innerText : e.innerText).join("; ")`)
			want := "STOP; suspended/CA 7; held/TX 100001007; UNVERIFIED; <script>document.title='x'</script>/IL 1A-1143621; CASH_ONLY; cod/NY 0340-22-106125; What was looked in"
			if shown != want {
				t.Errorf("the page shows %s, want %s", shown, want)
			}
			v.has("It is on the delinquent list 101-aa", "101-aa 2026-11-02", "sha256 "+strings.Repeat("c", 64), "of wine", "INVENTED DATA")
			v.picture("stops " + l.String())
			later := string(contracts.CA.Today(time.Now()).AddDays(5))
			v.eval(`(document.querySelector("#on").value = "` + later + `")`)
			v.press("#show")
			v.has("On "+later+", a delivery of wine", "No verdict is good after the day on which it was asked ends in its state. Ask again on the day of the delivery.")
			if on := v.eval(`document.querySelector("#on").value`); on != later {
				t.Errorf("the form has the day %q", on)
			}
			v.checkStill()
			v.must(proto.EmulationSetEmulatedMedia{Media: "print"}.Call(v.tab))
			v.picture("stops on paper, " + l.String())
			if hidden := v.eval(`[...document.querySelectorAll("header, form, .no-print")].every(e => getComputedStyle(e).display === "none") && document.querySelector(".invented").checkVisibility()`); hidden != "true" {
				t.Error("what nobody reads on paper is printed, or that the data are invented is not")
			}
		})
	}
}

var pictures = flag.String("pictures", "", "folder for pictures of pages; none when empty")

// picture keeps what the window shows, for who asks for pictures.
func (v *visit) picture(name string) {
	v.t.Helper()
	if dir := *pictures; dir != "" {
		picture, err := v.tab.Screenshot(true, nil)
		v.must(err)
		v.must(os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o600))
	}
}

func TestStopsPageIsTheTenants(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.membersWorker(contracts.Test)
	g := s.gateway(withConsole)
	key := s.key(tenant("acme"))
	g.putBars(t, key)
	cookie, other := g.logIn(key), g.logIn(s.key(tenant("other")))
	for name, tt := range map[string]struct {
		path, cookie string
		want         int
	}{
		"the tenant": {stopsPage, cookie, 200}, "on a day": {stopsPage + "?on=" + string(contracts.CA.Today(time.Now()).AddDays(5)), cookie, 200}, "a past day": {stopsPage + "?on=2026-11-01", cookie, 422}, "another tenant": {stopsPage, other, 404},
		"nobody": {stopsPage, "", 200}, "no such name": {"/console/portfolios/none/stops", cookie, 404}, "a name that none has": {"/console/portfolios/A%20B/stops", cookie, 422},
		"another beverage": {stopsPage + "?beverage=rum", cookie, 422}, "no day": {stopsPage + "?on=x", cookie, 422},
	} {
		r := g.pageOf(tt.path, "Cookie", tt.cookie, "Accept-Encoding", "identity")
		if isShown := strings.Contains(string(r.body), "held"); r.StatusCode != tt.want || isShown != (name == "the tenant" || name == "on a day") || r.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d, shown %t, %s: %.300s", name, r.StatusCode, isShown, r.Header.Get("Cache-Control"), r.body)
		}
	}
	page := string(g.pageOf(stopsPage, "Cookie", cookie, "Accept-Encoding", "identity").body)
	for text, isSaid := range map[string]bool{
		"not in the copy": false, // of a license whose status the copy does not print
		"in CA and TX a lookup of the license tells, in FL, IL and NY no source of ours does":  true,
		"license's type covers the beverage is not looked at":                                  true,
		"changes of holder are told as <code>license.holder_changed</code>":                    true,
		"The copy of CA, with data of 2026-09-17 10:50 UTC, read 2026-09-18 14:00 UTC, sha256": true,
		"The copy of NY, which does not say of when its data are, read 2026-09-18 14:00 UTC":   true,
		"holds until": false, // a newer copy may say otherwise
	} {
		if strings.Contains(page, text) != isSaid {
			t.Errorf("%q is said: %t", text, !isSaid)
		}
	}
	g.sendBody(http.MethodDelete, key, "/v1/abc/holds/NY-101-aaa", "", "") // which is of beer
	for beverage, want := range map[string]string{"": "UNVERIFIED", "wine": "CASH_ONLY"} {
		all := string(g.pageOf(customersPage+"?name=bars&save=members&beverage="+beverage, "Cookie", cookie, "Accept-Encoding", "identity").body)
		_, row, _ := strings.Cut(all, "NY,cod,")
		if row, _, _ = strings.Cut(row, "\r\n"); !strings.Contains(row, want) {
			t.Errorf("all licenses, of %q: %s", beverage, all)
		}
	}
}

// Every page and every CSV that a test key gets says that its data are invented, and none of a live key.
func TestInventedDataAreMarked(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.membersWorker(contracts.Test)
	s.membersWorker(contracts.Live)
	g := s.gateway(withConsole)
	for _, env := range []contracts.Environment{contracts.Test, contracts.Live} {
		isTest, key := env == contracts.Test, s.key(limit(1000), func(r *keys.Record) { r.Environment = env })
		g.putBars(t, key)
		cookie := g.logIn(key)
		for _, path := range []string{stopsPage, customersPage + "?name=bars", changesPage, "/console/proof?state=CA&license_number=1", "/console/shares", "/console/webhooks", "/console/licenses", surchargesPage} {
			r := g.pageOf(path, "Cookie", cookie, "Accept-Encoding", "identity")
			if r.StatusCode != http.StatusOK || strings.Contains(string(r.body), "INVENTED DATA") != isTest {
				t.Errorf("%s %s: %d %.3000s", env, path, r.StatusCode, r.body)
			}
		}
		csv := g.pageOf(customersPage+"?name=bars&save=stops", "Cookie", cookie).Header.Get("Content-Disposition")
		if strings.HasPrefix(csv, "attachment; filename=test-stops-bars-") != isTest {
			t.Errorf("%s: %s", env, csv)
		}
	}
}
