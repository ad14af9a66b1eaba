package tariff

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"assay.dev/contracts"
	"assay.dev/sandbox/diesel"
)

func load(t *testing.T) (map[contracts.Carrier]Tariff, *diesel.Series) {
	t.Helper()
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	prices, err := diesel.Load()
	if err != nil {
		t.Fatal(err)
	}
	return all, prices
}

// What was read of the real carriers on 2026-09-08. ODFL's rate was that of the next day.
func TestWeekOfSeptember8(t *testing.T) {
	all, prices := load(t)
	for carrier, want := range map[contracts.Carrier]struct {
		effective contracts.Date
		ltl       string
	}{
		contracts.ODFL:    {"2026-09-09", "46.32"},
		contracts.SAIA:    {"2026-09-02", "50.12"},
		contracts.ESTES:   {"2026-09-02", "50.00"},
		contracts.ABF:     {"2026-09-02", "50.00"},
		contracts.RLC:     {"2026-09-02", "47.30"},
		contracts.TFORCE:  {"2026-09-02", "51.10"},
		contracts.XPO:     {"2026-09-07", "49.75"},
		contracts.SEFL:    {"2026-09-02", "44.63"},
		contracts.AVERITT: {"2026-09-02", "48.00"},
		contracts.FEDEX:   {"2026-09-02", "48.90"},
	} {
		t.Run(string(carrier), func(t *testing.T) {
			newest := all[carrier].Weeks(prices, time.Date(2026, 9, 8, 13, 0, 0, 0, time.UTC), "")[0]
			if newest.Effective != want.effective || newest.LTL.String() != want.ltl || newest.Diesel.Price != 5599 {
				t.Errorf("%+v; want %+v at 5.599", newest, want)
			}
		})
	}
	if band := all[contracts.SEFL].Band(5599); band.From != 5570 || band.To != 5600 {
		t.Errorf("SEFL's band of 5.599 is %v", band)
	}
}

// On publication day the row on top is tomorrow's.
func TestTomorrowsRowOnTop(t *testing.T) {
	all, prices := load(t)
	weeks := all[contracts.SAIA].Weeks(prices, time.Date(2026, 9, 8, 14, 0, 0, 0, time.UTC), "")
	if weeks[0].Effective != "2026-09-09" || weeks[0].Diesel.Price != 5967 || weeks[1].Effective != "2026-09-02" {
		t.Errorf("%+v", weeks[:2])
	}
}

func TestPublishedODFLValues(t *testing.T) {
	all, _ := load(t)
	for price, want := range map[diesel.Price]string{
		900: "12.72", 1000: "12.72", 4796: "38.32", 5099: "41.32", 5100: "41.82", 5134: "41.82", 5149: "41.82",
		5150: "42.32", 5313: "43.82", 5454: "45.32", 5599: "46.32", 6285: "53.32",
	} {
		if got := all[contracts.ODFL].Band(price).LTL.String(); got != want {
			t.Errorf("%s → %s, want %s", price, got, want)
		}
	}
}

func TestBandsAreMonotoneAndHoldTheirPrice(t *testing.T) {
	all, _ := load(t)
	for carrier, tariff := range all {
		t.Run(string(carrier), rapid.MakeCheck(func(t *rapid.T) {
			p := diesel.Price(rapid.IntRange(1000, 9000).Draw(t, "price"))
			band, next := tariff.Band(p), tariff.Band(p+1)
			if p < band.From || p >= band.To {
				t.Fatalf("%s is outside its band %v", p, band)
			}
			if next.LTL < band.LTL || band.LTL < 0 || band.LTL > 10000 {
				t.Fatalf("%s → %s, %s → %s", p, band.LTL, p+1, next.LTL)
			}
		}))
	}
}

func TestWeeksShown(t *testing.T) {
	all, prices := load(t)
	now := time.Date(2026, 11, 17, 16, 0, 0, 0, time.UTC) // a Tuesday after publication
	for carrier, tariff := range all {
		t.Run(string(carrier), func(t *testing.T) {
			started := 0
			weeks := tariff.Weeks(prices, now, "")
			for i, w := range weeks {
				if i > 0 && w.Effective.AddDays(7) != weeks[i-1].Effective {
					t.Fatalf("%s follows %s", w.Effective, weeks[i-1].Effective)
				}
				if w.Effective <= "2026-11-17" {
					started++
				}
			}
			if tariff.Shown > 0 && started != tariff.Shown || tariff.Shown == 0 && started < 250 {
				t.Errorf("%d weeks in force or past, want %d", started, tariff.Shown)
			}
		})
	}
}
