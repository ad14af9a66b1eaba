// Package newyork reads the liquor licenses of New York's State Liquor Authority: its data sets of active and of
// inactive licenses, then its map of active ones.
//
// A remark in brackets says how a fact is known: data is the data set itself, code is other people's code.
package newyork

import (
	"strings"

	"assay.dev/abc-worker/fold"
	"assay.dev/abc-worker/opendata"
	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/soda"
	"assay.dev/contracts"
)

// The data sets (data, code). The second one spells its columns with underscores.
const (
	activeURL   = "https://data.ny.gov/resource/9s3h-dpkz.json"
	inactiveURL = "https://data.ny.gov/resource/6dg3-2z7i.json"
	homeURL     = "https://data.ny.gov/d/9s3h-dpkz"
)

// Recipe is New York: the data sets first, then the map. The two data sets together prove absence; the map does not.
func Recipe(d register.Deps) register.Recipe {
	client := soda.Client{Fetcher: d.Fetcher, Token: d.SODAToken}
	sets := dataSets{
		active: dataSet(opendata.SODA(client, activeURL, opendata.Dataset{
			Number: "licensepermitid", Serial: "legacyserialnumber", DBA: "dba", Owner: "legalname",
			Address: []string{"actualaddressofpremises", "city"},
		}), contracts.Active),
		inactive: dataSet(opendata.SODA(client, inactiveURL, opendata.Dataset{
			Number: "license_permit_id", Serial: "legacy_serial_number", DBA: "dba", Owner: "legalname",
			Address: []string{"actual_address_of_premises", "city"},
		}), contracts.Expired),
	}
	layer := newMapLayer(d.Fetcher)
	return register.Recipe{
		Listing: listing(),
		Lookup: []register.LookupPath{
			{Name: "soda", Method: contracts.APIMirror, Read: sets.lookup},
			{Name: "map", Method: contracts.APIMirror, Read: layer.lookup},
		},
		Search: []register.SearchPath{
			{Name: "soda", Method: contracts.APIMirror, Read: sets.search},
			{Name: "map", Method: contracts.APIMirror, Read: layer.search},
		},
	}
}

// required tallies the fields that every path to New York must give. The status is none of them: being in a set is
// the status. dateClean is false when the path has no expiration date, or one that could not be read.
func required(r contracts.LicenseRecord, dateClean bool) contracts.Tally {
	_, err := contracts.NormalLicenseNumber(contracts.NY, r.LicenseNumber)
	return register.TallyOf(err == nil, r.LicenseTypeCode != "", r.OwnerName != "",
		dateClean && r.ExpirationDate != "",
		r.Address.Street != "", r.Address.City != "", r.Address.ZipCode != "")
}

func listing() contracts.StateListing {
	return contracts.StateListing{
		State: contracts.NY, Name: "New York", Agency: "State Liquor Authority", SourceURL: homeURL,
		Captcha: "none", AntiBot: "none", SearchFields: []string{"dba_name", "owner_name", "address"}, Lookup: true,
		ExtractionMethod: contracts.APIMirror, FallbackMethods: []contracts.Method{contracts.APIMirror},
		CacheTTLSeconds: int(contracts.LicenseTTL.Seconds()), TypicalLatencyMS: 1500, ProvesAbsence: true,
		Limitations: []string{
			"A license in the data set of active licenses is ACTIVE, also past its date; one in the inactive set is EXPIRED: " +
				"revoked and surrendered licenses cannot be told from expired ones.",
			"No source gives suspensions: an empty list says nothing about them.",
			"When the data sets cannot be read, the authority's map answers: active licenses only, " +
				"without expiration dates, at a lower confidence. It cannot prove that a license does not exist.",
			"An address filter matches street or city.",
			"License type codes are the authority's classes in four digits.",
		},
		LicenseTypes: []contracts.LicenseType{},
	}
}

// isSerial tells numbers before 2022, such as 1234567, from today's, such as 0340-22-106125.
func isSerial(number string) bool { return !strings.Contains(number, "-") }

// normalNumber is the normal form of a license number, or the text as it is when it is no number.
func normalNumber(s string) string {
	if normal, err := contracts.NormalLicenseNumber(contracts.NY, s); err == nil {
		return normal
	}
	return fold.Blanks(s)
}

// classCode pads a license class to four digits: the inactive set and the map print 340 for 0340.
func classCode(s string) string {
	s = fold.Blanks(s)
	if len(s) < 4 && s != "" && strings.Trim(s, "0123456789") == "" {
		return strings.Repeat("0", 4-len(s)) + s
	}
	return s
}
