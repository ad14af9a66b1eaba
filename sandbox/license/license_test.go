package license_test

import (
	"reflect"
	"testing"

	"assay.dev/contracts"
	"assay.dev/sandbox/license"
)

func small() *license.Register { return license.New("2026-11-21", license.Small()) }

func TestSameLicensesInEveryRunOfAMonth(t *testing.T) {
	first, second := small(), license.New("2026-11-02", license.Small())
	for _, state := range contracts.States {
		if !reflect.DeepEqual(first.Of(state), second.Of(state)) {
			t.Errorf("%s differs between two days of a month", state)
		}
	}
}

func TestEveryNumberFormFindsItsLicense(t *testing.T) {
	for _, state := range contracts.States {
		owner := map[string]string{}
		for _, l := range small().Of(state) {
			if normal, err := contracts.NormalLicenseNumber(state, l.Number); err != nil || normal != l.Number {
				t.Fatalf("%s %q: normal form %q, %v", state, l.Number, normal, err)
			}
			for _, form := range append(l.Forms, l.Number) {
				normal, err := contracts.NormalLicenseNumber(state, form)
				if err != nil {
					t.Fatalf("%s %s: form %q: %v", state, l.Number, form, err)
				}
				if other, taken := owner[normal]; taken && other != l.Number {
					t.Fatalf("%s: %q stands for %s and %s", state, normal, other, l.Number)
				}
				owner[normal] = l.Number
			}
		}
	}
}

func TestEveryStatusAndCaseIsThere(t *testing.T) {
	words := map[contracts.State][]contracts.Status{
		contracts.CA: {contracts.Active, contracts.Suspended, contracts.Expired, contracts.Revoked},
		contracts.TX: {contracts.Active, contracts.Suspended, contracts.Expired, contracts.Revoked},
		contracts.NY: {contracts.Active, contracts.Expired},
		contracts.FL: {contracts.Active, contracts.Suspended, contracts.Expired, contracts.Revoked},
		contracts.IL: {contracts.Active, contracts.Suspended, contracts.Expired, contracts.Revoked},
	}
	for state, want := range words {
		seen := map[contracts.Status]bool{}
		for _, record := range small().Golden(state, license.Primary) {
			seen[record.Status] = true
			if record.Suspensions == nil {
				t.Fatalf("%s %s: suspensions must be an array", state, record.LicenseNumber)
			}
		}
		for _, status := range want {
			if !seen[status] {
				t.Errorf("%s has no license that is %s", state, status)
			}
		}
	}
	for state, name := range map[contracts.State]string{
		contracts.CA: "phantom block", contracts.TX: "suspension served", contracts.NY: "serial of two permits, the newer",
		contracts.FL: "transfer, the new owner", contracts.IL: "line break in the name",
	} {
		if _, found := small().Case(state, name); !found {
			t.Errorf("%s has no case %q", state, name)
		}
	}
}

func TestGoldenTellsNothingThatItsLicenseDoesNotShow(t *testing.T) {
	r := small()
	for _, state := range contracts.States {
		for _, path := range []license.Path{license.Primary, license.Mirror} {
			for _, l := range r.Of(state) {
				record := l.Record(path)
				if record == nil {
					continue
				}
				if record.DBAName != l.DBA || record.OwnerName != l.Owner || record.LicenseNumber != l.Number || record.LicenseTypeCode == "" {
					t.Fatalf("%s %s (%s): golden %+v does not match license %+v", state, path, l.Case, record, l)
				}
			}
		}
	}
}

func TestTransferShowsTheNewOwner(t *testing.T) {
	newer, _ := small().Case(contracts.FL, "transfer, the new owner")
	older, _ := small().Case(contracts.FL, "transfer, the old owner")
	if newer.Number != older.Number || newer.Owner == older.Owner {
		t.Fatalf("old %s %s, new %s %s", older.Number, older.Owner, newer.Number, newer.Owner)
	}
	if got := small().Golden(contracts.FL, license.Mirror)[newer.Number]; got.OwnerName != newer.Owner {
		t.Errorf("golden owner %q, want %q", got.OwnerName, newer.Owner)
	}
}

func TestSearchFindsAllCasesAndAccents(t *testing.T) {
	r := small()
	if got := r.Search(contracts.FL, license.Mirror, contracts.Query{DBAName: "cafe", OwnerName: "peñalba"}); len(got) == 0 {
		t.Error("accents must not count")
	}
	got := r.Search(contracts.CA, license.Mirror, contracts.Query{Address: "fresno", DBAName: "kettle"})
	if len(got) == 0 || len(got) == len(r.Golden(contracts.CA, license.Mirror)) {
		t.Errorf("%d records", len(got))
	}
	for i := 1; i < len(got); i++ {
		if got[i-1].LicenseNumber >= got[i].LicenseNumber {
			t.Fatal("not sorted")
		}
	}
}
