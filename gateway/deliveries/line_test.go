package deliveries_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/deliveries"
	"assay.dev/gateway/lines"
	"assay.dev/gateway/sheet"
)

func asIs(list string, choice sheet.Choice, form sheet.DateForm) (lines.File[deliveries.Line], error) {
	return deliveries.Schema.Read(context.Background(), lines.CSV, []byte(list), lines.Reading{AsIs: true, Choice: choice, DateForm: form})
}

// The columns of a list of deliveries are found by what distributors call them.
func TestColumnsOfAListOfDeliveriesAreFound(t *testing.T) {
	t.Parallel()
	for _, day := range []string{
		"On", "Delivery Date", "DeliveryDate", "Deliver On", "Ship Date", "Del Date", "Dlv Dt", "Route Date", "Requested Date", "Requested Delivery Date", "Scheduled Delivery",
	} {
		for _, ordered := range []string{"Order Date", "Ordered", "Date Ordered", "Ordered At"} {
			list := "Order #,State,License #," + ordered + "," + day + ",Product\n77,CA,400000,11/20/2026,7/15/2028,wine\n"
			file, err := asIs(list, nil, "")
			if err != nil {
				t.Errorf("%s, %s: %v", day, ordered, err)
				continue
			}
			l := file.Lines[0]
			if l.ID != "77" || l.LicenseNumber != "400000" || l.On != "2028-07-15" || l.Beverage != contracts.Wine || len(l.Errors) > 0 ||
				l.Ordered == nil || l.Ordered.Format("2006-01-02") != "2026-11-20" && l.Ordered.Format("2006-01-02") != "2026-11-21" {
				t.Errorf("%s, %s: read %+v", day, ordered, l)
			}
		}
	}
	for _, id := range []string{"Order", "Order #", "Order No.", "Invoice No", "Invoice", "Stop", "Stop #", "Cust", "Cust #", "Delivery #", "Ticket #"} {
		if file, err := asIs(id+",State,License #\nK7,CA,400000\n", nil, ""); err != nil || file.Lines[0].ID != "K7" {
			t.Errorf("%s: %v %+v", id, err, file.Lines)
		}
	}
	for _, product := range []string{"Product", "Product Type", "Beverage Type", "Category", "Bev Class", "Bev"} {
		file, err := asIs("State,License #,"+product+"\nCA,400000,Beer\nCA,400001,\n", nil, "")
		if err != nil || file.Lines[0].Beverage != contracts.Malt || file.Lines[1].Beverage != "" {
			t.Errorf("%s: %v %+v", product, err, file.Lines)
		}
		// What is no beverage is a product's name: the strictest verdict of all holds.
		file, err = asIs("State,License #,"+product+"\nCA,400000,Beer\nCA,400001,Rye & Wine 12x1\n", nil, "")
		if err != nil || file.Lines[0].Beverage != "" || len(file.Lines[1].Errors) > 0 {
			t.Errorf("%s: %v %+v", product, err, file.Lines)
		}
	}
	file, err := asIs("State,License #,Delivery Date,Ship Date,Ordered At\nTX,100001000,11/27/2026,11/26/2026,2026-11-25T09:00:00-06:00\n", nil, "")
	if err != nil || file.Lines[0].On != "2026-11-27" || file.Lines[0].Ordered.UTC().Hour() != 15 {
		t.Errorf("%v %+v", err, file.Lines)
	}
}

// At night a day has passed in one state and not yet in another.
func TestADayIsPastByTheDayOfItsState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		<-time.After(5*time.Hour + 30*time.Minute) // this clock begins with the year 2000 in UTC
		file, err := asIs("State,License #,Delivery Date\nCA,400000,1999-12-31\nFL,BEV5400218,1999-12-31\nFL,BEV5400218,2000-01-01\n", nil, "")
		if err != nil || len(file.Lines[0].Errors) > 0 || len(file.Lines[1].Errors) != 1 || len(file.Lines[2].Errors) > 0 {
			t.Errorf("%v %+v", err, file.Lines)
		}
	})
}

// A column of dates of which nobody said what they are is asked about: a delivery is not judged for another day than its own.
func TestADayIsAskedForWhereAColumnMayHoldIt(t *testing.T) {
	t.Parallel()
	list := "State,License #,Window\nCA,400000,12/4/2026\nCA,400001,\n"
	_, err := asIs(list, nil, "")
	if err == nil || !strings.Contains(contracts.AsError(err).Violations[0].Msg, `"Window"`) || !strings.Contains(contracts.AsError(err).Violations[0].Msg, "columns=on: for none") {
		t.Fatalf("not asked: %v %+v", err, contracts.AsError(err).Violations)
	}
	if file, err := asIs(list, sheet.Choice{"on": ""}, ""); err != nil || file.Lines[0].On != "" {
		t.Errorf("none: %v %+v", err, file.Lines)
	}
	if file, err := asIs(list, sheet.Choice{"on": "Window"}, sheet.MonthFirst); err != nil || file.Lines[0].On != "2026-12-04" || file.Lines[1].On != "" {
		t.Errorf("chosen: %v %+v", err, file.Lines)
	}
	for _, heading := range []string{"Delivery", "Scheduled Delivery"} {
		file, err := asIs("State,License #,"+heading+"\nCA,400000,TBD\nCA,400001,12/01/2028\nCA,400002,Will call\n", nil, sheet.MonthFirst)
		if err != nil || len(file.Lines[0].Errors) != 1 || file.Lines[1].On != "2028-12-01" || len(file.Lines[2].Errors) != 1 {
			t.Errorf("%s of which one is a date: %v %+v", heading, err, file.Lines)
		}
	}
	for name, list := range map[string]string{
		"numbers":           "State,License #,Route,Phone,Invoice\nCA,400000,40113,555-123-4567,11-26-1001\n",
		"another one is on": "State,License #,Delivery Date,Window\nCA,400000,2026-12-04,12/4/2026\n",
	} {
		if _, err := asIs(list, nil, ""); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := deliveries.Schema.ParseColumns([]string{"when:Day"}); err == nil || strings.Contains(err.Error(), "ship_date") || !strings.Contains(err.Error(), "state:") {
		t.Errorf("an example of another list: %v", err)
	}
	if file, err := asIs("State,License #,beverage\nCA,400000,Wine & Spirits\n", nil, ""); err == nil && len(file.Lines[0].Errors) == 1 &&
		!strings.Contains(file.Lines[0].Errors[0], "strictest") {
		t.Errorf("%+v", file.Lines)
	}
}
