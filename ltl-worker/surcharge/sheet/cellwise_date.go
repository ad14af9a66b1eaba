package sheet

import (
	"fmt"
	"regexp"
	"strings"

	"assay.dev/ltl-worker/surcharge/cell"
)

// cellDate is what the texts around one figure say of its date, and what else they say.
type cellDate struct {
	dates  []cell.Value
	months []string // as [monthIn] writes them
	days   []string
	year   string
	labels []string
	spoilt bool // a text holds a date of something else
}

// weekNumber is the name of a row or column that counts weeks: "Week 3", "2nd Wednesday", "Wk 47". It may hold nothing that names a service.
var weekNumber = regexp.MustCompile(`(?i)^(?:(?:week|wk)\.? ?(?:no\.? ?|# ?)?\d{1,2}|(?:\d(?:st|nd|rd|th)|first|second|third|fourth|fifth)(?: (?:week|mon|tue|wed|thu|fri)[a-z]*)?|month|week|weeks)$`)

// yearOnly is a year and nothing else.
var yearOnly = regexp.MustCompile(`^20\d\d$`)

// read takes one text.
func (d *cellDate) read(w *cellwise, text string) {
	text = strings.TrimSpace(text)
	switch month := monthIn(text); {
	case text == "" || weekNumber.MatchString(text):
	case yearOnly.MatchString(text):
		d.year = text
	case month != "":
		d.months = append(d.months, month)
	case ordinalDay.MatchString(text):
		d.days = append(d.days, ordinalDay.FindStringSubmatch(text)[1])
	default:
		d.readDate(w, text)
	}
}

// cornerNames are the headings of columns that name rows. They say nothing of the rows themselves.
var cornerNames = regexp.MustCompile(`(?i)^(?:service|mode|type|service type|product|description|fuel surcharge|surcharge|rate)s?$`)

// readCorner takes the heading of a column that names the rows.
func (d *cellDate) readCorner(w *cellwise, text string) {
	if text != "" && !weekNumber.MatchString(text) && !cornerNames.MatchString(text) && !isWordOfWeek(w.vocabulary, text) {
		d.spoilt = true // it says something of all rows, or stands over another column than it belongs to
	}
}

// readDate takes a text that is a date with words, or words only.
func (d *cellDate) readDate(w *cellwise, text string) {
	value := w.reader.Read(text)
	if value.Kind == cell.Dates {
		d.dates = append(d.dates, value)
		return
	}
	if len(text) > maxLooseLabel || strings.HasSuffix(text, ".") {
		d.spoilt = true // a sentence is no label
		return
	}
	if !strings.ContainsAny(text, digits) {
		d.labels = append(d.labels, text)
		return
	}
	parts, rest := cell.Scan(text)
	if len(parts) != 1 || parts[0].Kind != cell.Dates {
		d.labels = append(d.labels, text)
		d.spoilt = d.spoilt || len(parts) > 0
		return
	}
	d.dates = append(d.dates, parts[0].Value)
	d.spoilt = d.spoilt || !isWordOfWeek(w.vocabulary, parts[0].Before) || parts[0].After != "" || rest != ""
}

// readCaption takes the date or the month of the caption. Its words are judged as those of a title.
func (d *cellDate) readCaption(w *cellwise) {
	if w.month != "" && len(d.months)+len(d.dates) == 0 && len(d.days) == 1 {
		d.months = append(d.months, w.month)
		return
	}
	parts, rest := cell.Scan(w.caption)
	if len(parts) == 1 && parts[0].Kind == cell.Dates {
		d.dates = append(d.dates, parts[0].Value)
		d.spoilt = d.spoilt || !isWordOfWeek(w.vocabulary, parts[0].Before) || parts[0].After+rest != ""
	}
}

// monthEnd is the month at the end of a title: "LTL fuel surcharge - November 2026".
var monthEnd = regexp.MustCompile(`(?:^|[ (])([A-Z][a-z]{2,8}\.? 20\d\d)\)?$`)

func monthAtEnd(context []string) string {
	for _, title := range lastOf(context) {
		if found := monthEnd.FindStringSubmatch(title); found != nil {
			return monthIn(found[1])
		}
	}
	return ""
}

func (d *cellDate) isKnown() bool { return len(d.dates) > 0 || len(d.months) > 0 && len(d.days) > 0 }

// date is the only one that the texts say, be it in one text or in two.
func (d *cellDate) date(w *cellwise) (cell.Value, bool) {
	switch {
	case d.spoilt || len(d.dates) > 1 || len(d.months) > 1 || len(d.days) > 1:
		return cell.Value{}, false
	case len(d.dates) == 1:
		return d.dates[0], len(d.days) == 0
	case len(d.months) == 0 || len(d.days) == 0:
		return cell.Value{}, false
	}
	month := d.months[0]
	if !strings.Contains(month, ",") && d.year != "" {
		month = fmt.Sprintf("%s, %s", month, d.year)
	}
	value := w.reader.Read(strings.Replace(month, "%", d.days[0], 1))
	return value, value.Kind == cell.Dates
}
