package diesel

import (
	"testing"
	"time"

	"assay.dev/contracts"
)

func TestPrice(t *testing.T) {
	s, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		monday contracts.Date
		want   string // "" means there is none
	}{
		"the first recorded":        {"2022-01-03", "3.613"},
		"the last recorded":         {"2026-09-21", "6.529"},
		"the first after it":        {"2026-09-28", "6.285"},
		"eight weeks after it":      {"2026-11-16", "5.313"},
		"the turn at the beginning": {"2031-06-09", "3.613"},
		"the first after that":      {"2031-06-16", "3.657"},
		"before the series":         {"2021-12-27", ""},
		"no Monday":                 {"2026-09-22", ""},
	} {
		t.Run(name, func(t *testing.T) {
			price, ok := s.Price(tt.monday)
			if ok != (tt.want != "") || ok && price.String() != tt.want {
				t.Errorf("%s: %s, %v; want %q", tt.monday, price, ok, tt.want)
			}
		})
	}
}

func TestPublicationMoment(t *testing.T) {
	s, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		now  string
		want contracts.Date
	}{
		"Tuesday before ten, summer": {"2026-09-08T13:59:59Z", "2026-08-31"},
		"Tuesday at ten, summer":     {"2026-09-08T14:00:00Z", "2026-09-07"},
		"Tuesday before ten, winter": {"2026-11-17T14:59:59Z", "2026-11-09"},
		"Tuesday at ten, winter":     {"2026-11-17T15:00:00Z", "2026-11-16"},
		"Monday late in the evening": {"2026-09-08T03:00:00Z", "2026-08-31"},
		"Sunday":                     {"2026-09-13T12:00:00Z", "2026-09-07"},
		"the turn of the year":       {"2026-12-31T23:00:00Z", "2026-12-28"},
	} {
		t.Run(name, func(t *testing.T) {
			now, err := time.Parse(time.RFC3339, tt.now)
			if err != nil {
				t.Fatal(err)
			}
			weeks := s.Published(now, 3)
			if len(weeks) != 3 || weeks[0].Monday != tt.want || weeks[1].Monday != tt.want.AddDays(-7) {
				t.Errorf("%v; want %s first", weeks, tt.want)
			}
		})
	}
	if weeks := s.Published(time.Date(2021, 5, 1, 0, 0, 0, 0, time.UTC), -1); len(weeks) != 0 {
		t.Errorf("before the series: %v", weeks)
	}
	if weeks := s.Published(time.Date(2022, 2, 1, 20, 0, 0, 0, time.UTC), -1); len(weeks) != 5 {
		t.Errorf("five weeks were out: %v", weeks)
	}
}
