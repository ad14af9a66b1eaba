package audit_test

import (
	"fmt"
	"strings"
	"testing"

	"assay.dev/gateway/audit"
	"assay.dev/gateway/lines"
	"assay.dev/platform/memorytest"
)

// The largest body that is taken needs a few times its size, whatever stands in it. (No test may run beside it.)
func TestMemoryOfHostileFiles(t *testing.T) {
	head := "id,carrier,ship_date\n"
	for name, file := range map[string]struct {
		format lines.Format
		body   string
	}{
		"a line of commas":        {lines.CSV, head + strings.Repeat(",", 4_900_000)},
		"a header of commas":      {lines.CSV, strings.Repeat(",", 4_900_000)},
		"a quote that never ends": {lines.CSV, head + `"` + strings.Repeat("\n,", 2_450_000)},
		"lines of commas":         {lines.CSV, head + strings.Repeat(strings.Repeat(",", 60_000)+"\n", 80)},
		"empty lines":             {lines.CSV, head + strings.Repeat("\n", 4_900_000)},
		"objects":                 {lines.JSON, "[" + strings.Repeat("{},", 1_600_000) + "{}]"},
		"lists within lists":      {lines.JSON, strings.Repeat("[", 4_900_000)},
		"one object's members":    {lines.NDJSON, "{" + strings.Repeat(`"a":1,`, 800_000) + `"a":1}`},
		"many errors":             {lines.NDJSON, strings.Repeat("{"+strings.Repeat(`"a":1,`, 79)+`"a":1}`+"\n", 10_000)},
		"many members":            {lines.NDJSON, "{" + manyMembers(400_000) + "}"},
	} {
		t.Run(name, func(t *testing.T) {
			var err error
			peak := memorytest.Peak(t, func() { _, err = audit.Read(t.Context(), file.format, []byte(file.body), lines.Reading{}) })
			t.Logf("%d bytes took %d MB: %.150v", len(file.body), peak, err)
			if peak > 64 {
				t.Errorf("%d bytes took %d MB", len(file.body), peak)
			}
		})
	}
}

func manyMembers(number int) string {
	var out strings.Builder
	for i := range number {
		fmt.Fprintf(&out, `"%d":1,`, i)
	}
	return out.String() + `"a":1`
}
