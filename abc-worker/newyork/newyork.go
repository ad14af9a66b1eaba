// Package newyork reads the liquor licenses of New York's State Liquor Authority: its data sets of active and of
// inactive licenses, then its map of active ones.
//
// A remark in brackets says how a fact is known: data is the data set itself, code is other people's code.
package newyork

import (
	"strings"

	"assay.dev/abc-worker/fold"
	"assay.dev/abc-worker/mirror"
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

// zone is where the authority's days begin.
var zone = contracts.NY.Zone()

// activeOnly is what the map misses.
const activeOnly = "The map shows active licenses only: inactive ones, expired or revoked, are missing from it."

// Recipe is New York: the data sets first, then the map. The two data sets together prove absence; the map does not.
// Searches are answered from a copy of both sets, lookups ask the sets themselves.
func Recipe(d register.Deps) register.Recipe {
	client := soda.Client{Fetcher: d.Fetcher, Token: d.SODAToken}
	sets := dataSets{
		active: dataSet(opendata.SODA(client, activeURL, opendata.Dataset{
			Number: "licensepermitid", Serial: "legacyserialnumber", DBA: "dba", Owner: "legalname",
			Address: []string{"actualaddressofpremises", "city"}, ZIP: "zipcode",
		}), standings[inActiveSet]),
		inactive: dataSet(opendata.SODA(client, inactiveURL, opendata.Dataset{
			Number: "license_permit_id", Serial: "legacy_serial_number", DBA: "dba", Owner: "legalname",
			Address: []string{"actual_address_of_premises", "city"}, ZIP: "zip_code",
		}), standings[inInactiveSet]),
	}
	whole := register.BulkFiles{
		Mirror: d.Mirrors.Mirror(mirror.Spec{
			Name: string(contracts.NY), Fetch: client.Fetch, MaxAge: opendata.RenewedEvery,
			Files: []mirror.File{
				copyOf("NY-active", activeURL, inActiveSet).File(client),
				copyOf("NY-inactive", inactiveURL, inInactiveSet).File(client),
			},
			Contradicts: opendata.Contradicts,
			Watch: mirror.Watch{
				Status: register.Reported(func(set string) register.Standing { return standings[set] }),
				// a license that leaves the active set is not ACTIVE, whatever became of it
				FirstFileOnly: true, MissingEditions: 1, ReportsRemovals: true,
			},
		}),
		Standing: func(set string, _, _ contracts.Date) register.Standing { return standings[set] },
		Today:    func() contracts.Date { return d.Today(zone) }, Clock: d.Clock,
	}
	sets.whole = whole
	layer := newMapLayer(d.Fetcher)
	bySets := register.Path{
		Name: "soda", Method: contracts.APIMirror, Noun: "the authority's data",
		NotReported: contracts.Members{register.Suspensions}, Schedule: register.Daily,
	}
	byMap := register.Path{
		Name: "map", Method: contracts.APIMirror, Noun: "the map of active licenses", Misses: activeOnly, Read: layer.read,
		NotReported: contracts.Members{register.Expiration, register.Suspensions},
		Inferred:    contracts.Members{register.State},
	}
	byNumber, byFilter, mapByNumber, byCopy := bySets, bySets, byMap, whole.Path(bySets)
	byNumber.Read, byFilter.Read = sets.lookup, sets.search
	// it lacks the serials before 2022
	mapByNumber.Asks = func(q register.Question) bool { return !contracts.IsFormerNumber(contracts.NY, q.Number) }
	return register.Recipe{
		Listing: listing(), Zone: zone, Clock: d.Clock, Bulk: whole,
		Required: map[register.Operation]contracts.Members{register.Lookup: register.Common,
			register.Search: register.Common},
		Lookup: []register.Path{byNumber, mapByNumber},
		Search: []register.Path{byCopy, byFilter, byMap},
	}
}

func listing() contracts.StateListing {
	return contracts.StateListing{
		State: contracts.NY, Name: "New York", Agency: "State Liquor Authority", SourceURL: homeURL,
		Captcha: "none", AntiBot: "none", SearchFields: []string{"dba_name", "owner_name", "address"}, Lookup: true,
		CacheTTLSeconds: int(contracts.LicenseTTL.Seconds()), TypicalLatencyMS: 1500,
		Limitations: []string{
			"A license in the data set of active licenses is ACTIVE, also past its date; one in the inactive set is EXPIRED, " +
				"inferred: revoked and surrendered licenses cannot be told from expired ones. One in both sets is not " +
				"understood, unless the inactive set has an older term of it.",
			"License type codes are the authority's classes in four digits.",
			"Searches are answered from a copy of the data sets that is asked for changes every six hours; a fresh " +
				"reading asks the data sets.",
		},
		LicenseTypes: []contracts.LicenseType{},
	}
}

// normalNumber is the normal form of a license number, or the text as it is when it is no number.
func normalNumber(s string) string {
	if normal, err := contracts.NormalLicenseNumber(contracts.NY, s); err == nil {
		return normal
	}
	return fold.Blanks(s)
}

// validNumber is the normal form of a license number; empty when s is none.
func validNumber(s string) string {
	normal, _ := contracts.NormalLicenseNumber(contracts.NY, s)
	return normal
}

// classCode pads a license class to four digits: the inactive set and the map print 340 for 0340.
func classCode(s string) string {
	s = fold.Blanks(s)
	if len(s) < 4 && s != "" && strings.Trim(s, "0123456789") == "" {
		return strings.Repeat("0", 4-len(s)) + s
	}
	return s
}
