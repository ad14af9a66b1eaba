package sandbox

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"go.uber.org/goleak"

	"assay.dev/contracts"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/sandbox/eia"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// septemberMorning is before the publication of Tuesday, 2026-09-08; septemberNoon after it.
func septemberMorning() time.Time { return time.Date(2026, 9, 8, 13, 0, 0, 0, time.UTC) }
func septemberNoon() time.Time    { return time.Date(2026, 9, 8, 16, 0, 0, 0, time.UTC) }

func start(t *testing.T, clock func() time.Time) (*Sandbox, *http.Client) {
	t.Helper()
	s, err := Start(Options{Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	client := s.Client()
	client.Timeout = clocktest.Patience
	t.Cleanup(func() {
		client.CloseIdleConnections()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, client
}

// read gets a URL and returns status and body.
func read(t *testing.T, client *http.Client, address string) (int, string) {
	t.Helper()
	resp, err := client.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

// row returns the texts of the cells of the first row that holds text in its first or last cell.
func row(t *testing.T, page, text string) []string {
	t.Helper()
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	doc.Find("tr").EachWithBreak(func(_ int, tr *goquery.Selection) bool {
		cells := tr.ChildrenFiltered("td").Map(func(_ int, td *goquery.Selection) string {
			return strings.Join(strings.Fields(td.Text()), " ")
		})
		if n := len(cells); n > 0 && (cells[0] == text || cells[n-1] == text) {
			found = cells
		}
		return found == nil
	})
	return found
}

// Each page as it was on 2026-09-08.
func TestPagesOfSeptember8(t *testing.T) {
	_, client := start(t, septemberMorning)
	client.Jar, _ = cookiejar.New(nil)
	read(t, client, "https://tools.averitt.com/")
	for name, tt := range map[string]struct{ url, key, want string }{
		"ODFL": {"https://www.odfl.com/us/en/resources/fuel-surcharge.html", "09-09-2026", "09-09-2026|46.32%|92.64%"},
		"SAIA": {"https://www.saia.com/tools-and-resources/fuel-surcharges", "9/2/2026",
			"9/2/2026|$5.599|50.12%|100.24%"},
		"RLC": {"https://www2.rlcarriers.com/freight/shipping-fuel-surcharge", "09-02-2026",
			"$5.599|08-31-2026|47.300%|94.600%|09-02-2026"},
		"TFORCE":     {"https://www.tforcefreight.com/ltl/apps/FuelSurcharge", "9/2/2026", "9/2/2026|51.1%"},
		"TFORCE too": {"https://www.tforcefreight.com/ltl/apps/Resources/fueltable", "9/2/2026", "9/2/2026|51.1%"},
		"XPO":        {"https://www.xpo.com/fuel-surcharge-table/", "9/7/26", "9/7/26|5.599|49.75%|99.50%|$.498|45.27%"},
		"XPO too":    {"https://ltl.xpo.com/fuel-surcharge", "9/7/26", "9/7/26|5.599|49.75%|99.50%|$.498|45.27%"},
		"SEFL": {"https://www.sefl.com/seflWebsite/servlet/FUELSURCHARGE_FUELPAGEUPDATE", "09/02/2026",
			"09/02/2026|$5.599|5.57 - 5.60|44.63%|89.26%"},
		"AVERITT": {"https://tools.averitt.com/public/resources/fuelSurcharge/index.jsp", "09/02/2026",
			"09/02/2026|$5.599|48.00|43.68|$18.50"},
		"FEDEX": {
			"https://www.fedexfreight.com/en-us/support-resources/tariffs-rates-information/fuel-surcharges",
			"Sep. 2, 2026–Sep. 8, 2026", "Sep. 2, 2026–Sep. 8, 2026|$5.599|48.90%|97.80%",
		},
		"FEDEX parcels": {"https://www.fedex.com/en-us/shipping/fuel-surcharge.html", "09/02/2026",
			"09/02/2026|23.47%|44.49%|$0.50"},
	} {
		t.Run(name, func(t *testing.T) {
			status, page := read(t, client, tt.url)
			if got := strings.Join(row(t, page, tt.key), "|"); status != http.StatusOK || got != tt.want {
				t.Errorf("%d %q, want %q", status, got, tt.want)
			}
		})
	}
}

func TestODFLAnswersGetAndPost(t *testing.T) {
	s, client := start(t, septemberMorning)
	const address = "https://api.odfl.com/tools/fuel-history/v1.0/fuel-history.list"
	_, got := read(t, client, address)
	resp, err := client.Post(address, "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if posted, _ := io.ReadAll(resp.Body); string(posted) != got {
		t.Errorf("POST answers %.100s, GET %.100s", posted, got)
	}
	if want := `{"effectiveDate":"2026-09-09","ltlSurchargePercent":46.32,"tlSurchargePercent":92.64,"dieselPrice":5.599}`; !strings.Contains(got, want) {
		t.Errorf("%.300s does not hold %s", got, want)
	}
	if weeks := s.Surcharge(contracts.ODFL); len(weeks) != 60 || weeks[0].EffectiveDate != "2026-09-02" ||
		weeks[0].Percent != 47.32 {
		t.Errorf("in force on 2026-09-08: %d weeks, %+v", len(weeks), weeks[0])
	}
}

// What only a browser sees must not be in the page itself, and must be in what its script loads.
func TestScriptedPagesHoldNoDataThemselves(t *testing.T) {
	_, client := start(t, septemberMorning)
	for name, tt := range map[string]struct{ page, data, row string }{
		"ESTES": {
			"https://www.estes-express.com/resources/fees-and-surcharges/fuel-surcharge",
			"https://www.estes-express.com/api/fuel-surcharge/v1/history",
			`{"effectiveDate":"20260902","nationalAverage":"5.599","ltlSurcharge":50,"tlSurcharge":100}`,
		},
		"ABF": {
			"https://arcb.com/abf-freight/resources/fuel-surcharge.html",
			"https://arcb.com/abf-freight/assets/fuel.json",
			`{"effectiveDate":"9/02/2026","endDate":"9/08/2026","ltl":"50.00%","tl":"100.00%"}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			status, page := read(t, client, tt.page)
			if status != http.StatusOK || strings.Contains(page, "50.0") || strings.Contains(page, "5.599") ||
				!strings.Contains(page, "<table") {
				t.Errorf("%d, the plain page holds data or no table", status)
			}
			if _, data := read(t, client, tt.data); !strings.Contains(data, tt.row) {
				t.Errorf("%.300s does not hold %s", data, tt.row)
			}
		})
	}
	if _, page := read(t, client, "https://arcb.com/abf-freight/resources/fuel-surcharge.html"); !strings.Contains(page,
		"{{entry.effectiveDate}}") {
		t.Error("ABF's page shows no template")
	}
	if _, data := read(t, client, "https://www.estes-express.com/api/fuel-surcharge/v1/history"); !strings.Contains(data,
		`"ltlSurcharge":null`) {
		t.Error("ESTES has no failed row")
	}
}

func TestSaiaSingularLeadsHome(t *testing.T) {
	_, client := start(t, septemberMorning)
	resp, err := client.Get("https://www.saia.com/tools-and-resources/fuel-surcharge")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK || resp.Request.URL.String() != "https://www.saia.com/" {
		t.Errorf("%d at %s", resp.StatusCode, resp.Request.URL)
	}
}

func TestAverittWantsItsCookie(t *testing.T) {
	_, client := start(t, septemberMorning)
	const page = "https://tools.averitt.com/public/resources/fuelSurcharge/index.jsp"
	if status, _ := read(t, client, page); status != http.StatusInternalServerError {
		t.Errorf("without a cookie: %d", status)
	}
	client.Jar, _ = cookiejar.New(nil)
	read(t, client, "https://tools.averitt.com/")
	if status, _ := read(t, client, page); status != http.StatusOK {
		t.Errorf("with the cookie: %d", status)
	}
}

func TestTomorrowsRow(t *testing.T) {
	s, client := start(t, septemberNoon)
	_, page := read(t, client, "https://www.saia.com/tools-and-resources/fuel-surcharges")
	if row(t, page, "9/9/2026") == nil {
		t.Error("tomorrow's row is not on the page")
	}
	if weeks := s.Surcharge(contracts.SAIA); weeks[0].EffectiveDate != "2026-09-02" {
		t.Errorf("in force: %+v", weeks[0])
	}
	_, page = read(t, client, "https://www.tforcefreight.com/ltl/apps/FuelSurcharge")
	if row(t, page, "9/2/2026") == nil || row(t, page, "9/9/2026") != nil {
		t.Error("TFORCE shows another row than the one in force")
	}
}

// A week is changed once it is posted, also before it begins and when it is shown no longer.
func TestOnlyPostedWeeksAreChanged(t *testing.T) {
	s, _ := start(t, septemberNoon)
	for _, c := range []struct {
		carrier contracts.Carrier
		week    contracts.Date
		isTaken bool
	}{
		{contracts.SAIA, "2026-09-02", true}, {contracts.SAIA, "2026-09-09", true}, {contracts.TFORCE, "2022-03-16", true},
		{contracts.SAIA, "2026-09-16", false}, {contracts.SAIA, "2026-09-03", false}, {contracts.ODFL, "1999-01-01", false},
	} {
		revised, withdrawn := s.Revise(c.carrier, c.week, 51.5), s.Withdraw(c.carrier, c.week)
		if (revised == nil) != c.isTaken || (withdrawn == nil) != c.isTaken {
			t.Errorf("%s %s: %v, %v", c.carrier, c.week, revised, withdrawn)
		}
	}
	if err := s.PublishNext(contracts.SAIA); err != nil {
		t.Fatal(err)
	}
	if err := s.Revise(contracts.SAIA, "2026-09-16", 51.5); err != nil {
		t.Errorf("a week that is shown before its time: %v", err)
	}
}

func TestDieselSources(t *testing.T) {
	_, client := start(t, func() time.Time { return time.Date(2026, 9, 22, 16, 0, 0, 0, time.UTC) })
	_, feed := read(t, client, "https://www.eia.gov/petroleum/gasdiesel/includes/gas_diesel_rss.xml")
	_, after, _ := strings.Cut(feed, "On-Highway Diesel Fuel Retail Price")
	if !strings.Contains(feed, "Data For 09/21/26") || !strings.Contains(after, "6.529  .. U.S.") ||
		!strings.Contains(feed, "\xa9") {
		t.Errorf("%s", feed)
	}
	const api = "https://api.eia.gov/v2/petroleum/pri/gnd/data/?frequency=weekly&facets[series][]=" + eia.DieselSeries +
		"&sort[0][column]=period&sort[0][direction]=desc&length=2"
	if status, _ := read(t, client, api); status != http.StatusForbidden {
		t.Errorf("without a key: %d", status)
	}
	var answer struct {
		Response struct {
			Data []struct{ Period, Value string }
		}
	}
	_, body := read(t, client, api+"&api_key=K&data[0]=value")
	if err := json.Unmarshal([]byte(body), &answer); err != nil {
		t.Fatal(err)
	}
	if d := answer.Response.Data; len(d) != 2 || d[0].Period != "2026-09-21" || d[0].Value != "6.529" ||
		d[1].Value != "6.285" || !strings.Contains(body, `"K"`) {
		t.Errorf("%s", body)
	}
	if _, body := read(t, client, api+"&api_key=K"); strings.Contains(body, "6.529") {
		t.Error("values without data[]")
	}
	_, csv := read(t, client, "https://fred.stlouisfed.org/graph/fredgraph.csv?id=GASDESW")
	if !strings.HasPrefix(csv, "observation_date,GASDESW\n2022-01-03,3.613\n") ||
		!strings.HasSuffix(csv, "\n2026-09-21,6.529\n") {
		t.Errorf("%.100s", csv)
	}
}

func TestGoldenFunction(t *testing.T) {
	for _, carrier := range contracts.Carriers {
		weeks, err := Surcharge(carrier, "2026-09-08")
		if err != nil || len(weeks) == 0 {
			t.Fatal(carrier, len(weeks), err)
		}
		if carrier != contracts.TFORCE && len(weeks) < contracts.MaxWeeks {
			t.Errorf("%s shows %d weeks", carrier, len(weeks))
		}
		if silent := carrier == contracts.ABF || carrier == contracts.TFORCE; silent != (weeks[0].DieselUSD == nil) {
			t.Errorf("%s: diesel %v", carrier, weeks[0].DieselUSD)
		}
	}
}

func TestUnknownHosts(t *testing.T) {
	s, client := start(t, nil)
	if _, err := client.Get("https://example.org/"); err == nil || !strings.Contains(err.Error(), "Bad Gateway") {
		t.Errorf("%v, want 502 Bad Gateway", err)
	}
	if status, text := read(t, client, "http://169.254.169.254/latest/"); status != http.StatusBadGateway ||
		!strings.Contains(text, "is not played here") {
		t.Errorf("%d %s", status, text)
	}
	if n := s.Requests("169.254.169.254").Total(); n != 1 {
		t.Errorf("counted %d requests", n)
	}
	direct, err := http.Get(s.ProxyURL() + "/faults")
	if err != nil {
		t.Fatal(err)
	}
	defer direct.Body.Close()
	defer http.DefaultClient.CloseIdleConnections()
	if direct.StatusCode != http.StatusBadRequest {
		t.Errorf("a request that is not for a proxy: %d", direct.StatusCode)
	}
}

func TestPlainHTTPAndKeepAlive(t *testing.T) {
	s, client := start(t, septemberMorning)
	for range 3 {
		if status, _ := read(t, client, "http://www.saia.com/tools-and-resources/fuel-surcharges"); status != http.StatusOK {
			t.Errorf("%d", status)
		}
		read(t, client, "https://www.saia.com/")
	}
	counts := s.Requests("www.saia.com")
	if counts["/tools-and-resources/fuel-surcharges"] != 3 || counts["/"] != 3 || counts.Total() != 6 {
		t.Errorf("%v", counts)
	}
}

// A client that believes nothing but the one file that SSL_CERT_FILE names believes every host, also after a restart.
func TestAuthorityIsKept(t *testing.T) {
	dir := t.TempDir()
	var first []byte
	for range 2 {
		s, err := Start(Options{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		pem, err := os.ReadFile(s.CAFile())
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = pem
		}
		if string(pem) != string(first) {
			t.Error("another authority after a restart")
		}
		roots := x509.NewCertPool()
		roots.AppendCertsFromPEM(first)
		client := s.Client()
		client.Transport.(*http.Transport).TLSClientConfig.RootCAs = roots
		resp, err := client.Get("https://www.xpo.com/")
		if err != nil {
			t.Fatal(err)
		}
		if chain := resp.TLS.PeerCertificates; len(chain) != 2 || chain[0].Subject.CommonName != "www.xpo.com" ||
			resp.TLS.Version < tls.VersionTLS12 {
			t.Errorf("%d certificates for %s", len(chain), chain[0].Subject.CommonName)
		}
		_ = resp.Body.Close()
		client.CloseIdleConnections()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if info, err := os.Stat(dir + "/" + keyFile); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the key is open to others: %v", info.Mode())
	}
}

func TestCloseWhileSlow(t *testing.T) {
	s, err := Start(Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Fault("www.saia.com", "", Slow); err != nil {
		t.Fatal(err)
	}
	client := s.Client()
	defer client.CloseIdleConnections()
	failed := make(chan error, 1)
	go func() {
		resp, err := client.Get("https://www.saia.com/")
		if err == nil {
			_ = resp.Body.Close()
		}
		failed <- err
	}()
	clocktest.Await(t, "the site is asked", func() bool { return s.Requests("www.saia.com").Total() > 0 })
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := <-failed; err == nil {
		t.Error("a slow answer outlived the sandbox")
	}
}

func TestRun(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	dir := t.TempDir()
	go func() {
		done <- Run(ctx, Config{Listen: "127.0.0.1:0", AdminListen: "127.0.0.1:0", Dir: dir})
	}()
	clocktest.Await(t, "the authority's file is there", func() bool {
		select {
		case err := <-done:
			t.Fatal("it ended before:", err)
		default:
		}
		_, err := os.Stat(dir + "/" + caFile)
		return err == nil
	})
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestRefusals(t *testing.T) {
	if err := (Config{Listen: "nowhere", AdminListen: "127.0.0.1:http:1"}).Validate(); err == nil {
		t.Error("bad settings pass")
	}
	s, err := Start(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	taken, _ := url.Parse(s.ProxyURL())
	if _, err := Start(Options{Listen: taken.Host}); err == nil || errors.Is(err, syscall.EADDRINUSE) {
		t.Errorf("%v, want one that names the setting", err)
	}
}
