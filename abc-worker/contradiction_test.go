package abcworker

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"

	"assay.dev/abc-worker/register"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
	"assay.dev/sandbox/license"
)

// What becomes of a page when something else on it speaks against what its fields say.
const (
	refused = "refused"
	kept    = "kept"    // the answer stays as it was
	silent  = "silent"  // suspensions are not reported
	doubted = "doubted" // the confidence is below the gate
	absent  = "absent"  // there is no such license
)

// edits are texts of a page and what stands in their place, in pairs.
type edits []string

// Each page of a license in force is changed in one place.
func TestPagesThatContradictThemselves(t *testing.T) {
	t.Parallel()
	all := caseDocuments(t)
	for base, pages := range map[string]struct {
		always edits
		tried  map[string]map[string]edits
	}{
		"ca-page/active-one-suspension-served": {nil, map[string]map[string]edits{
			refused: {
				"order":            {`<h2>Escrows</h2>`, `<p class="alert">The license was suspended by order of the Department on 20-NOV-2026.</p><h2>Escrows</h2>`},
				"order first":      {`<h1>License Report</h1>`, `<h1>License Report</h1><div>Emergency closure order in effect for these premises since 19 November.</div>`},
				"in a heading":     {`<h1>License Report</h1>`, `<h2>THIS LICENSE HAS BEEN SUMMARILY SUSPENDED BY ORDER OF 20-NOV-2026</h2><h1>License Report</h1>`},
				"behind history":   {`<h2>Holds</h2>`, `<h3>This license was suspended by order of 20-NOV-2026</h3><h2>Holds</h2>`},
				"number named":     {`<footer>`, `<p>License 541908 has been suspended until further notice.</p><footer>`},
				"another number":   {`<h2>Escrows</h2><p>No Escrow found.</p>`, `<h2>Escrows</h2><dl><dt>License Number:</dt><dd>541909</dd></dl>`},
				"other status":     {`<h2>Escrows</h2>`, `<dl><dt>Enforcement Status:</dt><dd>Suspended pending hearing</dd></dl><h2>Escrows</h2>`},
				"in an escrow":     {`<h2>Escrows</h2><p>No Escrow found.</p>`, `<h2>Escrows</h2><dl><dt>License Status:</dt><dd>SUSPEN</dd></dl>`},
				"status in code":   {`<h1>License Report</h1>`, `<h1>License Report</h1><dl><dt>License Status:</dt><dd>SUSPEN</dd></dl>`},
				"standing in code": {`<h1>License Report</h1>`, `<h1>License Report</h1><dl><dt>Current Standing:</dt><dd>AUTREV</dd></dl>`},
				"code in the end":  {`<footer>`, `<dl><dt>Current Standing:</dt><dd>AUTREV</dd></dl><footer>`},
				"code of a hold":   {`<h2>Escrows</h2>`, `<dl><dt>Enforcement Status:</dt><dd>SUSPEN</dd></dl><h2>Escrows</h2>`},
				"revocation begun": {`<h1>License Report</h1>`, `<h1>License Report</h1><dl><dt>License Status:</dt><dd>REVPEN</dd></dl>`},
				"status twice":     {`<dt>Status Date:</dt>`, `<dt>License Type Status:</dt><dd>SUSPEN</dd><dt>Status Date:</dt>`},
				"training system":  {`<h1>License Report</h1>`, `<h1>License Report</h1><p>TRAINING ENVIRONMENT: the licenses shown are fictitious records.</p>`},
				"old data":         {`Data are refreshed every business day.`, `Data as of 02-SEP-2026.`},
				"old data in June": {`<h1>License Report</h1>`, `<h1>License Report</h1><p>License information current as of June 3, 2026.</p>`},
				"second block's date": {`<h2>Operating Restrictions</h2>`, `<div><h3>47 - ON-SALE GENERAL EATING PLACE</h3><dl><dt>License Type Status:</dt><dd>CANCEL</dd>` +
					`<dt>Status Date:</dt><dd>Nov 20 2026</dd><dt>Original Issue Date:</dt><dd>July 11th 2015</dd><dt>Master:</dt><dd>Y</dd></dl></div><h2>Operating Restrictions</h2>`},
			},
			doubted: {
				"data of two weeks ago": {`Data are refreshed every business day.`, `Data as of 08-NOV-2026.`},
			},
			silent: {
				"order in history": {`<h2>Holds</h2>`, `<p>The license was suspended by order of the Department on 20-NOV-2026.</p><h2>Holds</h2>`},
				"action under way": {`No Active Disciplinary Action found.`, `Accusation filed 02-NOV-2026`},
				"no sales":         {`No Active Disciplinary Action found.`, `No alcoholic beverage sales permitted through 04-DEC-2026`},
				"none, but sales":  {`No Active Disciplinary Action found.`, `No Active Disciplinary Action found, sales prohibited through 04-DEC-2026`},
				"no end":           {`No Active Disciplinary Action found.`, `No disciplinary action ends the suspension in effect.`},
				"no hearing":       {`No Active Disciplinary Action found.`, `No hearing is scheduled. Interim suspension order in effect since 12-NOV-2026.`},
				"no history":       {`<h2>Disciplinary History</h2><dl`, `<h2>Former Discipline</h2><dl`},
			},
			kept: {
				"status again":    {`<h1>License Report</h1>`, `<h1>License Report</h1><dl><dt>License Status:</dt><dd>ACTIVE</dd><dt>Escrow:</dt><dd>PENDING</dd></dl>`},
				"escrow's status": {`<h2>Escrows</h2><p>No Escrow found.</p>`, `<h2>Escrows</h2><dl><dt>Escrow Status:</dt><dd>CANCEL</dd></dl>`},
				"hold's status":   {`<p>No Active Holds found.</p>`, `<dl><dt>Type:</dt><dd>TAX</dd><dt>Hold Standing:</dt><dd>CANCEL</dd></dl>`},
				"no action":       {`No Active Disciplinary Action found.`, `No disciplinary actions are on file`},
				"general words":   {`<footer>`, `<p>Licenses may be suspended or revoked for violations of the Act.</p><p>This report includes suspensions that were served.</p><footer>`},
				"another license": {`<footer>`, `<p>News: license 600123 was suspended on 12 November 2026.</p><footer>`},
				"today's data":    {`Data are refreshed every business day.`, `Data as of 20-NOV-2026.`},
				"old page":        {`Data are refreshed every business day.`, `Page last updated: March 3, 2024.`},
				"hidden status":   {`<h2>Operating Restrictions</h2>`, `<div hidden><h3>47 - X</h3><dl><dt>License Type Status:</dt><dd>CANCEL</dd><dt>Status Date:</dt><dd>20-NOV-2026</dd><dt>Original Issue Date:</dt><dd>11-JUL-2015</dd><dt>Master:</dt><dd>Y</dd></dl></div><h2>Operating Restrictions</h2>`},
				"hidden notice":   {`<footer>`, `<p style="display: none">The license was suspended by order of the Department.</p><footer>`},
				"a link":          {`<footer>`, `<a href="/x">Suspensions and Revocations</a><footer>`},
				"a heading":       {`<footer>`, `<h4>Suspensions and Revocations</h4><footer>`},
				"a choice":        {`<footer>`, `<form><label>Suspended <input type="checkbox"></label><button>Report a suspension</button></form><footer>`},
			},
		}},
		"tx-inquiry/expired-renewal-pending": {edits{`Expired - Renewal Pending`, `Active`, `10/31/2026`, `10/31/2027`}, map[string]map[string]edits{
			refused: {
				"order":          {`<div id="footer">`, `<p>By order of the Commission sales at these premises are stopped from 20 November 2026.</p><div id="footer">`},
				"second status":  {`<tr><th>Wine Percent:</th>`, `<tr><th>Secondary Status:</th><td>Suspended - Summary</td></tr><tr><th>Wine Percent:</th>`},
				"both columns":   {`<tr><th>Wine Percent:</th>`, `<tr><td colspan="2">Summary suspension ordered 11/20/2026 under Sec. 11.614</td></tr><tr><th>Wine Percent:</th>`},
				"status twice":   {`<tr><th>Wine Percent:</th>`, `<tr><th>Status:</th><td>Suspended</td></tr><tr><th>Wine Percent:</th>`},
				"expired, too":   {`<tr><th>Wine Percent:</th>`, `<tr><th>Status:</th><td>Expired - Not Renewed</td></tr><tr><th>Wine Percent:</th>`},
				"expired first":  {`<td>Active</td>`, `<td>Expired</td></tr><tr><th>Status:</th><td>Active</td>`},
				"second of two":  {`<tr><th>Wine Percent:</th>`, `<tr><th>Secondary Status:</th><td>None</td></tr><tr><th>Secondary Status:</th><td>Suspended - Summary</td></tr><tr><th>Wine Percent:</th>`},
				"first of two":   {`<tr><th>Wine Percent:</th>`, `<tr><th>Secondary Status:</th><td>Suspended - Summary</td></tr><tr><th>Secondary Status:</th><td>None</td></tr><tr><th>Wine Percent:</th>`},
				"test system":    {`<h1>Public Inquiry</h1>`, `<h1>Public Inquiry</h1><p>This is the acceptance test system.</p>`},
				"old data":       {`<h1>Public Inquiry</h1>`, `<h1>Public Inquiry</h1><p>Information as of 08/31/2026</p>`},
				"hidden record":  {`<table class="inquiry-record">`, `<table class="inquiry-record" style="display:none">`},
				"hidden nothing": {`class="message"></span>`, `class="message" style="display:none">No records found.</span>`, `1 record(s) found.`, ``, `<table class="inquiry-record">`, `<table class="old">`},
				"twice, one of no day": {`<table class="inquiry-record">`, `<table class="inquiry-record"><tr><th>License #:</th><td>100204417</td></tr><tr><th>License Type:</th><td>BQ</td></tr>` +
					`<tr><th>Status:</th><td>Cancelled</td></tr></table><table class="inquiry-record">`, `1 record(s)`, `2 record(s)`},
				"twice, of one day": {`<table class="inquiry-record">`, `<table class="inquiry-record"><tr><th>License #:</th><td>100204417</td></tr><tr><th>License Type:</th><td>BQ</td></tr>` +
					`<tr><th>Status:</th><td>Cancelled</td></tr><tr><th>Orig. Issue Date:</th><td>05/09/2013</td></tr></table><table class="inquiry-record">`, `1 record(s)`, `2 record(s)`},
			},
			silent: {
				"violations in another box": {`</form>`, `<div><table class="violations"><tr><th>Complaint #</th><th>Status</th><th>Date</th><th>Code</th><th>Description</th><th>Disposition</th>` +
					`<th>Discipline Begin Date</th><th>Discipline End Date</th></tr><tr><td>1</td><td>Closed</td><td>01/02/2026</td><td>1</td><td>Sale to minor</td><td>Suspension</td>` +
					`<td>11/18/2026</td><td>12/02/2026</td></tr></table></div></form>`},
			},
			kept: {
				"general words": {`<div id="footer">`, `<p>A permit may be suspended when fees are not paid.</p><p>To report a violation call us.</p><div id="footer">`},
				"a name":        {`SPUR &amp; BRIDLE GROCERY`, `SUSPENDED ANIMATION`},
				"a heading":     {`<tr><th>Wine Percent:</th>`, `<tr><th colspan="2">Suspensions</th></tr><tr><th>Wine Percent:</th>`},
				"no label":      {`<tr><th>Wine Percent:</th>`, `<tr><td colspan="2">Wine and beer only</td></tr><tr><th>Wine Percent:</th>`},
			},
		}},
		"tx-inquiry/search-three-statuses": {nil, map[string]map[string]edits{
			refused: {"no count": {`3 record(s) found.`, ``}, "another place": {`id="MainContent_lblCount"`, `id="count"`, `3 record(s) found.`, `Records: 3`}},
			doubted: {
				"twice, one of no day": {`<table class="inquiry-record"><tr><th>License #:</th><td>103110987`, `<table class="inquiry-record"><tr><th>License #:</th><td>103110020</td></tr><tr><th>License Type:</th><td>BQ</td></tr>` +
					`<tr><th>Trade Name:</th><td>Golondrinas</td></tr><tr><th>Status:</th><td>Cancelled</td></tr></table><table class="inquiry-record"><tr><th>License #:</th><td>103110987`, `3 record(s)`, `4 record(s)`},
				"count elsewhere":     {`3 record(s) found.`, ``, `<div id="footer">`, `<p>Showing 1 to 3 of 54 records</p><div id="footer">`},
				"range in its place":  {`3 record(s) found.`, `Records 1-3 of 54`},
				"both in its place":   {`3 record(s) found.`, `3 of 54 records`},
				"more said elsewhere": {`<div id="footer">`, `<p>54 licenses match.</p><div id="footer">`},
			},
			kept: {"whole": {`3 record(s) found.`, `Records 1-3 of 3`}, "in other words": {`id="MainContent_lblCount"`, `id="count"`}},
		}},
		"tx-inquiry/none-in-words-and-zero": {nil, map[string]map[string]edits{
			refused: {
				"maintenance":     {`<span id="MainContent_lblMessage"`, `<div class="alert">System maintenance in progress: search results may be incomplete.</div><span id="MainContent_lblMessage"`},
				"in a heading":    {`<div id="banner">`, `<h2>Our database is temporarily unavailable</h2><div id="banner">`},
				"code in a list":  {`No records were found that match your search.`, ``, `<div id="footer">`, `<ul><li>The code you typed does not match the image.</li></ul><div id="footer">`},
				"code in the end": {`<div id="footer">`, `<p>The code has expired.</p><div id="footer">`},
			},
			absent: {
				"count alone": {`No records were found that match your search.`, ``},
				"a banner":    {`<div id="footer">`, `<p>Our offices are closed on Friday.</p><div id="footer">`},
			},
		}},
		"fl-portal/short-number-two-rows": {nil, map[string]map[string]edits{
			refused: {
				"order":          {`<b>Search Results</b>`, `<p>License BEV5400218 was suspended by emergency order on 11/20/2026.</p><b>Search Results</b>`},
				"third line":     {`Current, Active<br/>03/31/2027`, `Current, Active<br/>03/31/2027<br/>Emergency Suspension`},
				"word, no date":  {`Current, Active<br/>03/31/2027`, `Current, Active<br/>Suspended`},
				"lines differ":   {`DBA</font></td>` + "\n" + `<td><font face='verdana' size='-2'>BEV5400218<br/>4COP</font></td><td><font face='verdana' size='-2'>Current, Active`, `DBA</font></td>` + "\n" + `<td><font face='verdana' size='-2'>BEV5400218<br/>4COP</font></td><td><font face='verdana' size='-2'>Null and Void`},
				"test system":    {`<b>Search Results</b>`, `<p>TEST SYSTEM - not live data</p><b>Search Results</b>`},
				"old data":       {`<b>Search Results</b>`, `<p>Licensee data last updated 8/31/2026</p><b>Search Results</b>`},
				"data of a day":  {`<b>Search Results</b>`, `<p>Licensee data last updated 31/08/2026</p><b>Search Results</b>`},
				"discipline":     {`<tr><td><font size='-2'>Main Address*:`, `<tr><td><font size='-2'>Discipline*:</font></td><td>Emergency suspension order 11/20/2026</td></tr><tr><td><font size='-2'>Main Address*:`},
				"hidden results": {`<table border="1"`, `<table style="display:none" border="1"`},
			},
			doubted: {"another date": {`<b>Status/Expires</b>`, `<b>Status/Effective Date</b>`}},
			kept: {
				"a phone":       {`<tr><td><font size='-2'>Main Address*:`, `<tr><td><font size='-2'>Phone*:</font></td><td>850.555.0100</td></tr><tr><td><font size='-2'>Main Address*:`},
				"general words": {`<b>Search Results</b>`, `<p>Search results include suspended and revoked licenses.</p><b>Search Results</b>`},
				"hidden none":   {`<b>Search Results</b>`, `<p hidden>No records found.</p><b>Search Results</b>`},
			},
		}},
		"ca-page/search-list": {nil, map[string]map[string]edits{
			refused: {"sample": {`<main`, `<p>Sample records for testing only.</p><main`}},
			doubted: {
				"cut":         {`</table>`, `</table><div>Showing 1 to 4 of 54 entries</div>`},
				"more stated": {`4 licenses found.`, `54 licenses found.`},
			},
			kept: {"whole": {`</table>`, `</table><div>Showing 1 to 4 of 4 entries</div>`}},
		}},
		"fl-portal/search-two-and-a-stranger": {nil, map[string]map[string]edits{
			refused: {"cut": {`name="hTotalRecords" value="`, `name="hTotalRecords" value="1`}},
		}},
		"il-render/suspended-quote-in-name": {edits{` Suspended `, `Active`}, map[string]map[string]edits{
			refused: {
				"order":         {`<footer>`, `<p>The commission ordered this licensee to stop sales from November 20, 2026.</p><footer>`},
				"few words":     {`<footer>`, `<p>License summarily suspended.</p><footer>`},
				"other status":  {`<dt>County</dt>`, `<dt>Disciplinary Status</dt><dd>Revoked, under appeal</dd><dt>County</dt>`},
				"application":   {`<dt>Application Status</dt><dd>Issued</dd>`, `<dt>Application Status</dt><dd>Revoked</dd>`},
				"status twice":  {`<dt>County</dt>`, `<dt>License Status</dt><dd>Revoked</dd><dt>County</dt>`},
				"sample":        {`<footer>`, `<p>Sample data for demonstration purposes.</p><footer>`},
				"old data":      {`<footer>`, `<p>Information current through 8/1/2026</p><footer>`},
				"older data":    {`<footer>`, `<p>Information as of Sept. 2, 2026</p><footer>`},
				"hidden status": {`<dt>License Status</dt><dd>Active</dd>`, `<dt hidden>License Status</dt><dd hidden>Active</dd>`},
			},
			kept: {
				"today's data":    {`<footer>`, `<p>Information current through 11-20-26</p><footer>`},
				"a renewal":       {`<dt>Application Status</dt><dd>Issued</dd>`, `<dt>Application Status</dt><dd>Pending</dd>`},
				"no discipline":   {`<dt>County</dt>`, `<dt>Disciplinary Status</dt><dd>None</dd><dt>County</dt>`},
				"general words":   {`<footer>`, `<p>The commission may suspend or revoke a license for cause.</p><footer>`},
				"another license": {`<footer>`, `<p>License 1A-1180444 was revoked on November 2, 2026.</p><footer>`},
			},
		}},
	} {
		d := all[slices.IndexFunc(all, func(d caseDocument) bool { return d.name == base })]
		page := strings.NewReplacer(pages.always...).Replace(string(d.files[d.lastServed()]))
		for want, tried := range pages.tried {
			for _, name := range slices.Sorted(maps.Keys(tried)) {
				t.Run(base+"/"+want+"/"+name, func(t *testing.T) {
					t.Parallel()
					changed := page
					for pair := range slices.Chunk(tried[name], 2) {
						if !strings.Contains(changed, pair[0]) {
							t.Fatalf("the page has no %q", pair[0])
						}
						changed = strings.Replace(changed, pair[0], pair[1], 1)
					}
					d := d.with(changed)
					got := kept
					a, err := d.read(t)
					switch {
					case err != nil:
						got = refused + ": " + err.Error()
					case len(a.Value.Records) == 0:
						got = absent
					case d.Operation == register.Search, d.path != "inquiry" && d.path != "page":
					case slices.Contains(a.Value.Records[0].NotReported, register.Suspensions):
						got = silent
					}
					if err == nil && got == kept && a.Confidence() < contracts.MinConfidence {
						got = doubted
					}
					if !strings.HasPrefix(got, want) {
						t.Errorf("got %q", got)
					}
				})
			}
		}
	}
}

