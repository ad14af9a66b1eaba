package audit_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assay.dev/gateway/audit"
	"assay.dev/gateway/lines"
)

// style is how a program writes numbers.
type style struct{ point, thousands string }

var styles = []style{{".", ""}, {".", ","}, {".", "'"}, {".", " "}, {",", ""}, {",", "."}, {",", "'"}, {",", " "}}

// write writes ten-thousandths with the first of their four decimals.
func (s style) write(n int64, decimals int) string {
	whole, fraction := fmt.Sprint(n/10_000), fmt.Sprintf("%04d", n%10_000)[:decimals]
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + s.thousands + whole[i:]
	}
	if fraction == "" {
		return whole
	}
	return whole + s.point + fraction
}

// A number is read as the number that was written or refused, whatever stands beside it. None is refused in a column of
// one style, but amounts whose thousands may be decimals, or that have too many of these.
func TestNumbersAreReadAsWrittenOrRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		isAmount, most := rapid.Bool().Draw(t, "amounts"), int64(9_999_999)
		member := "billed_pct"
		if isAmount {
			member, most = "base_amount", 1e12
		}
		used := rapid.SliceOfN(rapid.SampledFrom(styles), 1, 2).Draw(t, "styles")
		isEachRead := len(used) == 1
		var texts, want []string
		for range rapid.IntRange(1, 5).Draw(t, "lines") {
			s, decimals := rapid.SampledFrom(used).Draw(t, "style"), rapid.IntRange(0, 4).Draw(t, "decimals")
			if isAmount && decimals == 3 && (s.point == "," || len(used) > 1) {
				decimals = 2 // 1,000 is a thousand by convention, and so is 1.000 among decimal commas
			}
			n := rapid.Int64Range(0, most).Draw(t, "number")
			n -= n % []int64{10_000, 1_000, 100, 10, 1}[rapid.IntRange(0, decimals).Draw(t, "places")]
			isEachRead = isEachRead && (!isAmount || decimals == 1 || decimals == 2)
			texts, want = append(texts, s.write(n, decimals)), append(want, styles[0].write(n, 4))
		}
		csv, json := "id,carrier,ship_date,"+member, ""
		for _, text := range texts {
			csv += fmt.Sprintf("\n1,ODFL,2026-09-11,%q", text)
			json += fmt.Sprintf(`{"id":"1","carrier":"ODFL","ship_date":"2026-09-11",%q:%q}`+"\n", member, text)
		}
		for _, isAsIs := range []bool{true, false} {
			for format, body := range map[lines.Format]string{lines.CSV: csv, lines.NDJSON: json} {
				file, err := audit.Read(t.Context(), format, []byte(body), lines.Reading{AsIs: isAsIs, Percents: lines.InPercent})
				if err != nil || len(file.Lines) != len(texts) {
					t.Fatal(len(file.Lines), err)
				}
				for i, l := range file.Lines {
					got := ""
					switch {
					case l.BaseAmount != nil:
						got = l.BaseAmount.String() + "00"
					case l.BilledPct != nil:
						got = styles[0].write(int64(*l.BilledPct), 4)
					}
					isRefused := len(l.Errors) > 0
					if isRefused && isAsIs && isEachRead || !isRefused && got != want[i] {
						t.Errorf("%q of %q is read as %q in %s, want %s: %q", texts[i], texts, got, format, want[i], l.Errors)
					}
				}
			}
		}
	})
}

// What three digits mean is not guessed: the column says it, or the number is refused, as is a number that is written
// otherwise than the others.
func TestSeparatorsOfAColumn(t *testing.T) {
	t.Parallel()
	const third, comma, point, either = "at most 2 decimals are allowed; as three digits may also be thousands", "this has a decimal comma",
		"this has a decimal point", "as many numbers"
	for column, want := range map[string]string{
		"1.000 25.000":              third + "|" + third,
		"1.000 1.000,00":            "1000.00|1000.00",
		"1.000 463.20":              third + "|463.20",
		"1.234 1.0000":              third + "|1.00",
		"1,000 25,000":              "1000.00|25000.00",
		"1,000 463.20":              "1000.00|463.20",
		"1,000 463,20":              third + "|463.20",
		"1.000.000 1.000":           "1000000.00|1000.00",
		"$1,397.92 1.234,56 $12.50": "1397.92|" + comma + "|12.50",
		"1.397,92 1,234.56 12,50 7": "1397.92|" + point + "|12.50|7.00",
		"12,50 12.50 1,000 1.000 7": either + "|" + either + "|" + either + "|" + either + "|7.00",
		"x 12.50":                   "this is not a number that is understood, such as $1243|12.50",
	} {
		file, err := readAsIs(t, "carrier;ship_date;base_amount\nODFL;2026-09-11;"+strings.ReplaceAll(column, " ", "\nODFL;2026-09-11;")+"\n")
		if err != nil {
			t.Fatal(column, err)
		}
		for i, want := range strings.Split(want, "|") {
			got := fmt.Sprint(file.Lines[i].BaseAmount)
			if len(file.Lines[i].Errors) > 0 {
				_, got, _ = strings.Cut(file.Lines[i].Errors[0], "base_amount: ")
			}
			if !strings.HasPrefix(got, want) {
				t.Errorf("%s: line %d is %s, want %s", column, i+1, got, want)
			}
		}
	}
	percents, err := readAsIs(t, "carrier;ship_date;billed_pct\nODFL;2026-09-11;46,325\nODFL;2026-09-11;1,000\nODFL;2026-09-11;38,750\n")
	if err != nil || fmt.Sprint(percents.Lines[0].BilledPct, percents.Lines[1].BilledPct, percents.Lines[2].BilledPct) != "46.325 1.00 38.75" {
		t.Errorf("%+v, %v", percents.Lines, err)
	}
}

// Dates are read by what those with the same separator show, and one that two members have is told of once.
func TestDatesOfTwoForms(t *testing.T) {
	t.Parallel()
	file, err := readAsIs(t, "Carrier,Pickup Date\nODFL,9/25/2026\nODFL,25.09.2026\nODFL,05.08.2026\nODFL,soon\nODFL,1/1/1980\n")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"2026-09-25", "2026-09-25", "2026-08-05"} {
		if l := file.Lines[i]; string(l.ShipDate) != want || l.PickupDate != l.ShipDate || len(l.Errors) > 0 {
			t.Errorf("%+v, want %s", l, want)
		}
	}
	for _, l := range file.Lines[3:] {
		if len(l.Errors) != 1 || !strings.Contains(l.Errors[0], ": ship_date: ") {
			t.Errorf("%q", l.Errors)
		}
	}
	if got := file.Found.DateForm; got != "" {
		t.Errorf("the form is told as %s", got)
	}
	_, err = readAsIs(t, "Carrier,Pickup Date\nODFL,9/25/2026\nODFL,05.08.2026\n")
	if want := `the column "Pickup Date" does not tell whether the month or the day is first in 05.08.2026`; !strings.Contains(fmt.Sprint(err), want) {
		t.Errorf("%v, want %s", err, want)
	}
}
