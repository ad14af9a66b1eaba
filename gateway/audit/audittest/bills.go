// Package audittest makes invoice files for tests of audits.
package audittest

import (
	"bytes"
	"fmt"

	"assay.dev/contracts"
)

// Bills are invoice lines over all carriers, with every verdict among them.
type Bills struct {
	// First is the first day of week 0.
	First contracts.Date
	// Week is the week in which the n-th line was shipped. The one after it is published as well.
	Week func(n int) int
	// Published is the percent of a carrier's week.
	Published func(c contracts.Carrier, week int) float64
	// Unknown is a day of which no percent can be known, for the n-th line.
	Unknown func(n int) contracts.Date
}

// CSV is a file of so many lines. Of twelve in a row, the second to the tenth are each wrong in another way, such as by
// another week's percent, and the others are billed as published.
func (b Bills) CSV(lines int) []byte {
	var text bytes.Buffer
	text.WriteString("id,carrier,ship_date,billed_pct,base_amount,billed_amount,discount_points,cap_pct,min_amount,service,pro_number,bill_received\n")
	for n := range lines {
		b.write(&text, n)
	}
	return text.Bytes()
}

func (b Bills) write(text *bytes.Buffer, n int) {
	carrier, week := contracts.Carriers[n%len(contracts.Carriers)], b.Week(n)
	day, billed, amount, pro := b.First.AddDays(7*week+n%7), b.Published(carrier, week), "", fmt.Sprint(n)
	switch n % 12 {
	case 1:
		billed = b.Published(carrier, week+1)
	case 2:
		billed += 10
	case 3:
		amount = "1.00"
	case 4:
		amount = fmt.Sprintf("%.2f", billed*10+0.01)
	case 5:
		billed += 1.07
	case 6:
		billed -= 1.07
	case 7:
		day = "2026-13-01"
	case 8:
		day = b.Unknown(n)
	case 9:
		pro = "the same 1"
	}
	fmt.Fprintf(text, "%d,%s,%s,%.2f,1000.00,%s,,,,,%s,2026-09-01\n", n, carrier, day, billed, amount, pro)
}
