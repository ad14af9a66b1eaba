package abcworker

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/register/registertest"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
	"assay.dev/sandbox/california"
	"assay.dev/sandbox/captcha"
	"assay.dev/sandbox/florida"
	"assay.dev/sandbox/illinois"
	"assay.dev/sandbox/license"
	"assay.dev/sandbox/newyork"
	"assay.dev/sandbox/opendata"
	"assay.dev/sandbox/texas"
)

// caseDocument is a question to one path of a state, what its sites serve, and what a careful person reads there: a directory
// with case.json and the files that it names. What it does not name is served by the sandbox, such as an empty form.
type caseDocument struct {
	name, dir string
	State     contracts.State    `json:"state"`
	Path      string             `json:"path"` // as [register.Asking] is called
	Operation register.Operation `json:"operation"`
	Number    string             `json:"number"`
	Query     contracts.Query    `json:"query"`
	Now       time.Time          `json:"now"`
	Kind      string             `json:"kind"` // "plain" or "trap"
	Why       string             `json:"why"`
	Serve     []served           `json:"serve"`
	// Want are the records that a careful person finds, with the members that are judged; nil: nothing can be said, or need be.
	Want []json.RawMessage `json:"want"`
	// Absent says that the source proves that there is no such license.
	Absent bool `json:"absent"`
}

// served is a file that answers requests whose method and URL hold these texts. A CSV file is packed where a zip is asked for.
type served struct {
	Method, URL, File, Type string
	Status                  int
	Header                  map[string]string
}

func caseDocuments(t testing.TB, dir string) (all []caseDocument) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*", "case.json"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no documents in", dir, err)
	}
	for _, path := range paths {
		d := caseDocument{dir: filepath.Dir(path), name: filepath.Base(filepath.Dir(path))}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &d); err != nil {
			t.Fatal(path, err)
		}
		all = append(all, d)
	}
	return all
}

// dataset has the rows of the file ID.json of the case, else those of the sandbox.
func (d caseDocument) dataset(t testing.TB, of opendata.Dataset) opendata.Dataset {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(d.dir, of.ID+".json"))
	if errors.Is(err, fs.ErrNotExist) {
		return of
	}
	var all []map[string]string
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range all {
		for column := range one {
			if !slices.Contains(of.Columns, column) {
				of.Columns = append(of.Columns, column)
			}
		}
	}
	var rows []opendata.Row
	for _, one := range all {
		var row opendata.Row
		for _, column := range of.Columns {
			row = append(row, one[column])
		}
		rows = append(rows, row)
	}
	of.Rows = func() []opendata.Row { return rows }
	return of
}

// site serves the files of the case, and what they do not answer as the sandbox does.
func (d caseDocument) site(t testing.TB, sandbox http.Handler) http.Handler {
	t.Helper()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, s := range d.Serve {
			if s.Method != "" && s.Method != r.Method || !strings.Contains(r.Host+r.URL.String(), s.URL) {
				continue
			}
			body, err := os.ReadFile(filepath.Join(d.dir, s.File))
			if err != nil {
				t.Error(err)
				w.WriteHeader(http.StatusInternalServerError)
				return
			}
			if strings.HasSuffix(r.URL.Path, ".zip") && strings.HasSuffix(s.File, ".csv") {
				var archive bytes.Buffer
				zipped(func(w io.Writer) { _, _ = w.Write(body) })(&archive)
				body = archive.Bytes()
			}
			if s.Type != "" {
				w.Header().Set("Content-Type", s.Type)
			}
			for name, value := range s.Header {
				w.Header().Set(name, value)
			}
			w.WriteHeader(max(s.Status, http.StatusOK))
			_, _ = w.Write(body)
			return
		}
		sandbox.ServeHTTP(w, r)
	})
}

func (d caseDocument) read(t *testing.T) (scrape.Reading[register.Answer], error) {
	t.Helper()
	sizes := license.Sizes{}
	for _, s := range contracts.States {
		sizes[s] = 40
	}
	now := func() time.Time { return d.Now }
	licenses, book := license.New(contracts.DateOf(d.Now), sizes), captcha.NewBook(1)
	datasets := newyork.Datasets(licenses)
	for i := range datasets {
		datasets[i] = d.dataset(t, datasets[i])
	}
	hosts := map[string]http.Handler{
		california.Host:     california.New(licenses, now),
		texas.Host:          texas.New(licenses, book, texas.Options{}),
		texas.DataHost:      opendata.NewSoda(d.Now, d.dataset(t, texas.Dataset(licenses))),
		newyork.DataHost:    opendata.NewSoda(d.Now, datasets...),
		newyork.MapHost:     newyork.Map(licenses),
		florida.Host:        florida.New(licenses),
		florida.ExtractHost: florida.NewExtracts(licenses, now),
		illinois.Host:       illinois.New(licenses, func(*http.Request) bool { return false }, now),
	}
	for host := range hosts {
		hosts[host] = d.site(t, hosts[host])
	}
	deps := registertest.Deps(t, hosts)
	deps.Clock = now
	deps.Solve = registertest.Solver(book.Read)
	deps.Render = rendersAs(d.site(t, illinois.New(licenses, func(*http.Request) bool { return true }, now)))
	recipe := Recipes[d.State](deps)
	for _, path := range recipe.Paths(d.Operation) {
		if path.Name != d.Path {
			continue
		}
		question := registertest.Query(d.Query)
		if d.Operation == register.Lookup {
			number, err := contracts.NormalLicenseNumber(d.State, d.Number)
			if err != nil {
				t.Fatal(d.name, err)
			}
			question = registertest.Number(number)
		}
		return path.Read(t.Context(), question)
	}
	t.Fatalf("%s: no path %q", d.name, d.Path)
	panic("unreachable")
}

