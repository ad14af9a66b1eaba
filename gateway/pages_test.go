package gateway_test

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strconv"
	"testing"

	"assay.dev/contracts"
)

const searchPath = "/v1/abc/search?state=CA&dba_name=bar"

// searchKey is where the answer to searchPath is stored.
var searchKey = contracts.SearchKey(contracts.Test, contracts.SearchRequest{State: contracts.CA, Query: contracts.Query{DBAName: "bar"}})

// licenses are n matches with the numbers from first on.
func licenses(first, n int) *[]contracts.LicenseRecord {
	var all []contracts.LicenseRecord
	for i := range n {
		all = append(all, record(strconv.Itoa(first+i)))
	}
	return &all
}

// page is one page of a search, which must be answered 200.
func (g *runningGateway) page(key, target, cursor string) contracts.Search {
	g.t.Helper()
	if cursor != "" {
		target += "&cursor=" + url.QueryEscape(cursor)
	}
	r := g.get(key, target)
	if r.StatusCode != 200 {
		g.t.Fatalf("%s: %d %s", target, r.StatusCode, r.body)
	}
	return decode[contracts.Search](g.t, r.body)
}

// numbersOf walks a search to its end.
func (g *runningGateway) numbersOf(key, target string, eachPage func(contracts.Search)) []string {
	g.t.Helper()
	var numbers []string
	for cursor := ""; ; {
		page := g.page(key, target, cursor)
		for _, r := range page.Results {
			numbers = append(numbers, r.LicenseNumber)
		}
		eachPage(page)
		if page.NextCursor == nil {
			return numbers
		}
		if cursor = *page.NextCursor; len(numbers) > 10_000 {
			g.t.Fatal("the pages do not end")
		}
	}
}

func TestAllMatchesAreReached(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		matches, whole int // whole: how many one answer of the worker holds
		limit          string
		pages          int
		asked          int64 // how often the worker is
	}{
		"none":                            {0, 0, "", 1, 1},
		"one page":                        {100, 0, "", 1, 1},
		"one more than a page":            {101, 0, "", 2, 1},
		"a whole answer in small pages":   {25, 0, "&limit=10", 3, 1},
		"pages of one":                    {5, 0, "&limit=1", 5, 1},
		"answers in parts":                {25, 10, "&limit=5", 5, 4}, // 10, and each page beyond by itself
		"parts that no page ends with":    {25, 10, "&limit=4", 7, 6},
		"a page larger than a worker has": {25, 10, "&limit=20", 3, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSystem(t)
			w := s.worker(contracts.Test)
			w.matches.Store(licenses(9_990, c.matches)) // 9999 comes before 10000
			w.whole.Store(int64(c.whole))
			g, pages := s.gateway(), 0
			key := s.key()
			numbers := g.numbersOf(key, searchPath+c.limit, func(p contracts.Search) {
				pages++
				s.awaitStored(searchKey) // else the next page may ask for it again
				if p.TotalResults != c.matches {
					t.Errorf("total %d", p.TotalResults)
				}
			})
			if len(numbers) != c.matches || pages != c.pages || w.asked.Load() != c.asked {
				t.Errorf("%d matches in %d pages, %d requests to the worker; want %d in %d, %d", len(numbers), pages, w.asked.Load(), c.matches, c.pages, c.asked)
			}
			for i, number := range numbers {
				if number != strconv.Itoa(9_990+i) {
					t.Fatalf("match %d is %s", i, number)
				}
			}
		})
	}
}

