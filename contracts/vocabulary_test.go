package contracts

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestNormalLicenseNumber(t *testing.T) {
	for name, tt := range map[string]struct {
		state        State
		number, want string // want "" means refused
	}{
		"CA plain":                   {CA, "632923", "632923"},
		"CA padded":                  {CA, "00632923", "632923"},
		"CA with type":               {CA, "48-00632923", "48-632923"},
		"CA with state and type":     {CA, "CA-20-621547", "20-621547"},
		"CA type of one digit":       {CA, "1-632923", "01-632923"},
		"NY without separators":      {NY, "010121100000", "0101-21-100000"},
		"NY class unpadded, bare":    {NY, "10121100000", "0101-21-100000"},
		"NY bar, bare":               {NY, "03402210325102", "0340-22-103251-02"},
		"IL padded class":            {IL, "02-1100003", "2-1100003"},
		"IL without its hyphen":      {IL, "1A1143621", "1A-1143621"},
		"IL without its class":       {IL, "1100003", ""},
		"CA zero":                    {CA, "00000000", "0"},
		"CA words":                   {CA, "LICENSE", ""},
		"TX AIMS":                    {TX, "100001159", "100001159"},
		"TX AIMS as data prints it":  {TX, "100001159.0", "100001159"},
		"CA as a spreadsheet has it": {CA, "632923.00", "632923"},
		"FL as a spreadsheet has it": {FL, "3900123.0", "BEV3900123"},
		"NY as a spreadsheet has it": {NY, "34022106125.0", "0340-22-106125"},
		"CA with a fraction":         {CA, "632923.5", ""},
		"CA with a point":            {CA, "632923.", ""},
		"CA with thousands":          {CA, "400.000", ""},
		"zeros alone":                {CA, ".0", ""},
		"TX legacy":                  {TX, "BG571927", "BG571927"},
		"TX legacy printed":          {TX, "mb-747105", "MB747105"},
		"TX legacy apart":            {TX, "MB - 747105", "MB747105"},
		"TX legacy in parts":         {TX, "MB-747-105", "MB747105"},
		"TX legacy of seven digits":  {TX, "MB747-1051", "MB7471051"},
		"TX legacy with a suffix":    {TX, "MB747105-1", ""},
		"TX legacy with a letter":    {TX, "MB747105 A", ""},
		"TX with a suffix":           {TX, "10000115-9", ""},
		"TX in parts":                {TX, "100-001-159", "100001159"},
		"TX with blanks":             {TX, "100 001 159", "100001159"},
		"NY new":                     {NY, "0340-22-106125", "0340-22-106125"},
		"NY unpadded class":          {NY, "340-22-106125", "0340-22-106125"},
		"NY additional bar":          {NY, "0340-22-103251-02", "0340-22-103251-02"},
		"NY old serial":              {NY, "1234567", "1234567"},
		"FL":                         {FL, "BEV3900123", "BEV3900123"},
		"FL bare":                    {FL, "3900123", "BEV3900123"},
		"FL printed":                 {FL, "39-00123", "BEV3900123"},
		"IL":                         {IL, "1a-1143621", "1A-1143621"},
		"IL blanks around":           {IL, "  1A-1143621 ", "1A-1143621"},
		"IL injection":               {IL, "1A-1143621'; --", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := NormalLicenseNumber(tt.state, tt.number)
			if tt.want == "" {
				if CodeOf(err) != InvalidRequest {
					t.Fatalf("got %q, %v; want INVALID_REQUEST", got, err)
				}
				return
			}
			if err != nil || got != tt.want {
				t.Fatalf("got %q, %v; want %q", got, err, tt.want)
			}
			if again, err := NormalLicenseNumber(tt.state, got); err != nil || again != got {
				t.Errorf("the normal form is not its own normal form: %q, %v", again, err)
			}
		})
	}
}

func FuzzNormalLicenseNumber(f *testing.F) {
	for i, s := range []string{"632923", "MB-747105", "0340-22-106125", "39-00123", "1A-1143621"} {
		f.Add(i, s)
	}
	f.Fuzz(func(t *testing.T, state int, number string) {
		s := States[uint(state)%uint(len(States))]
		normal, err := NormalLicenseNumber(s, number)
		if err != nil {
			return
		}
		if again, err := NormalLicenseNumber(s, normal); err != nil || again != normal {
			t.Errorf("%s %q → %q → %q, %v", s, number, normal, again, err)
		}
	})
}

// Nothing a client sends may appear in a key, and keys hold only what JetStream allows.
func TestCacheKeys(t *testing.T) {
	legal := regexp.MustCompile(`^[-/_=.a-zA-Z0-9]+$`)
	hostile := "*.>  $JS.API\r\n\x00é"
	keys := map[CacheKey]bool{}
	for _, env := range Environments {
		for _, k := range []CacheKey{
			SurchargeKey(env, ODFL),
			LicenseKey(env, LicenseRequest{State: CA, Number: hostile}),
			LicenseKey(env, LicenseRequest{State: TX, Number: hostile}),
			SearchKey(env, SearchRequest{State: CA, Query: Query{DBAName: hostile}}),
			SearchKey(env, SearchRequest{State: CA, Query: Query{OwnerName: hostile}}),
			SearchKey(env, SearchRequest{State: CA, Query: Query{DBAName: "a", OwnerName: "b"}}),
			SearchKey(env, SearchRequest{State: CA, Query: Query{DBAName: "ab"}}),
		} {
			if !legal.MatchString(string(k)) {
				t.Errorf("%q holds characters that a key may not", k)
			}
			if keys[k] {
				t.Errorf("%q stands for two questions", k)
			}
			keys[k] = true
		}
	}
}

func TestParseCodes(t *testing.T) {
	for text, want := range map[string][]State{"": nil, "il": {IL}, "NY, ca,,CA tx": {CA, TX, NY}} {
		if got, err := ParseCodes(text, States); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	if _, err := ParseCodes("CA,NV", States); err == nil || !strings.Contains(err.Error(), `"NV"`) {
		t.Errorf("an unknown code: %v", err)
	}
}

func TestDates(t *testing.T) {
	if _, err := ParseDate("2026-02-30"); err == nil {
		t.Error("February 30 was accepted")
	}
	d, err := ParseDate("2026-09-09")
	if err != nil {
		t.Fatal(err)
	}
	if got := d.AddDays(-9); got != "2026-08-31" || d.DaysSince(got) != 9 {
		t.Errorf("9 days before %s: %s", d, got)
	}
	var s Suspension
	if err := json.Unmarshal([]byte(`{"start_date":"2026-01-02","end_date":null}`), &s); err != nil || s.StartDate != "2026-01-02" || s.EndDate != "" {
		t.Errorf("%+v, %v", s, err)
	}
	if text, _ := json.Marshal(s); string(text) != `{"start_date":"2026-01-02","end_date":null,"reason":""}` {
		t.Errorf("%s", text)
	}
	if json.Unmarshal([]byte(`{"start_date":"01/02/2026"}`), &s) == nil {
		t.Error("a date in another form was accepted")
	}
}

func TestBucketsAndStreamsAreNamedOnce(t *testing.T) {
	names := map[string]bool{MirrorsStore: true}
	for _, b := range Buckets {
		if names[b.Name] || b.MaxBytes <= 0 || b.History == 0 {
			t.Errorf("bucket %+v: named twice, or without a bound", b)
		}
		names[b.Name] = true
	}
	for _, s := range Streams {
		if names[s.Name] || s.MaxBytes <= 0 {
			t.Errorf("stream %+v: named twice, or without a bound", s)
		}
		names[s.Name] = true
	}
}
