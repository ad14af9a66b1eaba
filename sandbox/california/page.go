package california

import (
	"fmt"
	"html/template"
	"strings"

	"assay.dev/contracts"
)

// pages are the pages of the site.
func pages() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"date":   printedDate,
		"master": func(b bool) string { return map[bool]string{true: "Y", false: "N"}[b] },
		"term": func(months int) string {
			if months == 0 {
				return ""
			}
			return fmt.Sprintf("%d Month(s)", months)
		},
	}).Parse(markup))
}

// printedDate is a date as the register prints it: 15-NOV-2023.
func printedDate(d contracts.Date) string { return strings.ToUpper(d.Format("02-Jan-2006")) }

const markup = `
{{define "top"}}<!DOCTYPE html>
<html lang="en"><head><meta charset="UTF-8"><title>License Lookup | Alcoholic Beverage Control</title>
<meta name="generator" content="stand-in"><style>.report dt{font-weight:700}</style></head>
<body class="page"><header><nav aria-label="Main"><ul><li><a href="/">Home</a></li><li><a href="/licensing/">Licensing</a></li>
<li><a href="/licensing/license-lookup/">License Lookup</a></li></ul></nav></header><main id="main-content"><div class="entry-content">{{end}}

{{define "bottom"}}</div><aside><h2>Contact</h2><p>Find an office near you.</p></aside></main>
<footer><p>Data are refreshed every business day.</p></footer></body></html>{{end}}

{{define "form"}}{{template "top"}}<h1>Business Name Search</h1>
<form action="/licensing/license-lookup/business-name/" method="get"><label for="BusinessName">Business Name</label>
<input type="text" id="BusinessName" name="BusinessName"><button type="submit">Search</button></form>{{template "bottom"}}{{end}}

{{define "notFound"}}{{template "top"}}<h1>License Report</h1><h2>License Details</h2>
<p class="no-results">No license was found with License Number {{.}}.</p>{{template "bottom"}}{{end}}

{{define "license"}}{{template "top"}}<h1>License Report</h1><div class="report">
<dl class="license-details"><dt>License Number:</dt><dd>{{.Number}}</dd><dt>Primary Owner:</dt><dd>{{.Owner}}</dd>
<dt>Office of Application:</dt><dd>{{.District}}</dd></dl>
{{with .DBA}}<h2>Business Name{{$.Colon}}</h2><p>{{.}}</p>{{end}}
<h2>Business Address{{$.Colon}}</h2><p>{{.AddressText}}</p>
<dl><dt>County:</dt><dd>{{.Premises.County}}</dd><dt>Census Tract:</dt><dd>{{.Tract}}</dd></dl>
<h2>Licensee Information{{$.Colon}}</h2><dl><dt>Licensee:</dt><dd>{{.Owner}}</dd></dl>{{range .Officers}}<p class="officer">{{.}}</p>{{end}}
<h2>License Types{{$.Colon}}</h2>{{range .Blocks}}<div class="license-type"><h3>{{.Type}} - {{.TypeName}}</h3>
<dl><dt>License Type Status:</dt><dd>{{.Status}}</dd><dt>Status Date:</dt><dd>{{date .StatusDate}}</dd><dt>Term:</dt><dd>{{term .Term}}</dd>
<dt>Original Issue Date:</dt><dd>{{date .Issued}}</dd><dt>Expiration Date:</dt><dd>{{date .Expiry}}</dd>
<dt>Master:</dt><dd>{{master .Master}}</dd><dt>Duplicate:</dt><dd>{{.Duplicates}}</dd><dt>Fee Code:</dt><dd>{{.FeeCode}}</dd>
<dt>Transfers:</dt><dd>{{.Transfers}}</dd></dl></div>{{end}}
<h2>Operating Restrictions{{$.Colon}}</h2>{{range .Restrictions}}<p>{{.}}</p>{{else}}<p>No Operating Restrictions found.</p>{{end}}
<h2>Disciplinary Action{{$.Colon}}</h2><p>No Active Disciplinary Action found.</p>
<h2>Disciplinary History{{$.Colon}}</h2>{{range .Discipline}}<dl class="discipline"><dt>Reg. Number:</dt><dd>{{.Registration}}</dd>
{{range .Sections}}<dt>Section:</dt><dd>{{.}}</dd>{{end}}<dt>Proceeding Status:</dt><dd>{{.Status}}</dd>
<dt>Decision:</dt><dd>{{.Decision}}</dd><dt>Suspension Days:</dt><dd>{{.Days}}</dd><dt>Stayed Days:</dt><dd>{{.Stayed}}</dd>
<dt>Suspension Start Date:</dt><dd>{{date .Start}}</dd><dt>Suspension End Date:</dt><dd>{{if .Indefinite}}INDEFINITE SUSPENSION{{else}}{{date .End}}{{end}}</dd><dt>POIC/Fine:</dt><dd>{{.POICFine}}</dd></dl>
{{else}}<p>No Disciplinary History found.</p>{{end}}
<h2>Holds{{$.Colon}}</h2><p>No Active Holds found.</p><h2>Escrows{{$.Colon}}</h2><p>No Escrow found.</p></div>{{template "bottom"}}{{end}}

{{define "results"}}{{template "top"}}<h1>Business Name Search Results</h1>
{{if .}}<table id="abc_licenses" class="display"><thead><tr><th>License Number</th><th>License Type</th><th>Orig. Iss. Date</th>
<th>Expir. Date</th><th>Primary Owner</th><th>Business Name</th><th>Premises Addr.</th></tr></thead><tbody>
{{range $l := .}}{{range .Blocks}}<tr><td><a href="/licensing/license-lookup/single-license/?RPTTYPE=12&amp;LICENSE={{$l.Number}}">{{$l.Number}}</a></td>
<td>{{.Type}} ({{.Status}})</td><td>{{date .Issued}}</td><td>{{date .Expiry}}</td><td>{{$l.Owner}}</td><td>{{$l.DBA}}</td>
<td>{{$l.AddressText}}</td></tr>{{end}}{{end}}
</tbody></table>{{else}}<p class="no-results">No licenses were found with that Business Name.</p>{{end}}{{template "bottom"}}{{end}}
`