const verdictOK, verdictRefused = "ok", "refused"

// outcome reads the case. An answer at 0.90 or more is wrong when it says something else than is wanted in a member that it does
// not name as inferred or not reported; below 0.90 the same is misleading. Of a trap nothing need be read.
func (d caseDocument) outcome(t *testing.T) (verdict, detail string) {
	t.Helper()
	a, err := d.read(t)
	if err != nil {
		if d.Kind == "trap" || d.Want == nil && !d.Absent {
			return verdictOK, err.Error()
		}
		return verdictRefused, err.Error()
	}
	detail = d.differs(a.Value)
	switch {
	case detail == "":
		return verdictOK, ""
	case d.Kind == "trap" && a.Confidence() < contracts.MinConfidence:
		return verdictOK, detail
	case a.Confidence() >= contracts.MinConfidence:
		return "WRONG", fmt.Sprintf("at %v: %s", a.Confidence(), detail)
	}
	return "misled", fmt.Sprintf("at %v: %s", a.Confidence(), detail)
}

func (d caseDocument) differs(a register.Answer) string {
	if len(d.Want) == 0 && len(a.Records) == 0 {
		if d.Absent {
			return ""
		}
		return "says that there is none"
	}
	got := map[string]contracts.LicenseRecord{}
	for _, r := range a.Records {
		got[r.LicenseNumber] = r
	}
	for _, text := range d.Want {
		var number struct {
			Number string `json:"license_number"`
		}
		var members, have map[string]any
		if err := errors.Join(json.Unmarshal(text, &number), json.Unmarshal(text, &members)); err != nil {
			return err.Error()
		}
		r, ok := got[number.Number]
		if !ok {
			return fmt.Sprintf("%s is denied or left out", number.Number)
		}
		delete(got, number.Number)
		if err := json.Unmarshal([]byte(registertest.Show(r)), &have); err != nil {
			return err.Error()
		}
		for _, member := range slices.Sorted(maps.Keys(members)) {
			known := !slices.Contains(r.Inferred, member) && !slices.Contains(r.NotReported, member)
			if known && !holds(have[member], members[member]) {
				return fmt.Sprintf("%s: %s is %s, want %s", number.Number, member, registertest.Show(have[member]), registertest.Show(members[member]))
			}
		}
	}
	if len(got) > 0 {
		return fmt.Sprintf("not wanted: %v", slices.Sorted(maps.Keys(got)))
	}
	return ""
}

// holds tells whether a value is the wanted one. Of an object only the wanted members are compared.
func holds(have, want any) bool {
	switch want := want.(type) {
	case map[string]any:
		object, ok := have.(map[string]any)
		for name, member := range want {
			ok = ok && holds(object[name], member)
		}
		return ok
	case []any:
		list, ok := have.([]any)
		return ok && slices.EqualFunc(list, want, holds)
	}
	return have == want
}

// caseSets are the directories of testdata with such cases, each with a note of its origin.
var caseSets = []string{"first-author", "second-author", "third-author", "fourth-author", "fifth-author", "sixth-author", "seventh-author"}

// refusedYet are plain cases that are not answered yet. One that is must leave the list.
var refusedYet = map[string]bool{
	"third-author/ca-page-15-list": true, // its author guessed the columns of the list of hits
}

func TestCaseDocuments(t *testing.T) {
	t.Parallel()
	for _, set := range caseSets {
		for _, d := range caseDocuments(t, filepath.Join("testdata", set)) {
			t.Run(set+"/"+d.name, func(t *testing.T) {
				t.Parallel()
				want := verdictOK
				if refusedYet[set+"/"+d.name] {
					want = verdictRefused
				}
				if verdict, detail := d.outcome(t); verdict != want {
					t.Errorf("%s: %s\n%s", verdict, d.Why, detail)
				}
			})
		}
	}
}

var documentsDir = flag.String("documents", "", "a directory of cases that TestCaseDocumentsOf measures")

// TestCaseDocumentsOf measures the reading of licenses on a directory of cases: go test . -run TestCaseDocumentsOf -v -documents=DIR
func TestCaseDocumentsOf(t *testing.T) {
	if *documentsDir == "" {
		t.Skip("no -documents=DIR")
	}
	counts := map[string]int{}
	for _, d := range caseDocuments(t, *documentsDir) {
		verdict, detail := d.outcome(t)
		counts[d.Kind+" "+verdict]++
		t.Logf("%-7s %-5s %s/%s %-40s %s", verdict, d.Kind, d.State, d.Path, d.name, detail)
		if verdict != verdictOK {
			t.Logf("          (%s)", d.Why)
		}
	}
	t.Log(counts)
}

// zipped is an archive of one CSV file.
func zipped(write func(io.Writer)) func(io.Writer) {
	return func(out io.Writer) {
		archive := zip.NewWriter(out)
		archive.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) })
		file, err := archive.Create("export.csv")
		if err != nil {
			panic(err)
		}
		write(file)
		if err := archive.Close(); err != nil {
			panic(err)
		}
	}
}
