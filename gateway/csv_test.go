package gateway_test

import (
	"encoding/csv"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/platform/csvrow"
)

const csvType = "text/csv; charset=utf-8; header=present"

// rows are a CSV answer's rows as a reader that is not ours sees them: a map from column to cell each.
func (r *response) rows(t *testing.T) []map[string]string {
	t.Helper()
	if r.StatusCode != http.StatusOK || r.Header.Get("Content-Type") != csvType {
		t.Fatalf("%d %s %.300s", r.StatusCode, r.Header.Get("Content-Type"), r.body)
	}
	cells, err := csv.NewReader(strings.NewReader(string(r.body))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]string
	for _, line := range cells[1:] {
		row := map[string]string{}
		for i, name := range cells[0] {
			row[name] = line[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// checkRow compares the cells that are named.
func checkRow(t *testing.T, row, want map[string]string) {
	t.Helper()
	for name, cell := range want {
		if got, ok := row[name]; !ok || got != cell {
			t.Errorf("%s is %q (there: %t), want %q", name, got, ok, cell)
		}
	}
}

func TestCSVOfLists(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	w := s.worker(contracts.Test)
	broken := contracts.RLC
	w.broken.Store(&broken)
	matches := []contracts.LicenseRecord{record("1"), record("2")}
	matches[0].DBAName = "=HYPERLINK(\"http://x\")"
	matches[0].Suspensions = []contracts.Suspension{{StartDate: "2026-01-01", Reason: "SALE"}}
	w.matches.Store(&matches)
	g := s.gateway()
	key := g.key()

	t.Run("weeks", func(t *testing.T) {
		rows := g.get(key, surchargePath+"?carriers=ODFL,RLC,ABF&weeks=2&format=csv").rows(t)
		if len(rows) != 5 {
			t.Fatalf("%d rows: %v", len(rows), rows)
		}
		checkRow(t, rows[1], map[string]string{
			"carrier": "ODFL", "effective_date": "2026-09-14", "fuel_surcharge_pct": "46.5", "doe_diesel_price_usd": "3.75",
			"_verifiability_extraction_method": "structured_parse", "_verifiability_notes": "[]", "error": "", "message": "",
		})
		checkRow(t, rows[2], map[string]string{"carrier": "ABF", "doe_diesel_price_usd": ""})
		checkRow(t, rows[4], map[string]string{
			"carrier": "RLC", "effective_date": "", "fuel_surcharge_pct": "", "error": "SOURCE_UNAVAILABLE",
			"message": "RLC's page cannot be read at the moment",
		})
	})
	t.Run("licenses", func(t *testing.T) {
		rows := g.get(key, "/v1/abc/search?state=CA&dba_name=bar&limit=2&format=csv").rows(t)
		if len(rows) != 2 {
			t.Fatalf("%d rows: %v", len(rows), rows)
		}
		checkRow(t, rows[0], map[string]string{
			"state": "CA", "query_dba_name": "bar", "total_results": "2", "license_number": "1", "dba_name": "'=HYPERLINK(\"http://x\")",
			"address_city": "TOWN", "suspensions": `[{"start_date":"2026-01-01","end_date":null,"reason":"SALE"}]`, "next_cursor": "",
		})
	})
	t.Run("no licenses", func(t *testing.T) {
		w.matches.Store(&[]contracts.LicenseRecord{})
		rows := g.get(key, "/v1/abc/search?state=CA&dba_name=none&format=csv").rows(t)
		if len(rows) != 1 {
			t.Fatalf("%d rows: %v", len(rows), rows)
		}
		checkRow(t, rows[0], map[string]string{"total_results": "0", "license_number": "", "_verifiability_complete": "false"})
	})
	t.Run("one license", func(t *testing.T) {
		rows := g.get(key, "/v1/abc/license/632923?state=CA&format=csv").rows(t)
		if len(rows) != 1 {
			t.Fatalf("%d rows: %v", len(rows), rows)
		}
		checkRow(t, rows[0], map[string]string{"state": "CA", "license_number": "632923", "address_city": "TOWN", "status": "ACTIVE", "suspensions": "[]"})
	})
}

// Which form an answer has, and what the headers say of it.
func TestCSVIsNegotiated(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Test)
	g := s.gateway()
	key, path := g.key(), surchargePath+"?carriers=ODFL&weeks=1"
	for name, c := range map[string]struct{ query, accept, mediaType string }{
		"neither":                  {"", "", "application/json"},
		"Accept":                   {"", "text/csv", csvType},
		"Accept in any case":       {"", "Text/CSV;charset=utf-8", csvType},
		"Accept both, CSV first":   {"", "text/csv, application/json", csvType},
		"Accept both, JSON first":  {"", "application/json, text/csv", "application/json"},
		"Accept CSV less":          {"", "text/csv;q=0.5, application/json;q=0.9", "application/json"},
		"Accept CSV more":          {"", "application/json;q=0.5, text/csv;q=0.9", csvType},
		"Accept CSV and all else":  {"", "text/csv, */*;q=0.1", csvType},
		"Accept no CSV":            {"", "text/csv;q=0", "application/json"},
		"Accept anything":          {"", "*/*", "application/json"},
		"format":                   {"&format=csv", "", csvType},
		"format wins for CSV":      {"&format=csv", "application/json", csvType},
		"format wins for JSON":     {"&format=json", "text/csv", "application/json"},
		"Accept what is not there": {"", "text/html", "application/json"},
	} {
		t.Run(name, func(t *testing.T) {
			r := g.get(key, path+c.query, "Accept", c.accept)
			if r.StatusCode != 200 || r.Header.Get("Content-Type") != c.mediaType || r.vary() != byCaller+", Accept" {
				t.Errorf("%d %q, Vary %q, want %q", r.StatusCode, r.Header.Get("Content-Type"), r.vary(), c.mediaType)
			}
		})
	}
	for _, format := range []string{"", "xml", "CSV", "csv&format=csv"} {
		if r := g.get(key, path+"&format="+format, "Accept", "text/csv"); !strings.Contains(r.violations(), "query.format") ||
			r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("format=%s: %d %s", format, r.StatusCode, r.body)
		}
	}
	asJSON, asCSV := g.get(key, path), g.get(key, path+"&format=csv")
	if asJSON.Header.Get("ETag") == asCSV.Header.Get("ETag") {
		t.Error("both forms have one ETag")
	}
	if r := g.get(key, path, "Accept", "text/csv", "If-None-Match", asCSV.Header.Get("ETag")); r.StatusCode != 304 || r.vary() != byCaller+", Accept" {
		t.Errorf("the CSV's own ETag: %d, Vary %q", r.StatusCode, r.vary())
	}
	if r := g.get(key, path, "Accept", "text/csv", "If-None-Match", asJSON.Header.Get("ETag")); r.StatusCode != 200 {
		t.Errorf("the JSON's ETag for the CSV: %d", r.StatusCode)
	}
}

// A key may be the user name of HTTP Basic, and is asked for so only where a spreadsheet asks.
func TestKeyByBasic(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Test)
	g := s.gateway()
	key, path := g.key(), surchargePath+"?carriers=ODFL&weeks=1&format=csv"
	basic := func(user string) string {
		r, _ := http.NewRequest(http.MethodGet, "/", nil)
		r.SetBasicAuth(user, "")
		return r.Header.Get("Authorization")
	}
	for name, c := range map[string]struct {
		key, authorization, site string
		status                   int
	}{
		"by Basic":                 {"", basic(key), "", 200},
		"by a person in a browser": {"", basic(key), "none", 200},
		"by a page of ours":        {"", basic(key), "same-origin", 200},
		"by another site":          {"", basic(key), "cross-site", 401},
		"by another one beside us": {"", basic(key), "same-site", 401},
		"a key from another site":  {key, basic("test_wrong"), "cross-site", 200},
		"X-API-Key wins":           {key, basic("test_wrong"), "", 200},
		"a wrong X-API-Key wins":   {"test_wrong", basic(key), "", 401},
		"a wrong user name":        {"", basic("test_wrong"), "", 401},
		"no user name":             {"", basic(""), "", 401},
		"not Basic":                {"", "Bearer " + key, "", 401},
		"damaged":                  {"", "Basic !", "", 401},
	} {
		t.Run(name, func(t *testing.T) {
			headers := []string{"Authorization", c.authorization}
			if c.site != "" {
				headers = append(headers, "Sec-Fetch-Site", c.site)
			}
			r := g.get(c.key, path, headers...)
			if r.StatusCode != c.status {
				t.Errorf("%d %s", r.StatusCode, r.body)
			}
			if challenge := r.Header.Get("WWW-Authenticate"); (c.status == 401) != strings.HasPrefix(challenge, "Basic ") {
				t.Errorf("%d with the challenge %q", r.StatusCode, challenge)
			}
		})
	}
	for _, target := range []string{surchargePath, surchargePath + "?format=json", "/health", "/v1/ltl/accessorials?format=csv", "/nothing?format=csv"} {
		if r := g.get("", target); strings.Contains(strings.Join(r.Header.Values("WWW-Authenticate"), " "), "Basic") {
			t.Errorf("%s asks for Basic", target)
		}
	}
	if r := g.get("", surchargePath, "Accept", "text/csv"); !strings.HasPrefix(r.Header.Get("WWW-Authenticate"), "Basic ") {
		t.Errorf("the challenge of a request that accepts CSV: %q", r.Header.Values("WWW-Authenticate"))
	}
}

// Every answer that may be CSV takes bom=1, and is otherwise the same.
func TestByteOrderMarkOfAllCSV(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Test)
	s.tariffWorker(contracts.Test)
	s.matchWorker(contracts.Test)
	s.membersWorker(contracts.Test)
	s.describeSources()
	g := s.gateway()
	key := g.key()
	g.putCSV(key, "bars", licenseList(1, 3))
	asked := map[string]string{
		surchargePath: "carriers=ODFL&weeks=1", "/v1/ltl/carriers": "", "/v1/ltl/fuel-tables": "carrier=ESTES", "/v1/ltl/diesel": "from=2026-09-01&to=2026-09-22",
		"/v1/abc/states": "", "/v1/abc/search": "state=CA&dba_name=bar", "/v1/abc/license/632923": "state=CA", "/v1/changes": "",
		portfoliosPath: "", portfoliosPath + "/bars": "", portfoliosPath + "/bars/stops": "",
		auditPath: "tolerance_points=1", auditPath + "?dry_run=1": "", matchPath: "totals=0", matchPath + "?dry_run=1": "",
		deliveryPath: "totals=0", deliveryPath + "?dry_run=1": "", deliveryPath + "?state=CA&license_number=632923": "",
		auditsPath + "/" + g.post(key, auditPath+"?keep=1", "text/csv", auditFile(3)).Header.Get(api.HeaderAuditID): "totals=0",
	}
	for list, number := range map[string]string{"NY-101-aa": "0340-22-106125", "NY-101-aaa": "0340-22-106125", "FL-561.42": "BEV3900123", "IL-100.90": "1A-1143621"} {
		asked["/v1/abc/holds/"+list] = ""
		g.sendBody(http.MethodPut, key, "/v1/abc/holds/"+list+"?date=2026-09-18", "text/csv", "license_number\r\n"+number+"\r\n")
	}
	for path, query := range asked {
		path, mode, _ := strings.Cut(path, "?")
		get := func(further string) *response {
			switch target := path + "?" + mode + "&" + query + further; path {
			case auditPath:
				return g.post(key, target, "text/csv", auditFile(3))
			case matchPath:
				return g.post(key, target, "text/csv", customerList(3))
			case deliveryPath:
				if !strings.Contains(mode, "state=") {
					return g.post(key, target, "text/csv", deliveryList(3))
				}
				return g.get(key, target+"&format=csv")
			default:
				return g.get(key, target+"&format=csv")
			}
		}
		plain, marked, without := get(""), get("&bom=1"), get("&bom=0")
		if plain.Header.Get("Content-Type") != csvType || string(marked.body) != csvrow.ByteOrderMark+string(plain.body) || string(without.body) != string(plain.body) {
			t.Errorf("%s: %.100q, with bom=1 %d %.100q", path, plain.body, marked.StatusCode, marked.body)
		}
		if etag := plain.Header.Get("ETag"); etag != "" && etag == marked.Header.Get("ETag") {
			t.Errorf("%s: both forms have one ETag", path)
		}
	}
	for _, e := range api.Endpoints { // an endpoint that is new here needs a question above
		prefix, _, _ := e.Route()
		isCSV := e.Table != nil || slices.ContainsFunc(e.Forms, func(f api.Form) bool { return f.Reply == csvType })
		if isAsked := func(path string) bool { return strings.HasPrefix(path, prefix) }; isCSV && !slices.ContainsFunc(slices.Collect(maps.Keys(asked)), isAsked) {
			t.Errorf("%s is not asked", e.Path)
		}
	}
	if r := g.get(key, "/v1/ltl/diesel?from=2026-09-01&to=2026-09-22&bom=1"); r.StatusCode != 200 || !strings.HasPrefix(string(r.body), "{") {
		t.Errorf("bom=1 of JSON: %d %.100q", r.StatusCode, r.body)
	}
}