// A newer edition has lost the license that the cursor names, and others before and after it.
func TestPagesGoOnInANewerEdition(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	w := s.worker(contracts.Test)
	w.matches.Store(licenses(100, 20))
	key := s.key()
	first := s.gateway().page(key, searchPath+"&limit=10", "")
	if len(first.Results) != 10 || first.NextCursor == nil {
		t.Fatalf("%+v", first)
	}
	s.awaitStored(searchKey) // else it may be stored after the purge
	newer := append(*licenses(90, 5), append(*licenses(110, 5), *licenses(200, 3)...)...)
	w.matches.Store(&newer)
	answers, err := s.js.KeyValue(t.Context(), contracts.AnswersBucket.Name)
	if err != nil {
		t.Fatal(err)
	}
	if err := answers.Delete(t.Context(), string(searchKey)); err != nil {
		t.Fatal(err)
	}
	second := s.gateway().page(key, searchPath+"&limit=10", *first.NextCursor)
	var numbers []string
	for _, r := range second.Results {
		numbers = append(numbers, r.LicenseNumber)
	}
	if fmt.Sprint(numbers) != "[110 111 112 113 114 200 201 202]" || second.TotalResults != 13 || second.NextCursor != nil {
		t.Errorf("%v of %d", numbers, second.TotalResults)
	}
}

func TestCursorsOfOtherSearches(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	for _, env := range []contracts.Environment{contracts.Test, contracts.Live} {
		s.worker(env).matches.Store(licenses(100, 20))
	}
	g, key := s.gateway(), s.key()
	cursor := *g.page(key, searchPath+"&limit=10", "").NextCursor
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		t.Fatal(err)
	}
	last := append([]byte{}, raw...)
	last[len(last)-1]++
	for name, c := range map[string]struct{ key, target, cursor string }{
		"another filter":      {key, "/v1/abc/search?state=CA&dba_name=bars", cursor},
		"a further filter":    {key, searchPath + "&address=main", cursor},
		"the other field":     {key, "/v1/abc/search?state=CA&owner_name=bar", cursor},
		"another state":       {key, "/v1/abc/search?state=NY&dba_name=bar", cursor},
		"another environment": {s.key(live), searchPath, cursor},
		"cut":                 {key, searchPath, cursor[:len(cursor)-4]},
		"longer":              {key, searchPath, cursor + "AAAA"},
		"another position":    {key, searchPath, base64.RawURLEncoding.EncodeToString(last)},
		"no base64":           {key, searchPath, "!" + cursor},
		"empty":               {key, searchPath, ""},
		"blank":               {key, searchPath, " "},
		"a word":              {key, searchPath, "next"},
		"a number":            {key, searchPath, "100"},
	} {
		t.Run(name, func(t *testing.T) {
			r := g.get(c.key, c.target+"&cursor="+url.QueryEscape(c.cursor))
			if r.StatusCode != 422 || r.violations() != "query.cursor cursor" {
				t.Errorf("%d %s", r.StatusCode, r.body)
			}
		})
	}
	if p := g.page(key, searchPath+"&limit=3", cursor); len(p.Results) != 3 || p.Results[0].LicenseNumber != "110" {
		t.Errorf("with another limit: %+v", p.Results)
	}
	for limit, kind := range map[string]string{"0": "greater_than_equal", "101": "less_than_equal", "ten": "int_parsing", "": "int_parsing"} {
		if r := g.get(key, searchPath+"&limit="+limit); r.violations() != "query.limit "+kind {
			t.Errorf("limit %q: %s", limit, r.body)
		}
	}
}

// A search by the tool has 10 results, and its cursor goes on with the same.
func TestToolsHavePages(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Test).matches.Store(licenses(100, 25))
	g, key := s.gateway(), s.key()
	session := g.agent(stateless, "/mcp/abc", key)
	ask := func(arguments map[string]any) contracts.Search {
		arguments["state"], arguments["dba_name"] = "CA", "bar"
		r := call(t, session, "search_licenses", arguments)
		if r.IsError {
			t.Fatal(textOf(t, r))
		}
		return decode[contracts.Search](t, []byte(textOf(t, r)))
	}
	first := ask(map[string]any{})
	if len(first.Results) != 10 || first.TotalResults != 25 || first.NextCursor == nil {
		t.Fatalf("%d of %d", len(first.Results), first.TotalResults)
	}
	if second := ask(map[string]any{"cursor": *first.NextCursor, "limit": 100}); len(second.Results) != 15 || second.NextCursor != nil {
		t.Errorf("%d results, then %v", len(second.Results), second.NextCursor)
	}
	if all := ask(map[string]any{"limit": 100, "cursor": nil}); len(all.Results) != 25 {
		t.Errorf("%d results", len(all.Results))
	}
}
