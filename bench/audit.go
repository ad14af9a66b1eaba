package main

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/audit"
)

// auditWeeks is how many weeks each carrier has.
const auditWeeks = 160

// measureAudit reads, judges and writes a CSV of 10,000 lines over ten carriers, on one core.
func measureAudit(_ context.Context, o options) ([]figure, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	today := contracts.Today(time.Now())
	file, archives := auditFile(today)
	var seconds []float64
	var verdicts map[audit.Verdict]int
	for range turnsPerRound * o.rounds {
		began := time.Now()
		read, err := audit.Read(audit.CSV, file)
		if err != nil {
			return nil, err
		}
		verdicts = map[audit.Verdict]int{}
		auditor := audit.NewAuditor(archives, today, audit.DefaultTolerance)
		for range audit.Pieces(audit.CSV, read.Lines, auditor, func(v audit.Verdict) { verdicts[v]++ }) {
		}
		seconds = append(seconds, time.Since(began).Seconds())
	}
	fmt.Printf("audit     %.0f ms for %d lines: %v\n", 1000*median(seconds), audit.MaxLines, verdicts)
	if len(verdicts) != len(audit.Verdicts) {
		return nil, fmt.Errorf("only %d of %d verdicts are among the lines", len(verdicts), len(audit.Verdicts))
	}
	return []figure{{
		name: "audit of 10,000 lines", value: median(seconds), unit: "s", target: 1,
		detail: fmt.Sprintf("CSV in and out, %d kB, %d carriers × %d weeks, every verdict among them, one core", len(file)/1000, len(contracts.Carriers), auditWeeks),
	}}, nil
}

// auditPercent is that of a carrier's i-th week.
func auditPercent(carrier, i int) float64 { return 30 + float64(carrier) + float64(i*37%100)/10 }

// auditFile is a CSV with bills of each kind, and what the carriers published.
func auditFile(today contracts.Date) ([]byte, map[contracts.Carrier]audit.Archive) {
	first := today.AddDays(1 - 7*auditWeeks)
	archives := map[contracts.Carrier]audit.Archive{}
	for c, carrier := range contracts.Carriers {
		var weeks []audit.Week
		for i := range auditWeeks {
			start, truckload := first.AddDays(7*i), audit.PublishedPoints(auditPercent(c, i)+10)
			weeks = append(weeks, audit.Week{
				Start: start, End: start.AddDays(6), LTL: audit.PublishedPoints(auditPercent(c, i)), Truckload: &truckload, Confidence: 1,
				EvidenceURL: "https://carrier.example/fuel-surcharge",
			})
		}
		archives[carrier] = audit.NewArchive(weeks)
	}
	var text bytes.Buffer
	text.WriteString("id,carrier,ship_date,billed_pct,base_amount,billed_amount,discount_points,cap_pct,pro_number,bill_received\n")
	for n := range audit.MaxLines {
		writeBill(&text, n, first, today)
	}
	return text.Bytes(), archives
}

// writeBill writes the n-th line. Every fifteenth is of each kind that is not a MATCH.
func writeBill(text *bytes.Buffer, n int, first, today contracts.Date) {
	c, week := n%len(contracts.Carriers), n/len(contracts.Carriers)%(auditWeeks-1)
	day, billed, amount, pro := first.AddDays(7*week+n%7), auditPercent(c, week), "", fmt.Sprint(n)
	switch n % 15 {
	case 1:
		billed = auditPercent(c, week+1)
	case 2:
		billed += 10
	case 3:
		amount = "1.00"
	case 4:
		amount = fmt.Sprintf("%.2f", (billed-1)*10+0.01)
	case 5:
		billed += 1.07
	case 6:
		billed -= 1.07
	case 7:
		day = "2026-13-01"
	case 8:
		day = today.AddDays(1)
	case 9:
		pro = "the same"
	}
	fmt.Fprintf(text, "%d,%s,%s,%.2f,1000.00,%s,1,90,%s,2026-09-14\n", n, contracts.Carriers[c], day, billed-1, amount, pro)
}
