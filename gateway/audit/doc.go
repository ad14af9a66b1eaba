// Package audit holds freight invoices against the fuel surcharges that carriers published for the day of shipment
// (contract §4.11).
//
// [Read] reads the lines of an invoice file (JSON, NDJSON or CSV), [Auditor.Audit] gives each line a verdict, in the
// order of the lines, and a [Writer] writes the results and their [Totals] in the format of the lines.
//
// The formula: percent = min(published − discount_points, cap_pct), at least 0;
// amount = max(base_amount × percent ÷ 100, rounded half up to a cent, min_amount).
//
// Amounts and percents are decimal text outside and whole numbers inside ([Cents], [Points]): nothing is rounded but by
// the formula. The package reads no source and knows nothing of HTTP, keys and bills.
package audit
