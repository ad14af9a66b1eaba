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
			"license_id", "legacy_clp", "license_type", "primary_status", "license_status", "secondary_status", "expiration_date",
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

func row(l license.Texas) opendata.Row {
	base, _, _ := strings.Cut(l.PrimaryStatus, " - ")
	r := opendata.Row{
		"license_id": l.Number + ".0", "legacy_clp": l.Legacy, "license_type": l.Type, "primary_status": l.PrimaryStatus,
		"license_status": base, "secondary_status": l.SecondaryStatus, "expiration_date": timestamp(l.Expires),
		"status_change_date": timestamp(l.StatusChanged), "original_issue_date": timestamp(l.Issued), "trade_name": l.DBA, "owner": l.Owner,
		"address": l.Premises.Line(), "city": l.Premises.City, "state": l.Premises.State,
		"zip": strings.ReplaceAll(l.Premises.Zip, "-", ""), "county": l.Premises.County, "tier": l.Tier, "master_file_id": l.MasterFile + ".0",
	}
	for column, text := range r {
		if text == "" {
			delete(r, column)
		}
	}
	return r
}

func timestamp(d contracts.Date) string {
	if d == "" {
		return ""
	}
	return string(d) + "T00:00:00.000"
}
