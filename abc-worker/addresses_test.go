package abcworker

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/register/registertest"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
	"assay.dev/sandbox/license"
)

func TestAddressesAsPeopleWriteThem(t *testing.T) {
	t.Parallel()
	licenses, deps := everyCase(t)
	for s, golden := range map[contracts.State][]license.Path{
		contracts.CA: {license.Primary, license.Mirror},
		contracts.FL: {license.Primary, license.Mirror},
		contracts.IL: {license.Mirror, ""}, // by the export
		contracts.NY: {license.Primary, license.Primary, license.Mirror},
		contracts.TX: {license.Primary, license.Mirror, license.Mirror},
	} {
		for i, path := range Recipes[s](deps).Paths(register.Search) {
			if golden[i] != "" {
				byName := i == 0 && (s == contracts.CA || s == contracts.FL)
				t.Run(fmt.Sprintf("%s/%s", s, path.Name), func(t *testing.T) { addressesAsWritten(t, licenses, s, path, golden[i], byName) })
			}
		}
	}
}

// written are words of the sandbox's addresses as people write them.
var written = map[string]string{
	"ST": "Street", "AVE": "Avenue", "BLVD": "Boulevard", "RD": "Road", "DR": "Drive", "LN": "Lane", "SECOND": "2nd", "LAKE": "Lk",
	"MILL": "Ml", "RIDGE": "Rdg", "SPRING": "Spg", "UNION": "Un", "STATION": "Sta", "STE": "Suite", "FT": "Fort", "EAST": "E",
}

// addressesAsWritten searches by one path for licenses by their addresses as people write them, and by number of the house and ZIP code;
// with byName, by their trade names as well, where the path needs them. Each must be found, but for the few that the path cannot be asked
// for, as when a name is spelled with accents as well.
func addressesAsWritten(
	t *testing.T, licenses *license.Register, state contracts.State, path register.JudgedPath, golden license.Path, byName bool,
) {
	t.Helper()
	asked, declined := 0, 0
	for _, r := range licenses.Search(state, golden, contracts.Query{}) {
		words := strings.Fields(r.Address.Street + " " + r.Address.City)
		if byName && r.DBAName == "" || len(r.Address.ZipCode) < 5 || !slices.ContainsFunc(words, func(w string) bool { return written[w] != "" }) {
			continue
		}
		if asked++; asked > 12 {
			break
		}
		for i, word := range words {
			if as := written[strings.Trim(word, ",")]; as != "" {
				words[i] = as
			}
		}
		for _, address := range []string{strings.Join(words, " "), words[1] + " " + r.Address.ZipCode[:5]} {
			q := contracts.Query{Address: address}
			if byName {
				q.DBAName = r.DBAName
			}
			a, err := path.Read(t.Context(), registertest.Query(q))
			if scrape.KindOf(err) == scrape.Unavailable {
				declined++
				continue
			}
			if err != nil || !slices.ContainsFunc(a.Value.Records, func(found contracts.LicenseRecord) bool { return found.LicenseNumber == r.LicenseNumber }) {
				t.Errorf("%q, which is %s %s %s %s: %d found, %v", address, r.LicenseNumber, r.Address.Street, r.Address.City, r.Address.ZipCode, a.Value.Total, err)
			}
		}
	}
	if asked == 0 || declined > asked/2 {
		t.Fatalf("%d licenses were asked for, %d questions could not be", asked, declined)
	}
}

// The version before gave an inferred county as the address of a license without one. Such answers are verified still.
func TestAnAddressThatIsAnInferredCountyIsVerified(t *testing.T) {
	inferred := contracts.Members{register.County}
	for _, tt := range []struct {
		inferred  contracts.Members
		raw, said string
		same      bool
	}{
		{inferred, "", "", true}, {inferred, "", "Alachua", true}, {inferred, "", "Baker", false},
		{inferred, "1 MAIN ST", "Alachua", false}, {nil, "", "Alachua", false},
	} {
		of := func(raw string) contracts.LicenseRecord {
			return contracts.LicenseRecord{LicenseNumber: "BEV1100123", Address: contracts.Address{Raw: raw, County: "Alachua"}, Inferred: tt.inferred}
		}
		if got := sameRecord(of(tt.raw), of(tt.said)); got != tt.same {
			t.Errorf("read %q, said %q, inferred %v: the same is %v", tt.raw, tt.said, tt.inferred, got)
		}
	}
}
