package surcharge_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/surcharge"
)

// Members beside a list of weeks that keep its figures from being ours, or this week's.
var foreignMembers = `
"environment": "sandbox"; "env": "staging"; "isSample": true; "sample": true; "published": false; "isPublished": false; "region": "Canada"
"currency": "CAD"; "service": "TL"; "serviceType": "Truckload"; "mode": "FTL"; "mode": "intermodal"; "draft": true; "preview": true; "isTest": true
"testMode": true; "active": false; "enabled": false; "deprecated": true; "expired": true; "accountNumber": "1045523"; "customerId": "88123"
"contract": "C-2231"; "pricingProgram": "Capped"; "unit": "cents per mile"; "percentOf": "total"; "territory": "Hawaii"; "source": "estimate"
"dataType": "forecast"; "kind": "projection"; "stale": true; "validUntil": "2026-08-31"; "message": "This data is delayed by two weeks."
"warning": "Data feed interrupted; values may be outdated."; "brand": "FedEx"; "surchargeType": "TL"; "rateType": "expedited"; "isAverage": true
"aggregation": "monthly average"; "frequency": "monthly"; "period": "month"; "multiplier": 0.9; "discountPct": 10; "adjustment": 2.5; "factor": 0.5
"tier": "Tier 3 customers"; "audience": "internal"; "visibility": "private"; "approvalStatus": "pending"; "approvalStatus": "not approved"
"workflowState": "in review"; "publishState": "unpublished"; "lifecycle": "retired"; "dataQuality": "provisional"; "host": "staging.odfl.com"
"baseUrl": "https://test-api.odfl.com"; "supersededBy": "v4"; "replacedOn": "2026-08-01"; "cancelledOn": "2026-08-01"; "alert": "Figures below are last year's."
"banner": "These rates are for contract customers only."; "description": "Truckload fuel surcharge history"; "title": "Fuel Surcharge - Canada"
"measure": "change"; "metric": "yoyChange"; "valuesAre": "estimates"; "percentBasis": "of 2019 rates"`

// Members that leave the figures what they are.
var neutralMembers = `
"environment": "production"; "env": "prod"; "isSample": false; "status": "ok"; "status": 200; "status": "success"; "success": true; "published": true
"region": "US"; "country": "US"; "currency": "USD"; "service": "LTL"; "mode": "LTL"; "draft": false; "active": true; "deprecated": false
"version": "2.4.1"; "requestId": "8f2c"; "timestamp": "2026-09-14T10:00:00Z"; "lastUpdated": "2026-09-14"; "lastRefreshed": "2026-09-14T06:00:00Z"
"count": 26; "page": 1; "hasMore": false; "next": null; "error": null; "errors": []; "message": "OK"; "unit": "percent"; "source": "EIA"
"index": "DOE National Average"; "tariff": "ODFL 559"; "locale": "en_US"; "scac": "ODFL"; "carrier": "Old Dominion Freight Line"
"disclaimer": "Subject to change without notice."; "cacheHit": true; "ttl": 3600; "surchargeType": "LTL"; "rateType": "standard"; "scope": "national"
"frequency": "weekly"; "period": "week"; "decimalPlaces": 2; "scale": "percent"; "visibility": "public"; "approvalStatus": "approved"; "publishState": "published"
"status": "publish"; "lifecycle": "current"; "dataQuality": "final"; "host": "www.odfl.com"; "baseUrl": "https://www.odfl.com/api"; "channel": "web"
"asOf": "2026-09-14"; "nextUpdate": "2026-09-15"; "description": "LTL fuel surcharge history"; "title": "Fuel Surcharge"; "metric": "fuelSurchargePercent"
"audience": "public"; "sortOrder": "desc"; "limit": 26; "offset": 0; "isAuthenticated": false; "userRole": "guest"; "stale": false; "preview": false
"cached": true; "hidden": false; "maintenance": false; "loggedIn": false; "debug": false; "multiplier": 1; "adjustment": 0`

