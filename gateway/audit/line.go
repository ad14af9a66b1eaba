package audit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay.dev/contracts"
	"assay.dev/gateway/lines"
	"assay.dev/gateway/sheet"
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
	lines.Head
	ID string
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
	// IsServiceSaid: Service stood in the line.
	IsServiceSaid bool
	PRO           string
	// BillReceived is the day on which the bill came.
	BillReceived contracts.Date
	// PickupDate, DeliveryDate and InvoiceDate are further days of the shipment, by which a contract may be priced.
	PickupDate, DeliveryDate, InvoiceDate contracts.Date
	// IsFormSaid: it was said whether BilledPct is a percent or a fraction.
	IsFormSaid bool
}

// File is a file of lines.
type File = lines.File[Line]

// Schema is what the lines of a file are.
var Schema = lines.New(lines.Schema[Line, *Line]{
	Members: members, Options: []string{"tolerance_points", "tolerance_amount", "dry_run"}, Finish: (*Line).finish,
}, headings)

// Read reads the lines of a file, as [lines.Schema.Read] says.
func Read(ctx context.Context, format lines.Format, body []byte, how lines.Reading) (File, error) {
	return Schema.Read(ctx, format, body, how)
}

// members are all members of a line.
var members = []lines.Member[Line]{
	{Name: "id", Required: true, Text: "Your own name of the line; the result has it too.", Kind: lines.Text,
		Set: func(l *Line, text string) error {
			l.ID = text
			return nil
		}},
	{Name: "carrier", Required: true, Text: "The carrier's code, or the SCAC that it filed, in any case.",
		Kind: lines.Text, Set: setCarrier, Value: carrierNamed},
	{Name: "ship_date", Required: true, Text: "The day of shipment. It decides which week applies.", Kind: lines.Day,
		Set: func(l *Line, text string) error {
			return setDate(&l.ShipDate, text)
		}},
	{Name: "billed_pct", Text: "The fuel surcharge on the bill in percent, such as 46.32.", Kind: lines.Rate,
		Set: func(l *Line, text string) error {
			return setPoints(&l.BilledPct, text)
		}},
	{Name: "base_amount", Text: "What the percent is taken of, in USD.", Kind: lines.Decimal,
		Set: func(l *Line, text string) error {
			return setBilled(&l.BaseAmount, text)
		}},
	{Name: "billed_amount", Text: "The fuel surcharge on the bill in USD.", Kind: lines.Decimal,
		Set: func(l *Line, text string) error {
			return setBilled(&l.BilledAmount, text)
		}},
	{Name: "discount_points", Text: "Points that your contract takes off the published percent.", Kind: lines.Percent,
		Set: func(l *Line, text string) error {
			return setPoints(&l.Discount, text)
		}},
	{Name: "cap_pct", Text: "The highest percent that your contract allows.", Kind: lines.Percent,
		Set: setCap},
	{Name: "min_amount", Text: "The lowest surcharge of your contract, in USD.", Kind: lines.Decimal,
		Set: func(l *Line, text string) error {
			return setCents(&l.MinAmount, text)
		}},
	{Name: "currency", Text: "USD, or nothing: other amounts are not audited.", Kind: lines.Text, Set: setCurrency},
	{Name: "service", Kind: lines.Text, Text: "ltl (the default) or truckload: the column of the carrier's table. Only " +
		"where it is given the truckload column is contested.",
		Set: setService, Value: serviceNamed},
	{Name: "pro_number", Text: "The carrier's number of the shipment; a second line with it that bills fuel is a DUPLICATE.",
		Kind: lines.Text, Set: func(l *Line, text string) error {
			l.PRO = text
			return nil
		}},
	{Name: "bill_received", Text: "The day on which the bill came; contest_by is 180 days later.", Kind: lines.Day,
		Set: func(l *Line, text string) error {
			return setDate(&l.BillReceived, text)
		}},
	{Name: "pickup_date", Text: "The day of pickup, where a contract goes by it.", Kind: lines.Day,
		Set: func(l *Line, text string) error {
			return setDate(&l.PickupDate, text)
		}},
	{Name: "delivery_date", Text: "The day of delivery, where a contract goes by it.", Kind: lines.Day,
		Set: func(l *Line, text string) error {
			return setDate(&l.DeliveryDate, text)
		}},
	{Name: "invoice_date", Text: "The day of the invoice, where a contract goes by it.", Kind: lines.Day,
		Set: func(l *Line, text string) error {
			return setDate(&l.InvoiceDate, text)
		}},
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

func setPoints(to **Points, text string) error { return setNumber(to, text, ParsePoints) }

func setCents(to **Cents, text string) error { return setNumber(to, text, ParseCents) }

func setNumber[N Points | Cents](to **N, text string, parse func(string) (N, error)) error {
	n, err := parse(text)
	if err == nil {
		*to = &n
	}
	return err
}

// setBilled takes an amount of the bill: below zero it is a credit.
func setBilled(to **Cents, text string) error {
	if f, err := strconv.ParseFloat(text, 64); err == nil && f < 0 {
		return lines.ErrCredit
	}
	return setCents(to, text)
}

// setCap refuses a cap that may be a fraction: held to 0.40 percent, any bill is too high.
func setCap(l *Line, text string) error {
	err := setPoints(&l.Cap, text)
	if err == nil {
		err = l.Cap.checkForm("40")
	}
	return err
}

// checkForm refuses what may be a fraction.
func (p Points) checkForm(example string) error {
	if p > 0 && lines.LooksLikeFraction(float64(p)/float64(onePoint)) {
		return fmt.Errorf("%v may be a fraction; write it in percent, such as %s", p, example)
	}
	return nil
}

// setCurrency keeps nothing: all amounts are in US dollars.
func setCurrency(_ *Line, text string) error {
	if !isUSD(text) {
		return errors.New("amounts are audited in USD only")
	}
	return nil
}

func isUSD(text string) bool {
	return slices.Contains([]string{"USD", "US$", "$", "US DOLLAR", "US DOLLARS"}, strings.ToUpper(text))
}

func setService(l *Line, text string) error {
	l.Service = Service(strings.ToLower(text))
	if !slices.Contains(Services, l.Service) {
		return errors.New("want ltl or truckload")
	}
	return nil
}

// finish takes the service of a line that names none, and percents that are written as fractions. Few points off may be
// points or a fraction beside these.
func (l *Line) finish(how lines.Reading) {
	l.IsServiceSaid, l.Service, l.IsFormSaid = l.Service != "", cmp.Or(l.Service, LTL), how.Percents != ""
	if !how.AsIs && how.Percents == lines.AsFraction && l.BilledPct != nil {
		if *l.BilledPct *= 100; *l.BilledPct > maxPoints {
			l.Fail("billed_pct", "%v", errTooMuch)
		}
	}
	if isSum(l.PRO) || isSum(l.ID) {
		l.Fail("", "this is a sum of other lines, and no shipment")
	}
	if how.Percents == lines.AsFraction && l.Discount != nil {
		if err := l.Discount.checkForm("5"); err != nil {
			l.Fail("discount_points", "%v", err)
		}
	}
}

// isSum tells of what a line is called that it ends with the word for a sum, as Grand Total and 0077 Total do.
func isSum(name string) bool {
	squashed := strings.TrimSuffix(sheet.Squashed(name), "s")
	return squashed == "sum" || strings.HasSuffix(squashed, "total")
}

// carrierNamed and serviceNamed are how the API writes what files of people say.
func carrierNamed(cell string) string {
	if carrier, ok := contracts.CarrierNamed(cell); ok {
		return string(carrier)
	}
	return cell
}

func serviceNamed(cell string) string {
	if s, ok := services[strings.ToLower(cell)]; ok {
		return string(s)
	}
	return cell
}
