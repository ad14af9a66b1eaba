package system_test

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
)

// assayBefore is the assay binary of the version before.
var assayBefore = flag.String("before", "", "the assay binary of the version before")

// startBefore runs the version before on a data directory.
func startBefore(t *testing.T, dir string) (r *running, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, *assayBefore, "up")
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 30 * time.Second
	for name, value := range environ(dir) {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	cmd.Env = append(cmd.Env, "PATH="+os.Getenv("PATH"))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r = &running{keys: map[string]string{}}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if found := addresses.FindStringSubmatch(lines.Text()); found != nil {
			r.base, r.admin = found[1], found[2]
		}
		if found := printed.FindStringSubmatch(lines.Text()); found != nil {
			r.keys[found[1]] = found[2]
		}
		if strings.Contains(lines.Text(), "Ctrl-C") {
			break
		}
	}
	go func() {
		for lines.Scan() {
			continue
		}
	}()
	return r, func() { cancel(); _ = cmd.Wait() }
}

// storeFormer has the version before know a week of TFORCE with two revisions, of which the second has an event.
func storeFormer(t *testing.T, dir string, week contracts.Date) {
	t.Helper()
	js, disconnect := connect(t, dir)
	defer disconnect()
	kv, err := js.KeyValue(t.Context(), contracts.WeeksBucket.Name)
	if err != nil {
		t.Fatal(err)
	}
	first := week.Time().Add(12 * time.Hour)
	rest := `"path":"page","method":"structured_parse","evidence_url":"https://www.tforcefreight.com/"`
	value := fmt.Sprintf(`{"effective_date":%q,"fuel_surcharge_pct":33,"doe_diesel_price_usd":null,"clean":2,"required":2,%s,"first_seen":%q,"last_seen":%q,
		"revisions":[{"fuel_surcharge_pct":31,"last_seen":%q,%s},{"fuel_surcharge_pct":32,"last_seen":%q,%s}]}`, week, rest,
		first.Format(time.RFC3339), first.Add(50*time.Hour).Format(time.RFC3339), first.Add(10*time.Hour).Format(time.RFC3339), rest,
		first.Add(30*time.Hour).Format(time.RFC3339), rest)
	if _, err := kv.PutString(t.Context(), "test.TFORCE."+string(week), value); err != nil {
		t.Fatal(err)
	}
	event, err := json.Marshal(contracts.SurchargeRevision{
		Environment: contracts.Test, Carrier: contracts.TFORCE, SeenAt: first.Add(20 * time.Hour), Path: "page",
		Was: contracts.SurchargeWeek{EffectiveDate: week, Percent: 31}, Is: contracts.SurchargeWeek{EffectiveDate: week, Percent: 32},
	})
	if err == nil {
		_, err = js.Publish(t.Context(), contracts.EventSubject(contracts.Test, contracts.EventRevision).Name, event)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// percents are the weeks of TFORCE as an answer has them.
func (r *running) percents(t *testing.T) []string {
	t.Helper()
	status, s, body := r.history(t, "carriers=TFORCE&weeks=26")
	if status != 200 || len(s.Weeks) < 20 {
		t.Fatalf("%d %s", status, body)
	}
	var all []string
	for _, w := range s.Weeks {
		all = append(all, fmt.Sprintf("%s %v", w.EffectiveDate, w.Percent))
	}
	return all
}

// A data directory of the version before, with revisions in it: nothing is lost, what is not known is null or in doubt, and the
// version before still works with it afterwards.
func TestDataOfTheVersionBefore(t *testing.T) {
	if *assayBefore == "" {
		t.Skip("needs -before, the assay binary of the version before")
	}
	dir := filepath.Join(t.TempDir(), "data")
	week := contracts.Today(time.Now()).AddDays(-60)
	week = week.AddDays(int(time.Wednesday) - int(week.Time().Weekday()))
	first := week.Time().Add(12 * time.Hour)

	old, stop := startBefore(t, dir)
	storeFormer(t, dir, week)
	before := old.percents(t)
	stop()

	r := start(t, environ(dir))
	if after := r.percents(t); !slices.Equal(after, before) {
		t.Errorf("the version before knew %v, this one %v", before, after)
	}
	for hours, want := range map[int]string{5: "31", 15: "31", 25: "32", 40: "in doubt", 60: "33"} {
		at := first.Add(time.Duration(hours) * time.Hour).Format(time.RFC3339)
		status, s, body := r.history(t, fmt.Sprintf("carriers=TFORCE&as_of=%s&known_at=%s", week, at))
		got := body
		if status == 200 {
			got = fmt.Sprint(s.Weeks[0].Percent)
			if s.Weeks[0].FirstSeen == nil || !s.Weeks[0].FirstSeen.Equal(first) {
				t.Errorf("first seen %v, want %v", s.Weeks[0].FirstSeen, first)
			}
		}
		if !strings.Contains(got, want) {
			t.Errorf("%d hours after the first sighting: %d %s, want %s", hours, status, got, want)
		}
	}
	if _, s, body := r.history(t, "carriers=TFORCE&as_of="+string(week)); len(s.Weeks) != 1 || s.Weeks[0].Percent != 33 || s.Weeks[0].Revised != nil {
		t.Errorf("when it was revised last is not known: %s", body)
	}
	r.stop(t)

	old, stop = startBefore(t, dir)
	if after := old.percents(t); !slices.Equal(after, before) {
		t.Errorf("after the step back: %v, before: %v", after, before)
	}
	stop()
	again := start(t, environ(dir))
	if after := again.percents(t); !slices.Equal(after, before) {
		t.Errorf("and forward again: %v, before: %v", after, before)
	}
}
