package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/sandbox"
)

var (
	damageFlips  = flag.Int("damage.flips", 2, "bytes flipped in each store, one at a time")
	damageSeed   = flag.Uint64("damage.seed", 11, "seed of the places")
	damageBinary = flag.String("damage.binary", "", "the assay to try, such as an earlier version; built anew when empty")
)

// damagedStores are the stores whose damage is tried, by the name of their stream.
var damagedStores = []struct{ name, stream string }{
	{"keys", contracts.KeysBucket.Stream()},
	{"usage", contracts.UsageStream.Name},
	{"ledger", contracts.CreditsBucket.Stream()},
	{"archive", contracts.WeeksBucket.Stream()},
	{"answers", contracts.AnswersBucket.Stream()},
}

// outcome is what a system made of one damage. Right, anew and refused are good: nothing wrong was said.
type outcome string

const (
	right   outcome = "right"
	anew    outcome = "right, store begun anew"
	refused outcome = "refused"
	wrong   outcome = "WRONG IN SILENCE"
	unclear outcome = "REFUSED WITHOUT SAYING WHAT"
	silent  outcome = "HANGS IN SILENCE"
	huge    outcome = "EATS MEMORY"
)

var goodOutcomes = []outcome{right, anew, refused}

// trial is one flipped byte and what came of it.
type trial struct {
	store, file string
	at          int
	outcome     outcome
	took        time.Duration
	peak        int
	said        string
}

// One byte is flipped at random places of each store, and the system is started on what that leaves: what it then
// says is right, or it refuses and says which store it is.
func TestAFlippedByteIsNeverAWrongAnswer(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts the system many times")
	}
	site, err := sandbox.Start(sandbox.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = site.Close() }()
	binary := assayBinary(t)
	dir := t.TempDir()
	p, err := upOn(binary, dir, site)
	if err != nil {
		t.Fatalf("%v\n%s", err, p.out.String())
	}
	filled := fill(t, p)
	p.end() // which writes what waited, such as that a carrier was seen again
	if p, err = upOn(binary, dir, site); err != nil {
		t.Fatalf("%v\n%s", err, p.out.String())
	}
	clocktest.Await(t, "the ledger is the provider's count, which a call that was given up changes later", func() bool {
		shown, err := p.command("credits", "show", "--environment", "test", "--json")
		var accounts []account
		if err != nil || json.Unmarshal([]byte(shown), &accounts) != nil {
			return false
		}
		return slices.ContainsFunc(accounts, func(a account) bool {
			return a.Kind == contracts.Render && a.Spent == float64(site.Licensing().Renderer.Counts().Credits) && a.Reserved == 0
		})
	})
	truth, err := p.know(filled)
	p.end()
	if err != nil {
		t.Fatal(err)
	}
	var table []trial
	var mu sync.Mutex
	t.Run("trials", func(t *testing.T) {
		for _, tr := range trials(t, dir) {
			t.Run(fmt.Sprintf("%s %s %d", tr.store, tr.file, tr.at), func(t *testing.T) {
				t.Parallel()
				tr.run(t, binary, copyOf(t, dir), site, filled, truth)
				mu.Lock()
				defer mu.Unlock()
				table = append(table, tr)
			})
		}
	})
	t.Log("\n" + print(table))
}

func assayBinary(t *testing.T) string {
	t.Helper()
	if *damageBinary != "" {
		return *damageBinary
	}
	return binaryFile(t)
}

// trials draws the places, each byte of a store's files as likely as any other.
func trials(t *testing.T, dir string) []trial {
	t.Helper()
	random := rand.New(rand.NewPCG(*damageSeed, 0))
	var all []trial
	for _, s := range damagedStores {
		files, sizes, total := storeFiles(t, streamDir(dir, s.stream))
		for range *damageFlips {
			at := random.IntN(total)
			i := 0
			for ; at >= sizes[i]; i++ {
				at -= sizes[i]
			}
			all = append(all, trial{store: s.name, file: files[i], at: at})
		}
	}
	return all
}

func streamDir(dir, stream string) string {
	return filepath.Join(dir, "nats", "jetstream", "$G", "streams", stream)
}

func storeFiles(t *testing.T, dir string) (files []string, sizes []int, total int) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil || info.Size() == 0 {
			return err
		}
		name, err := filepath.Rel(dir, path)
		files, sizes, total = append(files, name), append(sizes, int(info.Size())), total+int(info.Size())
		return err
	})
	if err != nil || total == 0 {
		t.Fatalf("no store in %s: %v", dir, err)
	}
	return files, sizes, total
}

// run flips the byte, starts the system and asks it everything.
func (tr *trial) run(t *testing.T, binary, dir string, site *sandbox.Sandbox, filled contents, truth knowledge) {
	stream := tr.stream()
	flip(t, filepath.Join(streamDir(dir, stream), tr.file), tr.at)
	p, err := upOn(binary, dir, site)
	if p == nil {
		t.Fatal(err)
	}
	tr.took = time.Since(p.began)
	switch {
	case err == nil:
		tr.outcome, tr.said = compare(p, filled, truth)
		p.end()
	case errors.Is(err, errExit):
		tr.outcome, tr.said = unclear, p.out.String()
	case errors.Is(err, errMemory):
		tr.outcome = huge
		p.kill()
	default:
		tr.outcome = silent
		p.kill()
	}
	tr.peak = p.peak
	if tr.outcome == unclear && strings.Contains(tr.said, stream) {
		tr.outcome = refused
	}
	if tr.outcome == right && strings.Contains(p.out.String(), "begins anew") {
		tr.outcome = anew
	}
	if !slices.Contains(goodOutcomes, tr.outcome) {
		t.Errorf("%s: %s", tr.outcome, tr.said)
	}
}

func (tr *trial) stream() string {
	for _, s := range damagedStores {
		if s.name == tr.store {
			return s.stream
		}
	}
	return ""
}

// compare asks a system that started.
func compare(p *oneProcess, filled contents, truth knowledge) (outcome, string) {
	k, err := p.know(filled)
	for store, was := range truth {
		if is, ok := k[store]; ok && is != was {
			return wrong, fmt.Sprintf("%s was\n%.3000s\nand is\n%.3000s", store, without(was, is), without(is, was))
		}
	}
	switch {
	case errors.Is(err, errSilent):
		return silent, err.Error()
	case err != nil:
		return unclear, err.Error() // which store it is must stand in it
	}
	return right, ""
}

// without are the lines of a text that another one has not.
func without(text, other string) string {
	lines := strings.Split(other, "\n")
	return strings.Join(slices.DeleteFunc(strings.Split(text, "\n"), func(l string) bool { return slices.Contains(lines, l) }), "\n")
}

func flip(t *testing.T, file string, at int) {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	content[at] ^= 0xff
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// print lists each trial, and how many ended how in each store.
func print(table []trial) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "STORE\tFILE\tBYTE\tOUTCOME\tSTART\tMEMORY")
	counts := map[string]map[outcome]int{}
	for _, tr := range table {
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%.1f s\t%d MB\n", tr.store, tr.file, tr.at, tr.outcome, tr.took.Seconds(), tr.peak)
		if counts[tr.store] == nil {
			counts[tr.store] = map[outcome]int{}
		}
		counts[tr.store][tr.outcome]++
	}
	fmt.Fprintln(w)
	for _, s := range damagedStores {
		fmt.Fprintf(w, "%s\t%v\n", s.name, counts[s.name])
	}
	_ = w.Flush()
	return b.String()
}