// Members of each week, likewise.
const (
	foreignOfWeeks = `"status": "draft"; "type": "TL"; "service": "Volume"; "region": "CAN"; "country": "MX"; "isEstimate": true; "projected": true; "published": false
"active": false; "currency": "CAD"; "voided": true; "superseded": true; "state": "HI"; "customer": "1023"; "customerId": 1023; "preview": true`
	neutralOfWeeks = `"status": "published"; "active": true; "country": "US"; "currency": "USD"; "id": 1; "service": "LTL"; "isEstimate": false; "updatedBy": "pricing"
"notes": ""; "notes": null; "createdAt": "2026-09-09T09:00:00Z"; "weekNumber": 37; "year": 2026; "region": "National"; "preview": false`
)

func membersIn(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ';' || r == '\n' })
}

// withMembers is the answer of a service: weeks in an object in an object, with a member in either, and one in each week.
func withMembers(outer, inner, ofWeek string) string {
	var weeks []string
	for i, date := range []contracts.Date{"2026-09-09", "2026-09-02", "2026-08-26", "2026-08-19"} {
		weeks = append(weeks, fmt.Sprintf(`{"effectiveDate": %q, "fuelSurchargePercent": %d.5%s, "dieselPrice": 5.%d1}`, date, 49-i, ofWeek, 9-i))
	}
	return fmt.Sprintf(`{%s"fuelHistory": {%s"shipmentClass": "LTL", "rows": [%s]}}`, outer, inner, strings.Join(weeks, ","))
}

func TestMembersBesideWeeks(t *testing.T) {
	t.Parallel()
	day := time.Wednesday
	rule := surcharge.Rule{Diesel: surcharge.Required, Weekday: &day, Names: []string{"Old Dominion Freight Line", "Old Dominion", "ODFL"}}
	clean := func(doc string) bool {
		r, err := surcharge.ReadJSON([]byte(doc), rule, "2026-09-14")
		return err == nil && len(r.Weeks) == 4 && r.Tally().Confidence() >= contracts.MinConfidence
	}
	for _, of := range []struct {
		members string
		weeks   bool
		want    bool
	}{
		{foreignMembers, false, false}, {neutralMembers, false, true}, {foreignOfWeeks, true, false}, {neutralOfWeeks, true, true},
	} {
		for _, member := range membersIn(of.members) {
			docs := []string{withMembers(member+",", "", ""), withMembers("", member+",", "")}
			if of.weeks {
				docs = []string{withMembers("", "", ","+member)}
			}
			for _, doc := range docs {
				if clean(doc) != of.want {
					t.Errorf("read is %v: %s", !of.want, doc)
				}
			}
		}
	}
}

// Members that stand beside the weeks ("top"), or in each of them too ("any"). "? " marks one that is not judged rightly yet.
func TestMembersOfFiles(t *testing.T) {
	t.Parallel()
	day := time.Wednesday
	rule := surcharge.Rule{Weekday: &day, Names: []string{"Saia LTL Freight", "Saia"}}
	for list, isClean := range map[string]bool{"members-neutral.txt": true, "members-foreign.txt": false} {
		lines, err := os.ReadFile(filepath.Join("testdata", "wording", list))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(lines)) {
			text, notYet := strings.CutPrefix(strings.TrimSpace(line), "? ")
			where, member, _ := strings.Cut(text, " ")
			pages := []string{`{` + member + `, "ltlFuelSurcharges": [` + weeksWith("") + `]}`}
			if where == "any" {
				pages = append(pages, `{"ltlFuelSurcharges": [`+weeksWith(", "+member)+`]}`)
			}
			for _, page := range pages {
				r, err := surcharge.ReadJSON([]byte(page), rule, "2026-09-14")
				if clean := err == nil && r.Tally().Confidence() >= contracts.MinConfidence; clean == isClean == notYet {
					t.Errorf("marked %v: read is %v: %s\n%v %q", notYet, clean, page, err, r.Notes)
				}
			}
		}
	}
}

// weeksWith are four weeks of records, each with further members.
func weeksWith(members string) string {
	var records []string
	for i := range 4 {
		date := contracts.Date("2026-09-09").AddDays(-7 * i)
		records = append(records, fmt.Sprintf(`{"effectiveDate": %q, "doePrice": %.3f, "ltlPercent": %.2f%s}`, date, 5.91-0.1*float64(i), 49.5-float64(i), members))
	}
	return strings.Join(records, ", ")
}
