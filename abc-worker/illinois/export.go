package illinois

import (
	"bytes"
	"cmp"
	"errors"

	"assay.dev/abc-worker/mirror"
	"assay.dev/abc-worker/register"
	"assay.dev/contracts"
)

// exportColumns are the columns of the export that are read (code, measured).
var exportColumns = mirror.Table{Required: []string{
	"license_class", "license_number", "acct_name", "county", "cust_name", "current_expiration_date",
	"acct_city", "acct_state", "dba_address",
}}

// readExport reads the daily export: one row for each license that ever was.
func readExport(body []byte, add func(mirror.Entry) error) (rows int, err error) {
	return exportColumns.Read(bytes.NewReader(body), readExportRow, add)
}

// maxAddress is how many bytes an address may have. To split a longer one would cost more than to read the file.
const maxAddress = 500

var errLongAddress = errors.New("the row has an address that is too long to be one")

// readExportRow reads one row. A row without an expiration date, from which its status would follow, is not understood.
func readExportRow(r mirror.Row, add func(mirror.Entry) error) error {
	number, err := contracts.NormalLicenseNumber(contracts.IL, r.Text("license_number"))
	if err != nil {
		number = r.Text("license_number")
	}
	expires, clean := register.Date(r.Text("current_expiration_date"), dateLayouts...)
	address := r.Raw("dba_address")
	if len(address) > maxAddress {
		return errLongAddress
	}
	class, name := splitClass(r.Text("license_class"))
	record := contracts.LicenseRecord{
		LicenseNumber: number, LicenseTypeCode: class, LicenseTypeName: name,
		DBAName: r.Text("acct_name"), OwnerName: r.Text("cust_name"), ExpirationDate: expires,
		Address: splitAddress(address, r.Text("acct_city"), r.Text("county")),
	}
	record.Address.State = cmp.Or(record.Address.State, r.Text("acct_state"))
	return add(mirror.Entry{
		Record: record, Rank: string(expires), Unclear: err != nil || !clean || expires == "", Unnumbered: err != nil,
	})
}
