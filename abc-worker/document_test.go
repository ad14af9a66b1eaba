package abcworker

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/tools/txtar"

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

// caseDocument is a question to one path of a state, what its sites serve, and what a careful person reads there, as
// testdata/STATE-PATH.txtar has it: NAME with the members below, and behind it its files as NAME/FILE. What it does not
// name is served by the sandbox, such as an empty form. testdata/README.md says which ones are taken in.
type caseDocument struct {
	name      string // STATE-PATH/NAME
	state     contracts.State
	path      string // as [register.JudgedPath] is called
	files     map[string][]byte
	Why       string             `json:"why"`
	Kind      string             `json:"kind"` // "plain" or "trap"
	Operation register.Operation `json:"operation"`
	Number    string             `json:"number"`
	Query     contracts.Query    `json:"query"`
	Now       time.Time          `json:"now"`
	Serve     []served           `json:"serve"`
	// Want are the records that a careful person finds, with the members that are judged; nil: nothing need be said.
	Want []json.RawMessage `json:"want"`
	// Absent says that the source proves that there is no such license.
	Absent bool `json:"absent"`
}

// served is a file that answers requests whose method and URL hold these texts. A CSV file is packed where a zip is
// asked for.
type served struct {
	Method, URL, File, Type string
	Status                  int
	Header                  map[string]string
	Charset                 string // what the file is sent in; UTF-8 where nothing stands
	Cut                     int    // how many bytes at its end are not sent, such as 1 for the last line break
}

// caseDocuments are all of testdata.
func caseDocuments(t testing.TB) (all []caseDocument) {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no documents", err)
	}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		family := strings.TrimSuffix(filepath.Base(path), ".txtar")
		state, way, _ := strings.Cut(family, "-")
		for _, section := range archive.Files {
			name, file, isFile := strings.Cut(section.Name, "/")
			if isFile {
				all[len(all)-1].files[file] = section.Data
				continue
			}
			d := caseDocument{name: family + "/" + name, path: way, files: map[string][]byte{}}
			d.state = contracts.State(strings.ToUpper(state))
			if err := json.Unmarshal(section.Data, &d); err != nil {
				t.Fatal(d.name, err)
			}
			all = append(all, d)
		}
	}
	return all
}

// with is the document with another text in the file that is served last.
func (d caseDocument) with(text string) caseDocument {
	d.files = maps.Clone(d.files)
	d.files[d.lastServed()] = []byte(text)
	return d
}

func (d caseDocument) lastServed() string { return d.Serve[len(d.Serve)-1].File }

// dataset has the rows of the file ID.json of the case, else those of the sandbox.
func (d caseDocument) dataset(t testing.TB, of opendata.Dataset) opendata.Dataset {
	t.Helper()
	text, ok := d.files[of.ID+".json"]
	if !ok {
		return of
	}
	var all []map[string]string
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(d.name, err)
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
			body, err := d.body(s, strings.HasSuffix(r.URL.Path, ".zip"))
			if err != nil {
				t.Error(d.name, err)
				w.WriteHeader(http.StatusInternalServerError)
				return
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

// body is what is sent of a file.
func (d caseDocument) body(s served, zip bool) ([]byte, error) {
	body, ok := d.files[s.File]
	if !ok {
		return nil, fmt.Errorf("no file %q", s.File)
	}
	if s.Charset != "" {
		charset, err := htmlindex.Get(s.Charset)
		if err != nil {
			return nil, err
		}
		if body, err = charset.NewEncoder().Bytes(body); err != nil {
			return nil, err
		}
	}
	if zip && strings.HasSuffix(s.File, ".csv") {
		var archive bytes.Buffer
		zipped(func(w io.Writer) { _, _ = w.Write(body) })(&archive)
		body = archive.Bytes()
	}
	return body[:len(body)-s.Cut], nil
}

// sandbox is the hosts of the state, with the rows of the case.
func (d caseDocument) sandbox(t testing.TB, licenses *license.Register, book *captcha.Book) map[string]http.Handler {
	t.Helper()
	now := func() time.Time { return d.Now }
	switch d.state {
	case contracts.CA:
		return map[string]http.Handler{california.Host: california.New(licenses, now)}
	case contracts.FL:
		return map[string]http.Handler{
			florida.Host: florida.New(licenses), florida.ExtractHost: florida.NewExtracts(licenses, now),
		}
	case contracts.IL:
		return map[string]http.Handler{illinois.Host: illinois.New(licenses, func(*http.Request) bool { return false }, now)}
	case contracts.NY:
		datasets := newyork.Datasets(licenses)
		for i := range datasets {
			datasets[i] = d.dataset(t, datasets[i])
		}
		return map[string]http.Handler{
			newyork.DataHost: opendata.NewSoda(d.Now, datasets...), newyork.MapHost: newyork.Map(licenses),
		}
	default:
		return map[string]http.Handler{
			texas.Host:     texas.New(licenses, book, texas.Options{}),
			texas.DataHost: opendata.NewSoda(d.Now, d.dataset(t, texas.Dataset(licenses))),
		}
	}
}

func (d caseDocument) read(t *testing.T) (scrape.Reading[register.Answer], error) {
	t.Helper()
	sizes := license.Sizes{}
	for _, s := range contracts.States {
		sizes[s] = 40
	}
	now := func() time.Time { return d.Now }
	licenses, book := license.New(contracts.DateOf(d.Now), sizes), captcha.NewBook(1)
	hosts := d.sandbox(t, licenses, book)
	for host := range hosts {
		hosts[host] = d.site(t, hosts[host])
	}
	deps := registertest.Deps(t, hosts)
	deps.Clock = now
	deps.Solve = registertest.Solver(book.Read)
	deps.Render = rendersAs(d.site(t, illinois.New(licenses, func(*http.Request) bool { return true }, now)))
	recipe := Recipes[d.state](deps)
	for _, path := range recipe.Paths(d.Operation) {
		if path.Name != d.path {
			continue
		}
		question := registertest.Query(d.Query)
		if d.Operation == register.Lookup {
			number, err := contracts.NormalLicenseNumber(d.state, d.Number)
			if err != nil {
				t.Fatal(d.name, err)
			}
			question = registertest.Number(number)
		}
		return path.Read(t.Context(), question)
	}
	t.Fatalf("%s: no path %q", d.name, d.path)
	panic("unreachable")
}

// zipped is an archive of one CSV file.
func zipped(write func(io.Writer)) func(io.Writer) {
	return func(out io.Writer) {
		archive := zip.NewWriter(out)
		archive.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
			return flate.NewWriter(w, flate.BestSpeed)
		})
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
