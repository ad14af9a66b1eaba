//go:build !race

package abcworker

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/metrics"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay.dev/abc-worker/mirror"
	"assay.dev/abc-worker/register"
	"assay.dev/contracts"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/scrape"
	"assay.dev/platform/scrape/scrapetest"
	"assay.dev/sandbox/california"
	"assay.dev/sandbox/florida"
	"assay.dev/sandbox/illinois"
)

const (
	// maxHostileMemory is how much memory a worker may take for one hostile file, beyond what it has when it is idle. On a quiet
	// machine all take less than 150 MiB; where many processes share the cores, the collector comes later.
	maxHostileMemory = 200 << 20
	// hostileFile names, in the process that TestHostileBulkFiles starts, the file to read.
	hostileFile = "TEST_HOSTILE_FILE"
)

const (
	californiaHeader = "License Type,File Number,Lic or App,Type Status,Type Orig Iss Date,Expir Date,Master Ind,Primary Name,Prem Addr 1," +
		"Prem Addr 2,Prem City,Prem State,Prem Zip,DBA Name,Prem County\n"
	illinoisHeader = "license_class,license_number,acct_name,county,cust_name,current_expiration_date,acct_city,acct_state,dba_address\n"
)

// Every hostile file ends in one clear failure and costs little memory. Each is read in a process of its own, by the whole
// way from the download to the index; CPU time is logged.
func TestHostileBulkFiles(t *testing.T) {
	if file := os.Getenv(hostileFile); file != "" {
		readInThisProcess(t, file)
		return
	}
	for name, tt := range map[string]struct {
		state contracts.State
		file  func(io.Writer)
		want  string // in the failure; "" for a file that is read
	}{
		"CA one line of commas":       {contracts.CA, zipped(again(californiaHeader, ",", 80<<20)), "row 1: a row has more than 64 KB"},
		"CA quote that is not closed": {contracts.CA, zipped(again(californiaHeader+`"`, "A,B\n", 80<<20)), "a quote is not closed"},
		"CA zeros":                    {contracts.CA, zipped(again(californiaHeader, "\x00", 80<<20)), "a row has more than 64 KB"},
		"CA empty lines":              {contracts.CA, zipped(again(californiaHeader, "\n", 80<<20)), "a row has more than 64 KB"},
		"CA header of commas":         {contracts.CA, zipped(again("", ",", 80<<20)), "the header: a row has more than 64 KB"},
		"CA banner of columns":        {contracts.CA, zipped(again(commas+"\n", "1\n", 1<<20)), "the header: changed: a row has 60001 columns"},
		"CA rows of columns":          {contracts.CA, zipped(again(californiaHeader, commas+"\n", 80<<20)), "a row has 60001 columns"},
		"CA rows of one field":        {contracts.CA, zipped(again(californiaHeader, strings.Repeat("x", 60_000)+"\n", 80<<20)), "a field has 60000 bytes"},
		"CA rows of a zero":           {contracts.CA, zipped(again(californiaHeader, "\x00\n", 80<<20)), "rows cannot be used"},
		"CA blank rows":               {contracts.CA, zipped(again(californiaHeader, ",\n", 80<<20)), "more than 200000 rows"},
		"CA bad rows":                 {contracts.CA, zipped(again(californiaHeader, "1\n", 80<<20)), "2001 of 2001 rows cannot be used"},
		"CA unknown words":            {contracts.CA, zipped(goodRows(199_000, "SO-SO", "A")), "199000 of 199000 rows of CA-export are not understood"},
		"CA 300,000 good rows":        {contracts.CA, zipped(goodRows(300_000, "ACTIVE", "A")), "more than 200000 rows"},
		"CA good rows of long fields": {contracts.CA, zipped(goodRows(10_000, "ACTIVE", strings.Repeat("x", 4000))), "the texts of the licenses take more"},
		"CA good rows of bad bytes":   {contracts.CA, zipped(goodRows(10_000, "ACTIVE", strings.Repeat("\x81\x01 ", 1300))), "the texts of the licenses take more"},
		"CA bytes that are not read":  {contracts.CA, zipped(goodRows(10_000, "PEND", strings.Repeat("\x81\x01 ", 1300))), "the file has more than 67108864 bytes"},
		"CA 155,000 good rows":        {contracts.CA, zipped(goodRows(155_000, "ACTIVE", "THE MIDDLE OF NOWHERE")), ""},
		"CA 100,000 entries":          {contracts.CA, entries(100_000), "its directory takes more than"},
		"CA entries that are denied":  {contracts.CA, altered(entries(65_537), endOfDirectory, 10, 1, 0, 1, 0), "its directory takes more than"},
		"CA a size that is too small": {contracts.CA, altered(zipped(goodRows(1000, "ACTIVE", "A")), directoryEntry, 24, 1, 0, 0, 0), "not a valid zip file"},
		"CA a size that is too large": {contracts.CA, altered(zipped(goodRows(1000, "ACTIVE", "A")), directoryEntry, 24, 0xfe, 0xff, 0xff, 0xff), "unexpected EOF"},
		"CA a wrong checksum":         {contracts.CA, altered(zipped(goodRows(1000, "ACTIVE", "A")), directoryEntry, 16, 1, 2, 3, 4), "checksum error"},
		"CA no end of the directory":  {contracts.CA, again("PK\x03\x04", "PK\x01\x02", 12<<20), "not a ZIP archive"},
		"CA an archive of 40 MB":      {contracts.CA, again("PK\x03\x04", "x", 40<<20), "the body is larger than 16777216 bytes"},
		"CA rows of words":            {contracts.CA, zipped(wordRows(120_000)), "more than 4000000 or 750000"},
		"IL one line of commas":       {contracts.IL, again(illinoisHeader, ",", 30<<20), "a row has more than 64 KB"},
		"IL quote that is not closed": {contracts.IL, again(illinoisHeader+`"`, "A,B\n", 30<<20), "a quote is not closed"},
		"IL rows of long addresses":   {contracts.IL, again(illinoisHeader, illinoisExportRow(`"`+strings.Repeat("\x81", 8000)+`"`, "X"), 30<<20), "rows cannot be used"},
		"IL rows of long names":       {contracts.IL, again(illinoisHeader, illinoisExportRow("X", strings.Repeat("\x81\x01 ", 2600)), 30<<20), "the file is cut off"},
		"FL rows of long names":       {contracts.FL, again(floridaHeader, floridaExtractRow(strings.Repeat("\x81\x01 ", 2600)), 30<<20), "the file is cut off"},
		"IL a file of 60 MB":          {contracts.IL, again(illinoisHeader, ",\n", 60<<20), "the body is larger than 33554432 bytes"},
		"FL one line of commas":       {contracts.FL, again("License Number\n", ",", 30<<20), "a row has more than 64 KB"},
		"FL zeros":                    {contracts.FL, again("", "\x00", 30<<20), "the header: a row has more than 64 KB"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := readInAnotherProcess(t, tt.state, tt.file)
			t.Logf("%3d MiB, %4d ms CPU, file of %d bytes: %s", got.Memory>>20, got.CPU.Milliseconds(), got.Bytes, got.Failure)
			switch {
			case tt.want == "" && got.Kind != "":
				t.Error("the file is refused")
			case tt.want != "" && (got.Kind != scrape.Changed || !strings.Contains(got.Failure, tt.want)):
				t.Errorf("want a failure of kind changed that says %q", tt.want)
			}
			if tt.want != "" && got.Memory > maxHostileMemory {
				t.Errorf("%d MiB of memory", got.Memory>>20)
			}
		})
	}
}

