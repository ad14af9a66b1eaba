package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWeeksAreImported(t *testing.T) {
	e := deployment(t)
	must(t, e, "provision", "--first")
	file := filepath.Join(t.TempDir(), "weeks.csv")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("carrier,effective_date,fuel_surcharge_pct\nTFORCE,2024-02-28,33.3\nTFORCE,2024-03-06,33.5\n")
	for _, want := range []string{"imported 2 weeks; 0 were known already", "imported 0 weeks; 2 were known already"} {
		if said := must(t, e, "archive", "import", file, "--source", "page of 2024-02-29", "--environment", "test"); said != want {
			t.Errorf("%q, want %q", said, want)
		}
	}
	if said := must(t, e, "archive", "import", file, "--source", "page of 2024-02-29", "--json"); !strings.Contains(said, `"added": 2`) {
		t.Errorf("the live archive is another one: %s", said)
	}
	if code, _, errs := run(t, e, "archive", "import", file); code != exitUsage || !strings.Contains(errs, "--source") {
		t.Errorf("without a source: %d %s", code, errs)
	}
	write("carrier,effective_date,fuel_surcharge_pct\nTFORCE,2024-02-30,33.3\n")
	if code, _, errs := run(t, e, "archive", "import", file, "--source", "x"); code != exitFailure || !strings.Contains(errs, "line 2") {
		t.Errorf("a bad line: %d %s", code, errs)
	}
}
