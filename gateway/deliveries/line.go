// Package deliveries is what a list of deliveries is, which are judged line by line, and how the verdicts are written
// (contract §4.20).
package deliveries

import (
	"slices"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/customers"
	"assay.dev/gateway/lines"
	"assay.dev/gateway/portfolio"
	"assay.dev/gateway/sheet"
)

// Line is a delivery, as it was read.
type Line struct {
	lines.Head
	ID string
	portfolio.License
	// Beverage and On are empty where the line does not say.
	Beverage contracts.Beverage
	On       contracts.Date
	Ordered  *time.Time

	ordered string
}

// Schema is what the lines of a list of deliveries are.
var Schema = lines.New(lines.Schema[Line, *Line]{Members: members, Options: []string{"dry_run"},
	Finish: (*Line).finish}, headings)

// headings are what the columns of the members are called in the files of distributors, the best first.
var headings = map[string]sheet.Field{
	"id": {Headings: slices.Concat([]string{
		"Order Number", "Order", "Delivery Number", "Invoice Number", "Invoice", "Ticket Number", "Stop Number", "Stop",
	}, customers.Headings["id"].Headings, []string{"Customer"})},
	"state":          customers.Headings["state"],
	"license_number": customers.Headings["license_number"],
	"beverage": {
		Headings: []string{
			"Beverage", "Beverage Type", "Beverage Class", "Beverage Category", "Product", "Product Type", "Product Class",
			"Product Category", "Category",
		},
		Strict: true, Looks: func(text string) bool {
			_, err := contracts.ParseBeverage(text)
			return err == nil
		},
	},
	"on": {
		Headings: []string{
			"Delivery Date", "Delivery", "Schedule Delivery", "Schedule Delivery Date", "Request Delivery Date", "Request Date",
			"Schedule Date", "Route Date", "Ship Date",
		},
		AskIfUnused: true,
	},
	"ordered_at": {Headings: []string{"Ordered", "Ordered Date", "Ordered Time", "Order Date", "Order Time"},
		Strict: true},
}

// members are all members of a line.
var members = []lines.Member[Line]{
	{
		Name: "id", Required: true, Text: "Your own name of the delivery; the result has it too.", Kind: lines.Text,
		Set: text(func(l *Line) *string { return &l.ID }),
	},
	customers.StateMember(func(l *Line) *contracts.State { return &l.State }),
	{
		Name: "license_number", Required: true, Text: "The license number.", Kind: lines.Text,
		Set: text(func(l *Line) *string { return &l.LicenseNumber }),
	}, {
		Name: "beverage", Text: "spirits, wine or malt; without it, the strictest of all.", Kind: lines.Text,
		Set: func(l *Line, text string) (err error) {
			l.Beverage, err = contracts.ParseBeverage(text)
			return err
		},
	}, {
		Name: "on", Text: "The day of the delivery, not a past one; without it, today in the state. At most " +
			"14 different days a list.", Kind: lines.Day,
		Set: func(l *Line, text string) (err error) {
			l.On, err = contracts.ParseDate(text)
			return err
		},
	}, {
		Name: "ordered_at", Text: "When it was ordered: a time with its zone, or a date, which stands " +
			"for its end in the state.", Kind: lines.Moment,
		Set: text(func(l *Line) *string { return &l.ordered }),
	},
}

func text(of func(*Line) *string) func(*Line, string) error {
	return func(l *Line, text string) error {
		*of(l) = text
		return nil
	}
}

// finish makes the number normal, and reads what depends on the state.
func (l *Line) finish(lines.Reading) {
	l.License.Normalize(&l.Head)
	if l.State == "" {
		return
	}
	if l.On != "" {
		if err := contracts.CheckDeliveryDay(l.On, time.Now(), l.State); err != nil {
			l.Fail("on", "%v", err)
		}
	}
	if l.ordered == "" {
		return
	}
	at, err := l.State.ParseMoment(l.ordered)
	if err != nil {
		l.Fail("ordered_at", "%v", err)
	}
	l.Ordered = &at
}

// MaxDays bounds the different days of a list.
const MaxDays = 14

// Days are the places of the lines that can be read, by the days that they name. It is false for too many days.
func Days(all []Line) (days map[contracts.Date][]int, ok bool) {
	days = map[contracts.Date][]int{}
	for i := range all {
		if l := &all[i]; len(l.Errors) == 0 {
			days[l.On] = append(days[l.On], i)
		}
	}
	return days, len(days) <= MaxDays
}
