package sandbox

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"assay.dev/contracts"
)

var update = flag.Bool("update", false, "write the table of faults into docs/run.md")

// serveAdmin serves the admin address below /sandbox/, as assay up does.
func serveAdmin(t *testing.T) (*Sandbox, *httptest.Server) {
	t.Helper()
	s, _ := start(t, nil)
	mux := http.NewServeMux()
	mux.Handle("/sandbox/", http.StripPrefix("/sandbox", s.Admin()))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return s, server
}

func TestTheIndexNamesEverything(t *testing.T) {
	s, server := serveAdmin(t)
	status, body := read(t, server.Client(), server.URL+"/sandbox/")
	if status != http.StatusOK {
		t.Fatalf("status %d\n%s", status, body)
	}
	want := append(kindNames(), "www.saia.com", "ilcc.illinois.gov")
	for _, state := range contracts.States {
		for _, example := range s.Licensing().Examples(state) {
			want = append(want, example.Number+"</code> "+string(example.Primary.Status))
		}
	}
	for _, text := range want {
		if !strings.Contains(body, text) {
			t.Errorf("the index lacks %s", text)
		}
	}
	page, err := goquery.NewDocumentFromReader(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	links := 0
	for _, link := range page.Find("a").EachIter() {
		target, _ := link.Attr("href")
		if status, _ := read(t, server.Client(), server.URL+"/sandbox/"+target); status != http.StatusOK {
			t.Errorf("link %s: status %d", target, status)
		}
		links++
	}
	if links < 12 {
		t.Errorf("only %d links", links)
	}
}

func TestEveryStateHasExamples(t *testing.T) {
	s, _ := start(t, nil)
	for _, state := range contracts.States {
		examples := s.Licensing().Examples(state)
		if len(examples) < 2 || examples[0].Primary.Status != contracts.Active {
			t.Errorf("%s: %d examples, the first is %s", state, len(examples), examples[0].Primary.Status)
		}
	}
}

// TestPagesOfOtherOriginsChangeNothing sends what a browser sends for a page of another site.
func TestPagesOfOtherOriginsChangeNothing(t *testing.T) {
	s, server := serveAdmin(t)
	for origin, want := range map[string]int{"": http.StatusCreated, server.URL: http.StatusCreated,
		"https://evil.example": http.StatusForbidden} {
		s.ClearFaults()
		r, err := http.NewRequest(http.MethodPost, server.URL+"/sandbox/faults",
			strings.NewReader(`{"host":"www.saia.com","fault":"down"}`))
		if err != nil {
			t.Fatal(err)
		}
		if origin != "" {
			r.Header.Set("Origin", origin)
		}
		response, err := server.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if set := len(s.proxy.faults.all()); response.StatusCode != want || (set == 1) != (want == http.StatusCreated) {
			t.Errorf("origin %q: status %d, %d faults", origin, response.StatusCode, set)
		}
	}
}

const runDocument = "../docs/run.md"

// TestFaultsAreDocumented holds the table in docs/run.md to the one in code: `go test -run Documented -update`
// writes it.
func TestFaultsAreDocumented(t *testing.T) {
	var table strings.Builder
	table.WriteString("| fault | what a client sees |\n|---|---|\n")
	for _, f := range faultKinds {
		fmt.Fprintf(&table, "| `%s` | %s |\n", f.Kind, strings.ReplaceAll(f.Means, "|", "\\|"))
	}
	text, err := os.ReadFile(runDocument)
	if err != nil {
		t.Fatal(err)
	}
	between := regexp.MustCompile(`(?s)(<!-- faults -->\n).*(<!-- end of faults -->)`)
	want := between.ReplaceAllLiteral(text, []byte("<!-- faults -->\n"+table.String()+"<!-- end of faults -->"))
	if *update {
		if err := os.WriteFile(runDocument, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !between.Match(text) || string(want) != string(text) {
		t.Errorf("the table of faults in %s is old: go test ./sandbox -run Documented -update", runDocument)
	}
}
