package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	fenced  = regexp.MustCompile("(?s)```.*?```")
	runbook = regexp.MustCompile(`runbook: (\S+)`)
)

// Every link of our documents leads to a file that is there, and to one of its headings; so does every alert's.
func TestLinksResolve(t *testing.T) {
	links := 0
	for _, pattern := range []string{"../*.md", "*.md", "../clients/*/README.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, file := range files {
			for _, l := range link.FindAllStringSubmatch(fenced.ReplaceAllString(read(t, file), ""), -1) {
				if !strings.Contains(l[1], "://") {
					links++
					resolve(t, file, l[1])
				}
			}
		}
	}
	alerts := "../deploy/k8s/components/prometheus-operator/rules.yaml"
	for _, l := range runbook.FindAllStringSubmatch(read(t, alerts), -1) {
		links++
		resolve(t, "../rules.yaml", l[1])
	}
	if links < 100 {
		t.Errorf("only %d links were found", links)
	}
}

// resolve fails unless a link of a file leads somewhere.
func resolve(t *testing.T, file, target string) {
	t.Helper()
	path, part, _ := strings.Cut(target, "#")
	to := file
	if path != "" {
		to = filepath.Join(filepath.Dir(file), path)
	}
	if _, err := os.Stat(to); err != nil {
		t.Errorf("%s: %s: %v", file, target, err)
		return
	}
	if part == "" {
		return
	}
	for _, h := range heading.FindAllStringSubmatch(read(t, to), -1) {
		if anchor(h[1]) == part {
			return
		}
	}
	t.Errorf("%s: %s has no heading #%s", file, to, part)
}

// anchor is the name that a heading has in links, as GitHub gives it.
func anchor(heading string) string {
	return strings.ReplaceAll(regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(heading), ""), " ", "-")
}

// The documents that grow with everything are kept short.
func TestDocumentsAreShort(t *testing.T) {
	if n := strings.Count(read(t, "../README.md"), "\n"); n > 130 {
		t.Errorf("README.md has %d lines", n)
	}
	if n := strings.Count(read(t, "map.md"), "\n|") - 2; n > 40 {
		t.Errorf("map.md has %d rows", n)
	}
	records := strings.Split(read(t, "decisions.md"), "\n## ")[1:]
	if len(records) > 45 || len(records) < 20 {
		t.Errorf("decisions.md has %d records", len(records))
	}
	for _, r := range records {
		if n := strings.Count(strings.TrimSpace(r), "\n"); n > 8 {
			t.Errorf("%s: %d lines", strings.SplitN(r, "\n", 2)[0], n)
		}
	}
	for _, h := range regexp.MustCompile(`(?m)^##+ `).Split(read(t, "../CHANGELOG.md"), -1)[1:] {
		if n := strings.Count(strings.TrimSpace(h), "\n"); n > 10 {
			t.Errorf("CHANGELOG.md, %s: %d lines", strings.SplitN(h, "\n", 2)[0], n)
		}
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A carrier that billed too little must bill the rest within 180 days of the first bill. The 18 months of 49 USC 14705(a) are those for a suit.
func TestTheGuideTellsUntilWhenTheRestIsBilled(t *testing.T) {
	guide := read(t, "guide.md")
	_, row, _ := strings.Cut(guide, "| `UNDERBILLED` |")
	row, _, _ = strings.Cut(row, "\n")
	if !strings.Contains(row, "180 days") || !strings.Contains(row, "49 USC 13710(a)(3)(A)") || strings.Contains(guide, "18 months") {
		t.Errorf("of UNDERBILLED the guide says%s", row)
	}
}
