package system_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay.dev/assay/system"
	"assay.dev/gateway/confirm"
	"assay.dev/gateway/usage"
	"assay.dev/platform/clock/clocktest"
)

// confirmed reads a portfolio, and counts the licenses that are good by a lookup; the others have to be unverified.
func (r *running) confirmed(t *testing.T, name string) (n int) {
	t.Helper()
	status, _, body := r.get(t, r.base+"/v1/abc/portfolios/"+name, r.keys["test"])
	var p struct {
		Licenses []struct {
			Number     string     `json:"license_number"`
			Verdict    string     `json:"verdict"`
			LookedUpAt *time.Time `json:"looked_up_at"`
		} `json:"licenses"`
	}
	if err := json.Unmarshal(body, &p); err != nil || status != http.StatusOK {
		t.Fatalf("%d %s %v", status, body, err)
	}
	for _, l := range p.Licenses {
		switch {
		case l.Verdict == "PASS" && l.LookedUpAt != nil:
			n++
		case l.Verdict != "UNVERIFIED" || l.LookedUpAt != nil:
			t.Fatalf("%+v", l)
		}
	}
	return n
}

// lookedUp counts the lookups of portfolios by outcome.
func (r *running) lookedUp(t *testing.T) map[string]int {
	t.Helper()
	n := map[string]int{}
	for _, found := range regexp.MustCompile(`gateway_confirmations_total{.*outcome="(\w+)".*} (\d+)`).FindAllStringSubmatch(r.metrics(t), -1) {
		n[found[1]], _ = strconv.Atoi(found[2])
	}
	return n
}

// Illinois' licenses of portfolios are looked up by renders of its pages: those of daily on the first day, those of weekly each on its day of a
// week, the others never; each once, and each is an answer on the bill.
func TestLicensesOfIllinoisAreLookedUp(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var days atomic.Int64
	r := start(t, environ(dir), func(c *system.Config) {
		c.Confirm = confirm.Pace{Every: 50 * time.Millisecond, Clock: func() time.Time { return time.Now().AddDate(0, 0, int(days.Load())) }}
	})
	js, disconnect := connect(t, dir)
	defer disconnect()
	r.keys["test"] = unlimitedKey(t, dir)
	plain := r.plain(t, "IL", 8)
	put := func(name, every string, from, to int) {
		var all []string
		for _, number := range plain[from:to] {
			all = append(all, fmt.Sprintf(`{"state":"IL","license_number":%q}`, number))
		}
		var status int
		var said map[string]any
		clocktest.Await(t, "the key is known", func() bool {
			status, said = r.order(t, http.MethodPut, "/v1/abc/portfolios/"+name+"?confirm="+every, `{"licenses":[`+strings.Join(all, ",")+`]}`)
			return status != http.StatusUnauthorized
		})
		if status != http.StatusCreated {
			t.Fatalf("%d %v", status, said)
		}
	}
	put("never", "never", 0, 1)
	put("weekly", "weekly", 1, 5)
	for i, name := range []string{"first", "second", "third"} { // each begins with a round after the one before, which then has ended
		put(name, "daily", 5+i, 6+i)
		clocktest.Await(t, "the lookup of "+name, func() bool { return r.confirmed(t, name) == 1 })
	}
	if n := r.confirmed(t, "weekly"); n == 4 {
		t.Error("all of a week are looked up on one day")
	}
	clocktest.Await(t, "the weekly ones", func() bool { days.Add(1); return r.confirmed(t, "weekly") == 4 })
	if n := r.confirmed(t, "never"); n != 0 {
		t.Errorf("%d are looked up that nobody asked for", n)
	}
	var renders struct{ Counts struct{ Calls, Most int } }
	if _, _, body := r.get(t, r.admin+"/sandbox/renderer/", ""); json.Unmarshal(body, &renders) != nil || renders.Counts.Calls != 7 || renders.Counts.Most != 1 {
		t.Errorf("%s", body)
	}
	// What test keys get is gathered for some seconds. An answer that came too late on a busy machine is free.
	clocktest.Await(t, "the bill", func() bool {
		looked := r.lookedUp(t)
		sums, err := usage.Sums(t.Context(), js, time.Now())
		return err == nil && len(sums) == 1 && sums[0].Tenant == "many" && sums[0].Tested == looked["proven"] &&
			looked["proven"] >= 5 && looked["proven"]+looked["failed"] >= 7
	})
}