// What a path does not understand is neither reported nor denied: a later path may not know yet what this one shows. So
// is a license that a source does not show and the worker's own copy has.
func TestNoOtherPathIsAskedForWhatIsNotUnderstood(t *testing.T) {
	t.Parallel()
	licenses, deps := everyCase(t)
	gives := func(r register.Reading) func(context.Context, register.Question) (register.Reading, error) {
		return func(context.Context, register.Question) (register.Reading, error) { return r, nil }
	}
	unclear := gives(register.Reading{Unclear: 1})
	for _, s := range contracts.States {
		recipe, denies := Recipes[s](deps), Recipes[s](deps)
		recipe.Lookup[0].Read, recipe.Search[0].Read = unclear, unclear
		denies.Lookup[0].Read = gives(register.Reading{})
		source := newSource(s, recipe, deps, scrape.Deps{Log: slog.New(slog.DiscardHandler)})
		denying := newSource(s, denies, deps, scrape.Deps{Log: slog.New(slog.DiscardHandler)})
		plain := licenses.Of(s)[slices.IndexFunc(licenses.Of(s), func(l license.License) bool { return l.Case == "plain" })]
		for what, read := range map[string]func() (any, error){
			"lookup": func() (any, error) {
				return source.license(t.Context(), contracts.LicenseRequest{Number: plain.Number})
			},
			"search": func() (any, error) {
				return source.search(t.Context(), contracts.SearchRequest{Query: contracts.Query{DBAName: plain.DBA}})
			},
			"in the copy alone": func() (any, error) {
				return denying.license(t.Context(), contracts.LicenseRequest{Number: plain.Number})
			},
		} {
			a, err := read()
			if contracts.CodeOf(err) != contracts.SourceUnavailable || contracts.AsError(err).RetryAfter != contracts.FallbackTTL || !strings.Contains(contracts.AsError(err).Message, "neither reported nor denied") {
				t.Errorf("%s, %s: %+v, %v", s, what, a, err)
			}
		}
	}
}
