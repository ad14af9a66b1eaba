// Package customers is what a list of customers is, whose licenses are looked for, and how its results are written
// (contract §4.17).
package customers

import (
	"fmt"
	"regexp"
	"strings"

	"assay.dev/contracts"
	"assay.dev/gateway/lines"
	"assay.dev/gateway/sheet"
)

// Line is a customer, as it was read.
type Line struct {
	lines.Head
	ID    string
	State contracts.State
	contracts.Customer
}

// Schema is what the lines of a list of customers are.
var Schema = lines.New(lines.Schema[Line, *Line]{Members: members, Options: []string{"dry_run"},
	Finish: (*Line).finish}, Headings)

func text(of func(*Line) *string) func(*Line, string) error {
	return func(l *Line, text string) error {
		*of(l) = text
		return nil
	}
}

// members are all members of a line.
var members = []lines.Member[Line]{
	{
		Name: "id", Required: true, Text: "Your own name of the customer; the result has it too.", Kind: lines.Text,
		Set: text(func(l *Line) *string { return &l.ID }),
	}, {
		Name: "name", Text: "The trade name or the holder's, or both as ACME LLC dba Corner Market.", Kind: lines.Text,
		Set: text(func(l *Line) *string { return &l.Name }),
	}, {
		Name: "street", Text: "The street with the number of the house, and the suite.", Kind: lines.Text,
		Set: text(func(l *Line) *string { return &l.Street }),
	},
	{Name: "city", Text: "The city.", Kind: lines.Text, Set: text(func(l *Line) *string { return &l.City })},
	{Name: "zip", Text: "The ZIP code.", Kind: lines.Text, Set: text(func(l *Line) *string { return &l.ZipCode })},
	StateMember(func(l *Line) *contracts.State { return &l.State }),
	{
		Name: "license_number", Text: "The license number, where you have one.", Kind: lines.Text,
		Set: text(func(l *Line) *string { return &l.LicenseNumber }),
	},
}

// Headings are what the columns of the members are called in the files of sellers, the best first.
var Headings = map[string]sheet.Field{
	"id": {Headings: []string{"Customer Number", "Account Number", "Customer Code", "Account Code", "Account", "Number",
		"Ref Number", "Line Number"}},
	"name": {InAddress: true, Headings: []string{
		"Customer Name", "DBA Name", "DBA", "Trade Name", "Business Name", "Account Name", "Store Name", "Customer",
		"Store", "Business",
	}},
	"street": {InAddress: true, Headings: []string{"Address", "Street Address"}},
	"city":   {InAddress: true, Headings: []string{"Town"}},
	"zip":    {InAddress: true, Headings: []string{"Zip", "Zip Code"}},
	"state":  {InAddress: true, Headings: []string{"State", "State Code"}},
	"license_number": {Headings: []string{"License", "License Number", "Permit Number", "Permit", "Liquor License",
		"Liquor License Number"}},
}

// StateMember is the member of a line that says which state issued the license.
func StateMember[L any](of func(*L) *contracts.State) lines.Member[L] {
	return lines.Member[L]{
		Name: "state", Required: true,
		Text: "The state that issued the license: " + contracts.Listed(contracts.States, "or") + ", in any case.",
		Kind: lines.Text, Value: stateNamed,
		Set: func(l *L, text string) (err error) {
			if *of(l), err = contracts.ParseState(text); err != nil {
				return fmt.Errorf("want one of %v", contracts.States)
			}
			return nil
		},
	}
}

func stateNamed(cell string) string {
	if state, err := contracts.ParseState(cell); err == nil {
		return string(state)
	}
	return cell
}

// whole is an address in one cell: the street, the city, the state and the ZIP code.
var whole = regexp.MustCompile(`^(.+), *([^,]+), *([A-Za-z]{2}) +([0-9]{5}(?:-[0-9]{4})?)$`)

// finish takes an address apart that stands in one cell, and refuses a customer of whom too little is known.
func (l *Line) finish(lines.Reading) {
	if m := whole.FindStringSubmatch(l.Street); m != nil && l.City == "" && l.ZipCode == "" &&
		strings.EqualFold(m[3], string(l.State)) {
		l.Street, l.City, l.ZipCode = m[1], m[2], m[4]
	}
	if len(l.Errors) == 0 && l.LicenseNumber == "" && (l.Name == "" || l.Street == "" && l.ZipCode == "" && l.City == "") {
		l.Fail("", "give the license number, or the name with an address")
	}
}
