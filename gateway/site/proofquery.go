package site

import (
	"fmt"
	"net/url"

	"assay.dev/contracts"
)

// proofQuery is what the address of a proof says.
type proofQuery struct{ ID, At, Find, Carrier, AsOf, State, LicenseNumber, Audit, Kept string }

func proofQueryOf(r *Request) proofQuery {
	q := r.URL.Query()
	return proofQuery{
		ID: q.Get("id"), At: q.Get("at"), Find: q.Get("find"),
		Carrier: q.Get("carrier"), AsOf: q.Get("as_of"), State: q.Get("state"), LicenseNumber: q.Get("license_number"),
		Audit: q.Get("audit"), Kept: q.Get("kept"),
	}
}

// question is what the query asks, with the product that answers it; both are empty for nothing.
func (q proofQuery) question() (words string, p contracts.Product) {
	switch {
	case q.Carrier != "" && q.AsOf != "":
		return fmt.Sprintf("The fuel surcharge of %s on %s", q.Carrier, q.AsOf), contracts.LTL
	case q.State != "" && q.LicenseNumber != "":
		return fmt.Sprintf("The license %s of %s", q.LicenseNumber, q.State), contracts.ABC
	}
	return "", ""
}

// values are the query, without what it does not have.
func (q proofQuery) values() url.Values {
	all := url.Values{}
	for _, f := range []field{
		{"id", q.ID}, {"at", q.At}, {"find", q.Find}, {"carrier", q.Carrier}, {"as_of", q.AsOf}, {"state", q.State},
		{"license_number", q.LicenseNumber}, {"audit", q.Audit}, {"kept", q.Kept},
	} {
		if f.Value != "" {
			all.Set(f.Name, f.Value)
		}
	}
	return all
}

// target is what to ask the API for an answer to the question; empty for nothing.
func (q proofQuery) target() string {
	switch _, product := q.question(); product {
	case contracts.LTL:
		return surchargeEndpoint + "?" + url.Values{"carriers": {q.Carrier}, "as_of": {q.AsOf}}.Encode()
	case contracts.ABC:
		return licensesQuery{isLookup: true, State: q.State, Number: q.LicenseNumber}.target()
	}
	return ""
}