// illinoisExportRow is a row of Illinois's export.
func illinoisExportRow(address, name string) string {
	return "1A,1A-1143621," + name + ",COOK," + name + ",1/1/2027,CHICAGO,IL," + address + "\n"
}

// floridaHeader and floridaExtractRow are those of Florida's extract, the columns in another order.
const floridaHeader = "Owner Name,Series,Modifier,DBA,Location Address 1,Location Address 2,Location Address 3,Location City," +
	"Location State,Location ZIP,Location County,License Number,Primary Status,Original Licensure Date,Expiration Date\n"

func floridaExtractRow(name string) string {
	return name + ",4COP,SFS," + name + ",1 X ST,,,TAMPA,FL,33602,39,BEV3900123,20,01/02/2010,03/31/2027\n"
}

var commas = strings.Repeat(",", 60_000)

// cost is what reading a file took.
type cost struct {
	Bytes   int64
	Memory  uint64 // by which the process grew, in bytes
	CPU     time.Duration
	Kind    scrape.Kind
	Failure string
}

// readInAnotherProcess runs this test in a process that reads the file alone: its memory never shrinks.
func readInAnotherProcess(t *testing.T, s contracts.State, write func(io.Writer)) (c cost) {
	t.Helper()
	file := filepath.Join(t.TempDir(), string(s))
	var body bytes.Buffer
	write(&body)
	if err := os.WriteFile(file, body.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), clocktest.Patience)
	defer cancel()
	process := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestHostileBulkFiles$")
	process.Env = append(os.Environ(), hostileFile+"="+file, "GOGC=100")
	out, err := process.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := json.NewDecoder(bytes.NewReader(out)).Decode(&c); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return c
}

