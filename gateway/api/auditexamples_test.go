package api

import (
	"assay.dev/contracts"
	"assay.dev/gateway/audit"
)

// exampleFile reads the example and gives what it is audited by.
func exampleFile() (audit.File, *audit.Auditor) {
	file := readExample(audit.Schema, "auditFuelSurcharges", "application/x-ndjson")
	weeks := func(url string, percents ...float64) audit.Archive {
		var all []audit.Week
		for i, percent := range percents {
			start := contracts.Date("2026-09-02").AddDays(7 * i)
			all = append(all, audit.Week{
				Start: start, End: start.AddDays(6), LTL: audit.PublishedPoints(percent), Confidence: 1, EvidenceURL: url,
			})
		}
		return audit.NewArchive(all)
	}
	return file, audit.NewAuditor(map[contracts.Carrier]audit.Archive{
		contracts.ODFL:  weeks("https://www.odfl.com/us/en/resources/fuel-surcharge.html", 46.18, 46.32, 46.5),
		contracts.ESTES: weeks("https://www.estes-express.com/resources/fuel-surcharge/", 48.10, 47.80, 47.60),
	}, "2026-09-18", audit.DefaultTolerance)
}

// auditExamples are the JSON bodies of the example, and of a dry run.
func auditExamples() map[string]any {
	file, auditor := exampleFile()
	body := Audit{Totals: audit.NewTotals()}
	for _, l := range file.Lines {
		r := auditor.Audit(l)
		body.Results = append(body.Results, audit.NewLineResult(r, nil))
		body.Totals.Add(r)
	}
	price := contracts.LTL.UnitPrice() / 10
	return map[string]any{
		"two lines": body,
		"a dry run": AuditQuote{LinesQuote: LinesQuote{DryRun: true, Lines: 2, Resolved: 2, LinePrice: price, Price: 2 * price, LivePrice: 2 * price}},
	}
}
