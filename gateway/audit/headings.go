package audit

import (
	"slices"
	"strings"

	"assay.dev/contracts"
	"assay.dev/gateway/sheet"
)

// headings are what the columns of the members are called in the files of shippers, carriers and transport systems, the
// best first. Some are left out on purpose: "Discount" is off the freight, not the surcharge, and "Total" is no base.
var headings = map[string]sheet.Field{
	"carrier": {
		Headings: []string{"SCAC", "Carrier SCAC", "SCAC Code", "Carrier Code", "Carrier SCAC Code", "Carrier",
			"Carrier Name", "Carrier Number"},
		Looks: func(text string) bool {
			_, ok := contracts.CarrierNamed(text)
			return ok
		},
		Same: func(a, b string) bool {
			x, isOne := contracts.CarrierNamed(a)
			y, isOther := contracts.CarrierNamed(b)
			return !isOne || !isOther || x == y
		},
	},
	"ship_date":     {Headings: []string{"Ship Date", "Ship"}, Fallback: "pickup_date"},
	"pickup_date":   {Headings: []string{"Pickup Date", "Pickup", "Pro Date", "BOL Date"}},
	"delivery_date": {Headings: []string{"Delivery Date", "Delivery"}},
	"invoice_date":  {Headings: []string{"Invoice Date", "Bill Date"}},
	"billed_pct": {
		Headings: []string{"FSC %", "Fuel %", "FSC Rate", "FSC Rate %", "Fuel Rate %"},
		Shared:   []string{"Fuel", "FSC"},
		Looks:    func(text string) bool { return strings.Contains(text, "%") },
	},
	"base_amount": {Headings: []string{
		"Base", "Base Amount", "Base Freight", "Base Freight Amount", "Net Linehaul", "Net Linehaul Amount", "Linehaul",
		"Linehaul Amount",
		"Net Freight", "Net Freight Amount", "Freight", "Freight Amount",
	}, MayBeGross: true},
	"billed_amount": {
		Headings: []string{"FSC Amount", "Fuel Amount", "Total FSC", "Total Fuel", "Total FSC Amount", "Total Fuel Amount"},
		Shared:   []string{"Fuel", "FSC"},
		Looks:    looksLikeAmount, IsPart: isAmount,
	},
	"min_amount": {Headings: []string{"Minimum FSC", "Minimum Fuel", "Minimum FSC Amount", "Minimum Fuel Amount"}},
	"currency": {Headings: []string{"Currency", "Currency Code"}, Looks: func(text string) bool {
		return isUSD(text) || isForeign(text)
	}, AskIfUnused: true, Proves: isForeign},
	// A maximum that does not say percent may be one of dollars.
	"cap_pct": {Headings: []string{"FSC Cap", "Fuel Cap", "FSC Cap %", "Fuel Cap %", "Cap %", "Maximum FSC %",
		"Maximum Fuel %"}},
	"discount_points": {Headings: []string{"Discount Points", "FSC Discount Points", "Fuel Discount Points"}},
	// Without its column a line is of LTL, so one truckload is enough: a service that is none fails its line alone.
	"service": {Headings: []string{"Mode"}, Strict: true, Looks: func(text string) bool {
		_, ok := services[strings.ToLower(text)]
		return ok
	}, Proves: func(text string) bool { return services[strings.ToLower(text)] == Truckload }},
	"pro_number": {Headings: []string{
		"PRO", "PRO Number", "Carrier PRO", "Carrier PRO Number", "Waybill", "Waybill Number", "Tracking Number", "Tracking",
	}},
	"bill_received": {Headings: []string{"Bill Received", "Bill Received Date", "Invoice Received",
		"Invoice Received Date"}},
	"id": {Headings: []string{
		"Line", "Line Number", "Number", "Invoice Number", "Invoice", "Bill Number", "Ship Number", "Load Number", "BOL",
		"BOL Number", "Ref Number", "Ref",
	}},
}

// services are the ways in which files call them.
var services = map[string]Service{
	"ltl": LTL, "less than truckload": LTL, "less-than-truckload": LTL, "truckload": Truckload, "tl": Truckload,
	"ftl": Truckload, "full truckload": Truckload,
}

// isForeign tells of a text that it is another currency of the countries in which the carriers bill.
func isForeign(text string) bool {
	return slices.Contains([]string{"CAD", "MXN"}, strings.ToUpper(text))
}

// isAmount tells of a number that it has no more decimals than cents do.
func isAmount(text string) bool {
	n, err := sheet.NumbersOf([]string{text}, false).Parse(text)
	_, decimals, _ := strings.Cut(n.Text, ".")
	return err == nil && !n.IsPercent && len(decimals) <= centDecimals
}

// looksLikeAmount tells of an amount in a currency, and of a number that no percent of a fuel surcharge is.
func looksLikeAmount(text string) bool {
	n, err := sheet.NumbersOf([]string{text}, false).Parse(text)
	whole, _, _ := strings.Cut(n.Text, ".")
	return err == nil && !n.IsPercent && (n.IsAmount || len(strings.TrimLeft(whole, "0")) > 2)
}
