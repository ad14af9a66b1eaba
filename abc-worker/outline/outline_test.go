package outline_test

import (
	"fmt"
	"strings"
	"testing"

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

func TestBelieve(t *testing.T) {
	for name, c := range map[string]struct {
		doc      string
		believed bool
	}{
		"a page of a register":       {"<p>License 632923</p>", true},
		"a test system":              {"<p>This is a test system.</p>", false},
		"64 KB in one line":          {"<p>" + strings.Repeat("word ", 64<<10/5) + "</p>", true},
		"more than 64 KB":            {"<p>" + strings.Repeat("word ", 64<<10/5+1) + "</p>", false},
		"more than 64 KB in a value": {"<table><tr><th>Owner</th><td>" + strings.Repeat("word ", 64<<10/5+1) + "</td></tr></table>", false},
	} {
		t.Run(name, func(t *testing.T) {
			pieces, err := outline.Parse(c.doc, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := outline.Believe(pieces); (err == nil) != c.believed {
				t.Errorf("%v", err)
			}
		})
	}
}
