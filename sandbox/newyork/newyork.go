// Package newyork plays what the State Liquor Authority publishes: two data sets on data.ny.gov, and the map of active
// licenses on services8.arcgis.com.
//
// Chosen by us, because it is not known: county names as on maps (Kings), a map layer that holds the legal name in
// PremiseName and the class without leading zero in LicenseCla, at most 2000 records an answer.
package newyork

import (
	"fmt"
	"net/http"
	"time"

	"assay.dev/contracts"
	"assay.dev/sandbox/license"
	"assay.dev/sandbox/opendata"
)

// The hosts.
const (
	DataHost = "data.ny.gov"
	MapHost  = "services8.arcgis.com"
)

const layerPath = "/kHNnQD79LvY0XnKy/arcgis/rest/services/ActiveLicensesV3/FeatureServer/0/query"

// Datasets are the active and the inactive licenses. The second spells its columns with underscores.
func Datasets(register *license.Register) []opendata.Dataset {
	modified := func(published time.Time) time.Time { return register.Modified(contracts.NY, published) }
	return []opendata.Dataset{
		{
			ID: "9s3h-dpkz", Name: "Current Liquor Authority Active Licenses", Point: map[string]bool{"georeference": true},
			Columns: []string{
				"licensepermitid", "premisescounty", "type", "class", "description", "legalname", "dba", "actualaddressofpremises",
				"additionaladdressinformation", "city", "statename", "zipcode", "originalissuedate",
				"lastissuedate", "effectivedate",
				"expirationdate", "parentlicenseid", "legacyserialnumber", "akaaddress", "georeference",
			},
			Rows:     license.Each(register, contracts.NY, func() []opendata.Row { return rows(register, isListed, activeRow) }),
			Modified: modified,
		},
		{
			ID: "6dg3-2z7i", Name: "Inactive Liquor Authority Licenses", Point: map[string]bool{"georeference": true},
			Columns: []string{
				"license_permit_id", "premises_county", "type", "class", "description", "legalname", "dba",
				"actual_address_of_premises",
				"additional_address_information", "city", "state_name", "zip_code", "original_issue_date", "last_issue_date",
				"effective_date",
				"expiration_date", "parent_license_id", "legacy_serial_number", "georeference",
			},
			Rows:     license.Each(register, contracts.NY, func() []opendata.Row { return rows(register, isInactive, inactiveRow) }),
			Modified: modified,
		},
	}
}

// Map is the layer of active licenses, without their expiration.
func Map(register *license.Register) http.Handler {
	mux := http.NewServeMux()
	mux.Handle(layerPath, opendata.Layer{
		Fields: []string{
			"PremiseName", "PremiseDBA", "Description", "PremiseAddress1", "PremiseCity", "PremiseZIP", "CountyName",
			"LicenseCla", "LicensePermitID",
		},
		Rows:       license.Each(register, contracts.NY, func() []opendata.Row { return rows(register, isActive, mapRow) }),
		MaxRecords: 2000,
	})
	return mux
}

func isActive(l *license.NewYork) bool   { return !l.Inactive }
func isInactive(l *license.NewYork) bool { return l.Inactive }
func isListed(l *license.NewYork) bool   { return isActive(l) || l.Lingers }

// rows are of the licenses of a table; columns gives one in the order of its columns.
func rows(
	register *license.Register, has func(*license.NewYork) bool, columns func(*license.NewYork) opendata.Row,
) []opendata.Row {
	all := register.NewYork()
	var rows []opendata.Row
	for i := range all {
		if has(&all[i]) {
			rows = append(rows, columns(&all[i]))
		}
	}
	return rows
}

func activeRow(l *license.NewYork) opendata.Row {
	p := l.Premises
	return opendata.Row{
		l.Number, p.County, l.Type, "0" + l.Class, l.Description, l.Owner, l.DBA, p.Line(),
		"", p.City, p.State, p.Zip, opendata.Timestamp(l.Issued), opendata.Timestamp(l.LastIssued),
		opendata.Timestamp(l.Effective), opendata.Timestamp(l.Expiry), l.Parent, l.Serial, "", point(l),
	}
}

func inactiveRow(l *license.NewYork) opendata.Row {
	p := l.Premises
	return opendata.Row{
		l.Number, p.County, l.Type, l.Class, l.Description, l.Owner, l.DBA, p.Line(),
		"", p.City, p.State, p.Zip, opendata.Timestamp(l.Issued), opendata.Timestamp(l.LastIssued),
		opendata.Timestamp(l.Effective), opendata.Timestamp(l.Expiry), l.Parent, l.Serial, point(l),
	}
}

func mapRow(l *license.NewYork) opendata.Row {
	p := l.Premises
	return opendata.Row{l.Owner, l.DBA, l.Description, p.Line(), p.City, p.Zip, p.County, l.Class, l.Number}
}

// point is somewhere in the state.
func point(l *license.NewYork) string {
	return fmt.Sprintf(`{"type":"Point","coordinates":[-7%d.%s,4%d.%s]}`, 3+len(l.Owner)%6, l.Number[8:12],
		1+len(l.DBA)%3, l.Number[9:13])
}
