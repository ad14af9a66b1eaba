package illinois

import (
	"bytes"
	"encoding/csv"
	"net/http"
	"strings"
	"time"

	"assay.dev/contracts"
	"assay.dev/sandbox/license"
)

// columns are the heads of the export.
const columns = "license_class,license_number,acct_name,county,cust_name,business_type,current_effective_date,current_issue_date,current_expiration_date,ibt,renewal,acct_city,acct_state,dba_address,owners,retail_type"

// export serves the day's file: byte order mark, header, and every license there ever was.
type export struct {
	register *license.Register
	now      func() time.Time
	text     func() []byte
}

func (e *export) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/csv")
	http.ServeContent(w, r, "", e.register.Modified(contracts.IL, license.LastAt(9, e.now())), bytes.NewReader(e.text()))
}

func file(all []license.Illinois) []byte {
	var out bytes.Buffer
	out.WriteString("\ufeff")
	rows := csv.NewWriter(&out)
	rows.UseCRLF = true
	_ = rows.Write(strings.Split(columns, ",")) // a buffer takes everything
	for i := range all {
		_ = rows.Write(row(&all[i]))
	}
	rows.Flush()
	return out.Bytes()
}

func row(l *license.Illinois) []string {
	return []string{
		l.Class, l.Number, l.AccountName, l.Premises.County, l.Owner, l.BusinessType, printedDate(l.Effective),
		printedDate(l.Issued),
		printedDate(l.Expiry), l.IBT, l.Renewal, l.Premises.City, l.Premises.State, l.AddressText(),
		strings.Join(l.Owners, "\n"), l.RetailType,
	}
}