// readInThisProcess loads a mirror of the state that the file is named for, and prints the cost as JSON.
func readInThisProcess(t *testing.T, file string) {
	serve := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, file) })
	in := scrapetest.Start(t, map[string]http.Handler{california.Host: serve, illinois.Host: serve, florida.ExtractHost: serve})
	fetcher, err := scrape.NewFetcher(in.Config(), scrape.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	defer fetcher.Close()
	mirrors, err := mirror.Open(t.Context(), mirror.Deps{Environment: contracts.Test, Fetcher: fetcher})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = mirrors.Close(context.WithoutCancel(t.Context())) }()
	recipe := Recipes[contracts.State(filepath.Base(file))](register.Deps{
		Environment: contracts.Test, Fetcher: fetcher, Mirrors: mirrors, Clock: time.Now,
	})
	memory, cpu := memoryOfProcess(), cpuOfProcess()
	_, err = recipe.Lookup[len(recipe.Lookup)-1].Read(t.Context(), register.Question{Number: "1"})
	c := cost{Memory: memoryOfProcess() - memory, CPU: cpuOfProcess() - cpu, Kind: scrape.KindOf(err), Failure: fmt.Sprint(err)}
	if info, err := os.Stat(file); err == nil {
		c.Bytes = info.Size()
	}
	_ = json.NewEncoder(os.Stdout).Encode(c)
}

// memoryOfProcess is all memory that Go has ever had from the system; what it gave back counts too.
func memoryOfProcess() uint64 {
	all := []metrics.Sample{{Name: "/memory/classes/total:bytes"}}
	metrics.Read(all)
	return all[0].Value.Uint64()
}

func cpuOfProcess() time.Duration {
	var use syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &use) // it does not fail for this process
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}

// again writes the beginning and then the same text again and again, size bytes in all.
func again(beginning, text string, size int) func(io.Writer) {
	return func(w io.Writer) {
		_, _ = io.WriteString(w, beginning) // to a buffer, as all of this test
		block := strings.Repeat(text, max(1, (64<<10)/len(text)))
		for left := size - len(beginning); left > 0; left -= len(block) {
			_, _ = io.WriteString(w, block[:min(left, len(block))])
		}
	}
}

// goodRows writes California's header and rows of licenses with the status, each with the text as its names.
func goodRows(rows int, status, text string) func(io.Writer) {
	return func(w io.Writer) {
		_, _ = io.WriteString(w, californiaHeader)
		for i := range rows {
			_, _ = fmt.Fprintf(w, "41,%08d,LIC,%s,01-JAN-2020,31-DEC-2027,Y,%s,1 MAIN ST,,FRESNO,CA,93650,%s,FRESNO\n", i+1, status, text, text)
		}
	}
}

// wordRows writes rows of licenses whose names are words that no other row has.
func wordRows(rows int) func(io.Writer) {
	return func(w io.Writer) {
		_, _ = io.WriteString(w, californiaHeader)
		for i := range rows {
			_, _ = fmt.Fprintf(w, "41,%08d,LIC,ACTIVE,01-JAN-2020,31-DEC-2027,Y,%[2]dA %[2]dB %[2]dC %[2]dD,1 MAIN ST,,FRESNO,CA,93650,%[2]dE %[2]dF %[2]dG,FRESNO\n", i+1, i)
		}
	}
}

// entries is an archive of so many empty files.
func entries(number int) func(io.Writer) {
	return func(out io.Writer) {
		archive := zip.NewWriter(out)
		for i := range number {
			if _, err := archive.CreateHeader(&zip.FileHeader{Name: fmt.Sprintf("%d.txt", i)}); err != nil {
				panic(err)
			}
		}
		if err := archive.Close(); err != nil {
			panic(err)
		}
	}
}

// Signatures of an archive's records (APPNOTE 4.3.12 and 4.3.16).
const directoryEntry, endOfDirectory = 0x02014b50, 0x06054b50

// altered writes other bytes behind the last record of the kind.
func altered(write func(io.Writer), signature uint32, offset int, other ...byte) func(io.Writer) {
	return func(w io.Writer) {
		var out bytes.Buffer
		write(&out)
		body := out.Bytes()
		at := bytes.LastIndex(body, binary.LittleEndian.AppendUint32(nil, signature))
		copy(body[at+offset:], other)
		_, _ = w.Write(body)
	}
}
