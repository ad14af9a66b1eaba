package texas

import (
	"strings"
	"time"

	"assay.dev/contracts"
	"assay.dev/sandbox/license"
	"assay.dev/sandbox/opendata"
)

// DataHost is where the mirror lives.
const DataHost = "data.texas.gov"

// Dataset is the daily mirror of all licenses. It has no suspensions.
func Dataset(register *license.Register) opendata.Dataset {
	return opendata.Dataset{
		ID: "7hf9-qc9f", Name: "License Information",
		Columns: []string{
			"license_id", "legacy_clp", "license_type", "primary_status", "license_status", "secondary_status",
			"expiration_date",
			"status_change_date", "original_issue_date", "trade_name", "owner", "address", "city", "state", "zip", "county",
			"tier", "master_file_id",
		},
		Rows: license.Each(register, contracts.TX, func() []opendata.Row {
			var rows []opendata.Row
			for _, l := range register.Texas() {
				rows = append(rows, row(l))
			}
			return rows
		}),
		Modified: func(published time.Time) time.Time { return register.Modified(contracts.TX, published) },
	}
}

// row is in the order of the columns.
func row(l license.Texas) opendata.Row {
	base, _, _ := strings.Cut(l.PrimaryStatus, " - ")
	return opendata.Row{
		l.Number + ".0", l.Legacy, l.Type, l.PrimaryStatus, base, l.SecondaryStatus, opendata.Timestamp(l.Expires),
		opendata.Timestamp(l.StatusChanged), opendata.Timestamp(l.Issued), l.DBA, l.Owner,
		l.Premises.Line(), l.Premises.City, l.Premises.State,
		strings.ReplaceAll(l.Premises.Zip, "-", ""), l.Premises.County, l.Tier, l.MasterFile + ".0",
	}
}
