package audit

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay.dev/contracts"
)

// Service is the column of a carrier's table that a shipment is billed by.
type Service string

// The services. Without one a line is of LTL.
const (
	LTL       Service = "ltl"
	Truckload Service = "truckload"
)

// Services lists both.
var Services = []Service{LTL, Truckload}

// Line is one shipment of an invoice, as it was read. What is nil or empty was not given.
type Line struct {
	// Number is the line of the text, or the place in a JSON list, counted from 1.
	Number int
	ID     string
	// Carrier is the code, or the text as it was given where that names no carrier; Known tells which.
	Carrier string
	Known   bool
	// ShipDate is the day of shipment, which decides which week applies.
	ShipDate     contracts.Date
	BilledPct    *Points
	BaseAmount   *Cents
	BilledAmount *Cents
	Discount     *Points
	Cap          *Points
	MinAmount    *Cents
	Service      Service
	PRO          string
	// BillReceived is the day on which the bill came.
	BillReceived contracts.Date
	// PickupDate, DeliveryDate and InvoiceDate are further days of the shipment, by which a contract may be priced.
	PickupDate, DeliveryDate, InvoiceDate contracts.Date
	// Other are the cells of the columns that hold no member, in a file that was read as it is.
	Other []string
	// Errors say what is wrong with the line; none for a line that can be read. Each begins with the line's number.
	Errors []string
}

// Member is a member of a line: of a JSON object, or a column of a CSV.
type Member struct {
	Name string
	// Required members must be given.
	Required bool
	// Text says what it is.
	Text string
	Kind Kind
	set  func(l *Line, text string) error
}

// Kind is what a member's text holds.
type Kind string

// The kinds. A number may stand for a decimal in JSON.
const (
	Text    Kind = "text"
	Day     Kind = "day"
	Decimal Kind = "decimal"
)

// Members are all members of a line.
var Members = []Member{
	{"id", true, "Your own name of the line; the result has it too.", Text, func(l *Line, text string) error {
		l.ID = text
		return nil
	}},
	{"carrier", true, "The carrier's code, or the SCAC that it filed, in any case.", Text, setCarrier},
	{"ship_date", true, "The day of shipment. It decides which week applies.", Day, func(l *Line, text string) error {
		return setDate(&l.ShipDate, text)
	}},
	{"billed_pct", false, "The fuel surcharge on the bill in percent, such as 46.32.", Decimal, func(l *Line, text string) error {
		return setPoints(&l.BilledPct, text)
	}},
	{"base_amount", false, "What the percent is taken of, in USD.", Decimal, func(l *Line, text string) error {
		return setCents(&l.BaseAmount, text)
	}},
	{"billed_amount", false, "The fuel surcharge on the bill in USD.", Decimal, func(l *Line, text string) error {
		return setCents(&l.BilledAmount, text)
	}},
	{"discount_points", false, "Points that your contract takes off the published percent.", Decimal, func(l *Line, text string) error {
		return setPoints(&l.Discount, text)
	}},
	{"cap_pct", false, "The highest percent that your contract allows.", Decimal, func(l *Line, text string) error {
		return setPoints(&l.Cap, text)
	}},
	{"min_amount", false, "The lowest surcharge of your contract, in USD.", Decimal, func(l *Line, text string) error {
		return setCents(&l.MinAmount, text)
	}},
	{"service", false, "ltl (the default) or truckload: the column of the carrier's table.", Text, setService},
	{"pro_number", false, "The carrier's number of the shipment; a second line with it is a DUPLICATE.", Text, func(l *Line, text string) error {
		l.PRO = text
		return nil
	}},
	{"bill_received", false, "The day on which the bill came; contest_by is 180 days later.", Day, func(l *Line, text string) error {
		return setDate(&l.BillReceived, text)
	}},
	{"pickup_date", false, "The day of pickup, where a contract goes by it.", Day, func(l *Line, text string) error {
		return setDate(&l.PickupDate, text)
	}},
	{"delivery_date", false, "The day of delivery, where a contract goes by it.", Day, func(l *Line, text string) error {
		return setDate(&l.DeliveryDate, text)
	}},
	{"invoice_date", false, "The day of the invoice, where a contract goes by it.", Day, func(l *Line, text string) error {
		return setDate(&l.InvoiceDate, text)
	}},
}

// memberNames are the names of all members, in their order.
var memberNames = func() (names []string) {
	for _, m := range Members {
		names = append(names, m.Name)
	}
	return names
}()

func findMember(name string) (Member, bool) {
	i := slices.Index(memberNames, name)
	if i < 0 {
		return Member{}, false
	}
	return Members[i], true
}

func setCarrier(l *Line, text string) error {
	l.Carrier = text
	if c, ok := contracts.CarrierOf(text); ok {
		l.Carrier, l.Known = string(c), true
	}
	return nil
}

// The days that a line may name. Carriers began to publish fuel surcharges later than FirstDay.
const (
	FirstDay contracts.Date = "1990-01-01"
	lastDay  contracts.Date = "2199-12-31"
)

func setDate(to *contracts.Date, text string) error {
	date, err := contracts.ParseDate(text)
	if err != nil {
		return errors.New("want a date in the form YYYY-MM-DD")
	}
	if date < FirstDay || date > lastDay {
		return fmt.Errorf("want a date from %s to %s", FirstDay, lastDay)
	}
	*to = date
	return nil
}

func setPoints(to **Points, text string) error {
	p, err := ParsePoints(text)
	*to = &p
	return err
}

func setCents(to **Cents, text string) error {
	c, err := ParseCents(text)
	*to = &c
	return err
}

func setService(l *Line, text string) error {
	l.Service = Service(strings.ToLower(text))
	if !slices.Contains(Services, l.Service) {
		return errors.New("want ltl or truckload")
	}
	return nil
}

// set gives a member of the line its text. Texts that are empty or blank are not given.
func (l *Line) set(m Member, text string) {
	text = strings.TrimSpace(text)
	if text == "" {
		return
	}
	err := checkText(text)
	if err == nil {
		err = m.set(l, text)
	}
	if err != nil {
		l.fail(m.Name, "%v", err)
	}
}

// fail notes what is wrong with a member of the line, or with the whole line when the name is empty.
func (l *Line) fail(name, format string, args ...any) {
	where := fmt.Sprintf("line %d: ", l.Number)
	if name != "" {
		where += name + ": "
	}
	l.Errors = append(l.Errors, where+fmt.Sprintf(format, args...))
}

// finish checks what every line needs, once all that was given is set.
func (l *Line) finish() {
	if l.Service == "" {
		l.Service = LTL
	}
	if len(l.Errors) > 0 {
		return
	}
	given := map[string]bool{"id": l.ID != "", "carrier": l.Carrier != "", "ship_date": l.ShipDate != ""}
	for _, m := range Members {
		if m.Required && !given[m.Name] {
			l.fail(m.Name, "this is required")
		}
	}
}

// maxText bounds a member's text, in characters, as it bounds a parameter's.
const maxText = 200

// checkText refuses what no name, number or date has in it.
func checkText(text string) error {
	isControl := func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) }
	switch {
	case !utf8.ValidString(text):
		return errors.New("this is not valid UTF-8")
	case len(text) > maxText && utf8.RuneCountInString(text) > maxText:
		return fmt.Errorf("at most %d characters are allowed", maxText)
	case strings.ContainsFunc(text, isControl):
		return errors.New("control characters are not allowed")
	case strings.ContainsFunc(text, contracts.Invisible):
		return errors.New("invisible characters are not allowed")
	}
	return nil
}
