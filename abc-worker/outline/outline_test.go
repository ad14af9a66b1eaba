package outline_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"assay.dev/abc-worker/outline"
)

func ExampleParse() {
	labels := outline.Labels{"License Number", "License Type Status", "License Type Name"}
	pieces, _ := outline.Parse(`<h2>License</h2><p>License <b>Number</b>: 400051</p>
		<dl><dt>License Type Sta…</dt><dd>ACTIVE</dd></dl><p>Note: as of today</p>`, labels)
	for _, p := range pieces {
		switch p.Kind {
		case outline.Heading:
			fmt.Println("heading", p.Text)
		case outline.Label:
			fmt.Println("label  ", labels.Find(p.Text))
		case outline.Value:
			fmt.Println("value  ", p.Text)
		case outline.Line:
			fmt.Println("line   ", p.Text)
		}
	}
	// Output:
	// heading License
	// label   License Number
	// value   400051
	// label   License Type Status
	// value   ACTIVE
	// line    Note: as of today
}

func TestFind(t *testing.T) {
	labels := outline.Labels{"License Type Status", "License Type Name", "County"}
	for in, want := range map[string]string{
		"county:": "County", " License  Type Status ": "License Type Status", "License Type St…": "License Type Status",
		"License Type": "", // either of two
		"Licen":        "", "Other": "", "": "",
	} {
		if got := labels.Find(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestSaysNone(t *testing.T) {
	for doc, want := range map[string]bool{
		"<p>No licenses were found.</p>":                                                      true,
		"<p>License 632923 does not exist.</p>":                                               true,
		"<p>The page was not found.</p>":                                                      false,
		"<p>Sorry, no records were found.</p>":                                                true,
		"<p>Your search is done. No licenses match.</p>":                                      true,
		"<p>No license was found with License Number 99. Check the number and try again.</p>": true,
		"<p>The system is temporarily unavailable for maintenance. No records found.</p>":     false,
		"<p>If no records are found, please call.</p>":                                        false,
		"<p>No results found because the service timed out.</p>":                              false,
		"<h1>Error</h1><p>No records found.</p>":                                              false,
		"<p>No records found.</p><p>The query could not be completed.</p>":                    false,
		"<p>No licenses were found. Our database is being updated; try again later.</p>":      false,
		"<h1>No records found</h1>":                                                           false,
		"<p>No disciplinary history found.</p>":                                               false,
		"<p>License lookup is not available.</p>":                                             false,
		"<script>'No records found'</script>Hello":                                            false,
	} {
		pieces, err := outline.Parse(doc, nil)
		if err != nil || outline.SaysNone(pieces) != want {
			t.Errorf("%s: want %v, %v", doc, want, err)
		}
	}
}

// A notice says what happened to one license. What can happen, or to many, is none; nor is what is forbidden to all.
func TestNotice(t *testing.T) {
	for want, sentences := range map[bool][]string{
		true: {
			"The license was suspended by order of the Department on 20-NOV-2026.",
			"Emergency closure order in effect for these premises since 19 November.",
			"Emergency suspension order in effect since 20-NOV-2026, appeal pending.",
			"Permit suspended by agreed order; contact the regional office.",
			"SALES SUSPENDED 11/20/2026 - SEE ORDER",
			"All alcohol sales suspended by order of the Department from 11/20/2026.",
			"By order of the Commission sales at these premises are stopped from 20 November 2026.",
			"Any sale at these premises is prohibited.",
			"Closed by order of the Board.", "Board order: all sales stopped.", "Interim suspension ordered.", "Revocation pending.",
			"Revocation effective immediately; call the Department.",
			"Service of alcohol is prohibited through December 4, 2026, when the suspension ends.",
			"Licensee may not sell or serve alcohol, as shown in the order.",
			"License 541908 has been revoked.",
			"Alcohol sales prohibited until further notice.", "License under suspension until further notice.", "License under suspension.",
			"Suspension from November 20 to December 4.", "Suspension through Dec. 4.", "Suspension in force.", "Revocation in progress.",
			"License status suspended since November 20.", "Suspended according to Department records.",
			"The Department suspended sales.", "By an order suspended since November.",
		},
		false: {
			"Licenses may be suspended or revoked for violations of the Act.",
			"This report includes suspensions that were served.",
			"Search results include suspended and revoked licenses.",
			"The list of revoked licenses was updated on 11/20/2026.",
			"The commission may suspend or revoke a license for cause.",
			"If sales are suspended, the licensee must post a sign.",
			"For questions about a suspended or revoked license, contact the Licensing Division.",
			"To learn about license suspension or revocation, call 512-206-3333.",
			"How to appeal a suspension order of the Department.",
			"Final orders of the Department are listed under Disciplinary History.",
			"Unauthorized access to this system is prohibited.",
			"The sale of alcohol to minors is prohibited.",
			"Persons under 21 are prohibited from buying alcohol.",
			"Copyright 2026, reproduction prohibited.",
			"By order of the Governor, department offices will be closed on Friday.",
			"By order of the Governor, department offices will be closed on 11/27/2026.",
			"Search results include suspended and revoked establishments.", "Search results include suspended records.",
			"Report sales by suspended or inactive retailers.", "Report sales by a suspended retailer to your regional office.",
			"To learn what a status of Suspended means, call 512-206-3333.", "\"Suspended\" means that there was an order.",
			"Information about suspension is available through our website.", "A suspension begins on the day of the order.",
			"Sale of alcohol is prohibited from 2 a.m. until noon.", "Sale of liquor is prohibited on December 25.",
			"Persons under 21 may not buy alcohol, its sale to them is prohibited.",
			"News: license 600123 was suspended on 12 November 2026.",
		},
	} {
		for _, sentence := range sentences {
			pieces, err := outline.Parse("<p>"+sentence+"</p>", nil)
			if got := outline.Notice(pieces, nil, "541908") != ""; err != nil || got != want {
				t.Errorf("%s: %v, %v", sentence, got, err)
			}
		}
	}
}

func TestBelieve(t *testing.T) {
	sept := time.Date(2026, time.September, 2, 0, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		doc      string
		believed bool
		of       time.Time
	}{
		"a page of a register":             {"<p>License 632923</p>", true, time.Time{}},
		"a test system":                    {"<p>This is a test system.</p>", false, time.Time{}},
		"as of Sept. 2, 2026":              {"<p>Information as of Sept. 2, 2026</p>", true, sept},
		"as of 9/2/26":                     {"<p>Information as of 9/2/26</p>", true, sept},
		"as of 09-02-2026":                 {"<p>Information as of 09-02-2026</p>", true, sept},
		"as of 2026/09/02":                 {"<p>Information as of 2026/09/02</p>", true, sept},
		"as of 20260902":                   {"<p>Information as of 20260902</p>", true, sept},
		"as of 02-SEP-2026":                {"<p>Information as of 02-SEP-2026</p>", true, sept},
		"as of the 2nd of September, 2026": {"<p>Information as of the 2nd of September, 2026</p>", true, sept},
		"as of 2026-09-02T06:00":           {"<p>Information as of 2026-09-02T06:00</p>", true, sept},
		"as of September 2nd 2026":         {"<p>Information as of September 2nd 2026</p>", true, sept},
		"as of 26-09-02":                   {"<p>Information as of 26-09-02</p>", false, time.Time{}},
		"as of 31/12/2026":                 {"<p>Information as of 31/12/2026</p>", false, time.Time{}},
		"as of 9.31.2026":                  {"<p>Information as of 9.31.2026</p>", false, time.Time{}},
		"as of 2026/9/2":                   {"<p>Information as of 2026/9/2</p>", true, sept},
		"as of 2026-9-2":                   {"<p>Information as of 2026-9-2</p>", true, sept},
		"as of 8:00 AM":                    {"<p>Data updated 8:00 AM on 9/2/2026.</p>", true, sept},
		"as of 8:00 a.m.":                  {"<p>Data updated 8:00 a.m. on 9/2/2026.</p>", true, sept},
		"as of Wed. Sept. 2":               {"<p>Information as of Wed. Sept. 2, 2026</p>", true, sept},
		"as of 9/ 2/2026":                  {"<p>Information as of 9/ 2/2026</p>", true, sept},
		"as of 9-2-6":                      {"<p>Information as of 9-2-6</p>", false, time.Time{}},
		"as of 2 Sept 2026 in words":       {"<p>Information as of the second of September 2026</p>", false, time.Time{}},
		"as of the 36th week":              {"<p>Data as of the 36th week of 2026</p>", false, time.Time{}},
		"every day of the year":            {"<p>Data is updated every day. Copyright 2026</p>", true, time.Time{}},
		"every day, and a number":          {"<p>Data is updated daily; call 512-206-3333</p>", true, time.Time{}},
		"of an earlier day, too":           {"<p>Licenses as of 2 Sep 26</p><p>Data updated 10/1/2026</p>", true, sept},
		"every 24 hours":                   {"<p>Data is updated every 24 hours, at 5:00 AM.</p>", true, time.Time{}},
		"a day of the page":                {"<p>This page was last updated 31/12/2026.</p>", true, time.Time{}},
		"64 KB in one line":                {"<p>" + strings.Repeat("word ", 64<<10/5) + "</p>", true, time.Time{}},
		"more than 64 KB":                  {"<p>" + strings.Repeat("word ", 64<<10/5+1) + "</p>", false, time.Time{}},
		"more than 64 KB in a value":       {"<table><tr><th>Owner</th><td>" + strings.Repeat("word ", 64<<10/5+1) + "</td></tr></table>", false, time.Time{}},
	} {
		t.Run(name, func(t *testing.T) {
			pieces, err := outline.Parse(c.doc, nil)
			if err != nil {
				t.Fatal(err)
			}
			if of, err := outline.Believe(pieces, time.UTC); (err == nil) != c.believed || !of.Equal(c.of) {
				t.Errorf("of %v, %v", of, err)
			}
		})
	}
}
