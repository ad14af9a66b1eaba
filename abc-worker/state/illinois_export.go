package state

import (
	"bytes"
	"errors"

	"assay.dev/abc-worker/mirror"
	"assay.dev/contracts"
)

// illinoisColumns are those of the export that are read (code, measured). retail_type is newer and not needed.
var illinoisColumns = mirror.Table{Required: []string{
	"license_class", "license_number", "acct_name", "county", "cust_name", "current_expiration_date", "acct_city", "acct_state", "dba_address",
}}

// readIllinoisExport reads the daily export: one row per license that ever was.
func readIllinoisExport(body []byte, add func(mirror.Entry) error) (rows int, err error) {
	return illinoisColumns.Read(bytes.NewReader(body), func(r mirror.Row) error { return illinoisRow(r, add) })
}

// maxAddress is how many bytes an address may have. To take a longer one apart would cost more than to read the file.
const maxAddress = 500

var (
	errNoExpiration = errors.New("the row has no expiration date, from which its status follows")
	errLongAddress  = errors.New("the row has an address that is none")
)

func illinoisRow(r mirror.Row, add func(mirror.Entry) error) error {
	number, err := contracts.NormalLicenseNumber(contracts.IL, r.Text("license_number"))
	if err != nil {
		return err
	}
	expires, ok := printed(r.Text("current_expiration_date"), illinoisDates...)
	if !ok || expires == "" {
		return errNoExpiration
	}
	address := r.Raw("dba_address")
	if len(address) > maxAddress {
		return errLongAddress
	}
	record := contracts.LicenseRecord{
		LicenseNumber: number, LicenseTypeCode: illinoisType(r.Text("license_class")), DBAName: r.Text("acct_name"), OwnerName: r.Text("cust_name"),
		ExpirationDate: expires, Address: illinoisAddress(address, r.Text("acct_city"), r.Text("county")),
	}
	if record.Address.State == "" {
		record.Address.State = r.Text("acct_state")
	}
	return add(mirror.Entry{Record: record, Rank: string(expires), Tally: requiredIllinois(record)})
}
