package bench

import (
	"fmt"
	"testing"
	"time"

	"assay.dev/platform/clock"
)

const (
	oneCarrier = "/v1/ltl/fuel-surcharge?carriers=ODFL&weeks=26"
	// idle is how long nobody asks anything before the memory is read.
	idle = 3 * time.Second
)

// measureStart starts the system on an empty directory. It measures the time to the first answer and the memory,
// before any request has needed a browser.
func measureStart(t *testing.T) []figure {
	var seconds, resident []float64
	for range *rounds {
		s := startSubject(t)
		s.ask(s.key, oneCarrier)
		seconds = append(seconds, time.Since(s.began).Seconds())
		must(t, clock.Sleep(t.Context(), idle))
		resident = append(resident, s.residentMB())
		s.stop()
	}
	fmt.Printf("start     %v s to the first answer, %v MB idle\n", seconds, resident)
	return []figure{
		{name: "start to first answer", value: median(seconds), unit: "s", target: 0.4,
			detail: "empty data directory, cold ODFL"},
		{name: "resident memory, idle", value: median(resident), unit: "MB", target: 100,
			detail: "assay up, no Chromium running"},
	}
}
