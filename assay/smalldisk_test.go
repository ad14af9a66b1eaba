package main

import (
	"flag"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"assay.dev/platform/clock/clocktest"
	"assay.dev/sandbox"
)

var smallDiskRounds = flag.Int("smalldisk.rounds", 2, "how often the small disk is filled and freed")

// smallSystem is an assay up on a disk of 12 MB, and the keys that it printed.
type smallSystem struct {
	disk
	binary  string
	site    *sandbox.Sandbox
	printed []string
	// payer is a live key, and billed how many of its answers must be billed.
	payer  string
	billed int
}

// A full disk is named and is no damage. What was acknowledged is there when there is space again, and the start goes
// on.
func TestASmallDiskIsFilledAndFreed(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts the system many times")
	}
	one, err := diskOf(t, "12m")
	if err != nil {
		t.Skip(err)
	}
	site, err := sandbox.Start(sandbox.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = site.Close() }()
	s := &smallSystem{disk: one, binary: assayBinary(t), site: site}
	for i := range *smallDiskRounds {
		t.Run(fmt.Sprint("round ", i+1), func(t *testing.T) { s.round(t, i) })
	}
}

func (s *smallSystem) data() string { return filepath.Join(s.dir, "data") }

func (s *smallSystem) round(t *testing.T, i int) {
	p, err := upOn(s.binary, s.data(), s.site)
	if err != nil {
		t.Fatalf("it does not start: %v\n%s", err, p.out.String())
	}
	defer p.kill()
	if !strings.Contains(p.out.String(), "has room for") {
		t.Errorf("it does not say that the disk is smaller than the bounds of its stores:\n%s", p.out.String())
	}
	s.nothingIsLost(t, p)
	s.printed = append(s.printed, s.issue(t, p, fmt.Sprint("before-", i)))
	if s.payer == "" {
		s.payer = s.issue(t, p, "payer", "--environment", "live")
	}
	s.pay(t, p, 1)
	if err := s.fill(); err != nil {
		t.Fatal(err)
	}
	s.useWhileFull(t, p, i)
	if i%2 == 0 {
		s.pay(t, p, 391)
		p.end()
	} else {
		p.kill()
	}
	if err := s.fill(); err != nil { // with what the end gave back
		t.Fatal(err)
	}
	again, err := upOn(s.binary, s.data(), s.site)
	if err == nil || !strings.Contains(again.out.String(), "DISK_FULL") {
		t.Errorf("a start on the full disk: %v\n%s", err, again.out.String())
	}
	again.kill()
	if err := s.empty(); err != nil {
		t.Fatal(err)
	}
}

// nothingIsLost asks for every key that was printed. The stores are whole.
func (s *smallSystem) nothingIsLost(t *testing.T, p *oneProcess) {
	t.Helper()
	for _, key := range s.printed {
		if status, body, err := p.get("/v1/ltl/carriers", key); err != nil || status != http.StatusOK {
			t.Errorf("a key that was printed: %d %s %v", status, body, err)
		}
	}
	s.everythingIsBilled(t, p)
	if said, err := p.command("check"); err != nil {
		t.Errorf("%s %v", said, err)
	}
	t.Logf("%d keys are accepted", len(s.printed))
}

func (s *smallSystem) issue(t *testing.T, p *oneProcess, tenant string, more ...string) string {
	t.Helper()
	key, err := p.command(append([]string{"keys", "create", "--tenant", tenant, "--limit", "100000"}, more...)...)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// pay asks for answers that are billed. What is billed while the disk is full is stored after the next start, unless the process is killed.
func (s *smallSystem) pay(t *testing.T, p *oneProcess, times int) {
	t.Helper()
	for range times {
		status, body, err := p.get("/v1/ltl/fuel-surcharge?carriers=ODFL&weeks=1", s.payer)
		if err != nil || status != http.StatusOK {
			t.Fatalf("a live answer: %d %s %v", status, body, err)
		}
		s.billed++
	}
}

// everythingIsBilled waits until the answers of all rounds are.
func (s *smallSystem) everythingIsBilled(t *testing.T, p *oneProcess) {
	t.Helper()
	want := fmt.Sprintf(`"count": %d,`, s.billed)
	clocktest.Await(t, want, func() bool {
		said, err := p.command("usage", "--json")
		return err == nil && (s.billed == 0 || strings.Contains(said, want))
	})
	t.Logf("%d answers are billed", s.billed)
}

// useWhileFull asks for answers, and makes keys until none is made: each that is printed is accepted.
func (s *smallSystem) useWhileFull(t *testing.T, p *oneProcess, round int) {
	t.Helper()
	statuses := map[int]int{}
	for n := range 8 {
		status, body, err := p.get(fmt.Sprintf("/v1/abc/license/%d?state=CA", 400000+20*round+n), s.printed[0])
		if err != nil || status == http.StatusInternalServerError {
			t.Errorf("an answer: %d %s %v", status, body, err)
		}
		statuses[status]++
	}
	t.Log("licenses on the full disk, by status: ", statuses)
	var err error
	clocktest.Await(t, "no key can be made", func() bool {
		var key string
		if key, err = p.command("keys", "create", "--tenant", fmt.Sprint("full-", len(s.printed))); err != nil {
			return true
		}
		s.printed = append(s.printed, key)
		if status, body, err := p.get("/v1/ltl/carriers", key); err != nil || status != http.StatusOK {
			t.Errorf("a key that was printed: %d %s %v", status, body, err)
		}
		return false
	})
	t.Log(err)
	if said := err.Error(); !strings.Contains(said, "DISK_FULL") || strings.Contains(said, "damaged") {
		t.Errorf("no key is made: %s", said)
	}
	if said := p.out.String(); !strings.Contains(said, "DISK_FULL") || strings.Contains(said, "a store is damaged") {
		t.Errorf("the log: %s", said)
	}
}
