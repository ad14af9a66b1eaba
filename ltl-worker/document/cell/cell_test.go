package cell_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/document/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
)

func TestDates(t *testing.T) {
	for text, want := range map[string]contracts.Date{
		"9/2/2026": "2026-09-02", "09-02-26": "2026-09-02", "20260902": "2026-09-02",
		"2026-09-02T15:04:05Z": "2026-09-02", "September 2nd, 2026": "2026-09-02", "02SEP2026": "2026-09-02",
		"Week of Wed, Sep. 2, 2026": "2026-09-02", "9/2/2026 (1)": "2026-09-02", "9/2/2026 - present": "2026-09-02",
		"September 2-8, 2026": "2026-09-02", "Dec 30 - Jan 5, 2027": "2026-12-30", "9/2": "2025-09-02",
	} {
		var r cell.Reader
		v := r.Read(text)
		if v.Kind != cell.Dates {
			t.Errorf("%q is no date but of kind %d", text, v.Kind)
			continue
		}
		year := 0
		if !v.Dates.HasYear() {
			year = 2025 // as a title over the row would say
		}
		if day := v.Dates.First(year); day.Date() != want {
			t.Errorf("%q: %s, want %s", text, day.Date(), want)
		}
	}
}

// These are dates by their form, but no days of the calendar or no plausible ranges.
func TestImpossibleDates(t *testing.T) {
	for _, text := range []string{"2/30/2026", "Monday, September 2, 2026", "9/2/2026 - 12/31/2026", "13/9/2026"} {
		var r cell.Reader
		v := r.Read(text)
		if day := v.Dates.First(0); v.Kind != cell.Dates || day != 0 {
			t.Errorf("%q: kind %d, %s", text, v.Kind, day.Date())
		}
	}
}

func TestFigures(t *testing.T) {
	for text, want := range map[string]cell.Quantity{
		"46.32%":               {Value: 46.32, Decimals: 2, Unit: cell.Percent},
		"46.32 percent *":      {Value: 46.32, Decimals: 2, Unit: cell.Percent, About: meaning.Percent},
		"$5.599":               {Value: 5.599, Decimals: 3, Unit: cell.Dollars},
		"559.9 ¢":              {Value: 559.9, Decimals: 1, Unit: cell.Cents},
		"$0.61 / mile":         {Value: 0.61, Decimals: 2, Unit: cell.PerMile, About: meaning.Other},
		".254":                 {Value: 0.254, Decimals: 3},
		"1,234.50":             {Value: 1234.5, Decimals: 2},
		"5.599 (5.57 - 5.60)":  {Value: 5.599, Decimals: 3},
		"27.0% LTL":            {Value: 27, Decimals: 1, Unit: cell.Percent, About: meaning.LTL},
		"46.32% (1)":           {Value: 46.32, Decimals: 2, Unit: cell.Percent},
		"46.32% ▼ 0.50":        {Value: 46.32, Decimals: 2, Unit: cell.Percent},
		"46.32 ( ▲ +0.50% )":   {Value: 46.32, Decimals: 2},
		"$5.599 ▲ $0.052":      {Value: 5.599, Decimals: 3, Unit: cell.Dollars},
		"46.32% ▼-0.5 (1)":     {Value: 46.32, Decimals: 2, Unit: cell.Percent},
		"46.32% [2] truckload": {Value: 46.32, Decimals: 2, Unit: cell.Percent, About: meaning.Truckload},
	} {
		var r cell.Reader
		if v := r.Read(text); v.Kind != cell.Figure || v.Quantity != want {
			t.Errorf("%q: kind %d, %+v, want %+v", text, v.Kind, v.Quantity, want)
		}
	}
}

func TestOtherKinds(t *testing.T) {
	for text, want := range map[string]cell.Kind{
		"": cell.Blank, "-": cell.Blank, "N/A": cell.Blank, "TBD": cell.Blank, "not yet available": cell.Blank,
		"see notice": cell.Text, "5.5.9": cell.Text, "(1.2)": cell.Text, "46,32%": cell.Text, "A1": cell.Text,
		"< 20,000 lbs": cell.Text, "5.57 - 5.60": cell.Text, "46.32% 50.1%": cell.Text,
		"from 46.32%": cell.Text, "46.32% (0.50)": cell.Text, "46.32% - 0.50": cell.Text,
		"46.32%-0.50%": cell.Text, "46.32% -0.50%": cell.Text, "46.32% + 0.50%": cell.Text, "46.32% ▼ 45.82%": cell.Text,
		"46.32% (+2.00%)": cell.Text, "46.32 (-0.50)": cell.Text, "46.32% +2.00%": cell.Text,
		"46.32% +": cell.Text, "▼ 0.50 46.32%": cell.Text, "46.32% ▼ 0.50.1": cell.Text,
		strings.Repeat("prose 1 ", 40): cell.Text,
	} {
		var r cell.Reader
		if v := r.Read(text); v.Kind != want {
			t.Errorf("%q: kind %d, want %d", text, v.Kind, want)
		}
	}
}

// Whatever a cell holds, it is of one kind, and equals itself.
func FuzzRead(f *testing.F) {
	pages, _ := filepath.Glob("../testdata/*dates*.html")
	for _, page := range pages {
		body, err := os.ReadFile(page)
		if err != nil {
			f.Fatal(err)
		}
		for text := range strings.FieldsFuncSeq(string(body), func(r rune) bool { return r == '<' || r == '>' }) {
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		var r cell.Reader
		v := r.Read(text)
		if !v.Equals(&v) {
			t.Errorf("%q does not equal itself", text)
		}
		if v.Kind == cell.Figure && v.Quantity.Value < 0 {
			t.Errorf("%q is negative", text)
		}
		if day := v.Dates.First(2026); day != 0 && v.Kind != cell.Dates {
			t.Errorf("%q is a date of kind %d", text, v.Kind)
		}
	})
}

// A figure in brackets is read whole: "52.50" and not "50".
func TestScanBrackets(t *testing.T) {
	for text, want := range map[string]float64{
		"a surcharge of fifty-two and one-half percent (52.50%) from": 52.5,
		"LTL fuel surcharge (31.45%)":                                 31.45,
		"LTL (50%)":                                                   50,
	} {
		parts := new(cell.Reader).Scan(text)
		if len(parts) != 1 || parts[0].Quantity.Value != want || parts[0].Quantity.Unit != cell.Percent {
			t.Errorf("%q: %+v", text, parts)
		}
	}
}
