package gateway_test

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/audit"
)

const acme = `{"carrier":"ODFL","sender":{"name":"Acme <b>Paper</b> & Co.","address":["1 Mill Road","Dayton, OH 45402"]}}`

// unzipped are the files of a packet, without its folder.
func unzipped(t *testing.T, body []byte) map[string]string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		t.Fatalf("%v: %.200q", err, body)
	}
	files := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		folder, name, ok := strings.Cut(f.Name, "/")
		if _, isTwice := files[name]; err != nil || !ok || isTwice || !strings.HasPrefix(folder, "claim-ODFL-") {
			t.Errorf("%s: %v", f.Name, err)
		}
		files[name] = string(content)
	}
	return files
}

// checkSums compares the files of a packet with its hashes.
func checkSums(t *testing.T, files map[string]string) {
	t.Helper()
	sums := strings.Split(strings.TrimSpace(files["SHA256SUMS"]), "\n")
	if len(sums) != len(files)-1 {
		t.Errorf("%d hashes of %d files", len(sums), len(files))
	}
	for _, line := range sums {
		hash, name, _ := strings.Cut(line, "  ")
		if sum := sha256.Sum256([]byte(files[name])); hash != hex.EncodeToString(sum[:]) || files[name] == "" {
			t.Errorf("%s is not the file", line)
		}
	}
}

// disputedFile has bills of two weeks of ODFL: two too high, one with a hostile name, one whose time has passed, one right, one without
// amounts, and one of another carrier.
func disputedFile(t *testing.T) string {
	t.Helper()
	row := func(id, carrier string, week int, more float64, received string) string {
		percent := archivedPercent(contracts.Carrier(carrier), week) + more
		return fmt.Sprintf("%s,%s,%s,%.2f,1000.00,%.2f,PRO%s,%s,secret margin\r\n", id, carrier, archivedFirst.AddDays(7*week), percent, 10*percent, id, received)
	}
	recent := contracts.Today(time.Now()).AddDays(-30)
	return "id,carrier,ship_date,billed_pct,base_amount,billed_amount,pro_number,bill_received,Note\r\n" +
		row("1", "ODFL", 373, 1, string(recent)) + row("=2+2<script>", "ODFL", 390, 2, "") + row("3", "ODFL", 373, 4, string(archivedFirst.AddDays(7*373))) +
		row("4", "ODFL", 390, 0, "") + row("5", "SAIA", 390, 1, "") + fmt.Sprintf("6,ODFL,%s,90,,,,,\r\n", archivedFirst.AddDays(7*390))
}

// A packet is of the lines that may be contested: the letter, the lines and the documents, all with their hashes. The same audit and
// request make the same bytes; what a document does not say any more is named.
func TestPackets(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	w := s.archiveWorker(contracts.Test)
	first := s.keeps(contracts.Test, contracts.LTL, "text/html", "<table>week 373</table>", "1")
	second := s.keeps(contracts.Test, contracts.LTL, "application/json", `{"week":390}`, "2")
	gone := contracts.Evidence{SHA256: strings.Repeat("a", 64), URL: "https://carrier.example/old", Role: contracts.RoleContext, At: "999999"}
	w.documents.Store(&map[contracts.Date][]contracts.Evidence{
		archivedFirst.AddDays(7 * 373): {first}, archivedFirst.AddDays(7 * 390): {second, gone}, archivedFirst.AddDays(7 * 391): {first},
	})
	g := s.gateway(withConsole)
	key := s.key(tenant("acme"))
	_, id := g.keep(key, "&columns=auto", disputedFile(t))
	path := auditsPath + "/" + id + "/packet"
	r := g.post(key, path, "application/json", acme)
	if r.StatusCode != 200 || r.Header.Get("Content-Type") != "application/zip" || !strings.Contains(r.Header.Get("Content-Disposition"), `filename="claim-ODFL-`) {
		t.Fatalf("%d %v %.300s", r.StatusCode, r.Header, r.body)
	}
	if again := s.gateway().post(key, path, "application/json", acme); !bytes.Equal(again.body, r.body) {
		t.Error("the same audit and request make other bytes")
	}
	files := unzipped(t, r.body)
	checkSums(t, files)
	letter := files["letter.html"]
	for _, want := range []string{"Acme &lt;b&gt;Paper&lt;/b&gt; &amp; Co.", "1 Mill Road", "USD 30.00", "PRO1", "=2&#43;2&lt;script&gt;", "49 USC 13710", "40.00", "INVENTED DATA", "on 3 shipments"} {
		if !strings.Contains(letter, want) {
			t.Errorf("the letter lacks %s: %s", want, letter)
		}
	}
	for _, never := range []string{"<script", "secret margin", "PRO3", "PRO4", "PRO5", "http://", "https://"} {
		if strings.Contains(letter, never) {
			t.Errorf("the letter has %s", never)
		}
	}
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(files["test-lines.csv"], "\ufeff"))).ReadAll()
	if err != nil || len(rows) != 5 || rows[2][0] != "'=2+2<script>" || rows[4][0] != "3" || strings.Contains(files["test-lines.csv"], "secret margin") {
		t.Errorf("%v %v", err, rows)
	}
	if name := "documents/ODFL-" + first.SHA256[:12] + ".html"; files[name] != "<table>week 373</table>" || len(files) != 8 {
		t.Errorf("%d files without %s", len(files), name)
	}
	var answer contracts.Surcharges
	if err := json.Unmarshal([]byte(files["answer.json"]), &answer); err != nil || len(answer.Results) != 2 || len(answer.Results[1].Verifiability.Evidence) != 1 ||
		*answer.Results[0].Verifiability.EvidenceSHA256 != first.SHA256 {
		t.Errorf("%v %s", err, files["answer.json"])
	}
	if !strings.HasPrefix(files["answer.json"], "{\n  \"invented_data\": true,") {
		t.Errorf("invented data look like others: %s", files["answer.json"])
	}
	if m := files["manifest.json"]; !strings.Contains(m, `"path": "page"`) || !strings.Contains(m, `"missing": "it is no longer kept"`) || !strings.Contains(m, `"amount_usd": "30.00"`) || !strings.Contains(m, id) {
		t.Error(m)
	}
	if v := files["VERIFY.txt"]; !strings.Contains(v, "assay evidence verify answer.json documents/ODFL-"+first.SHA256[:12]+".html documents/") || !strings.Contains(v, "Some documents are not in this packet") ||
		!strings.Contains(v, "What this does not prove: that the documents came from their addresses, and when.") {
		t.Error(v)
	}
	s.refusesPackets(g, key, path)
	s.packetOfTheConsole(g, key, id, r.body)
}

// proofOfALine follows the link of a line that is paid: the answer and its document are there, without a further answer. To another tenant
// the link is a question.
func (s *system) proofOfALine(g *runningGateway, cookie, page string) {
	s.t.Helper()
	day := archivedFirst.AddDays(7 * 373)
	link := regexp.MustCompile(`/console/proof\?as_of=` + string(day) + `&amp;audit=[0-9a-f]{32}\.[0-9]+&amp;carrier=ODFL`).FindString(page)
	address := strings.ReplaceAll(link, "&amp;", "&")
	asked := `<button class="action" id="get"`
	if r := g.pageOf(address, "Cookie", cookie, "Accept-Encoding", "identity"); !strings.Contains(string(r.body), "week 373") ||
		!strings.Contains(string(r.body), "Download the answer") || strings.Contains(string(r.body), asked) {
		s.t.Errorf("%q: %d %.4000s", address, r.StatusCode, r.body)
	}
	for who, key := range map[string]string{"another tenant": s.key(tenant("other")), "the other environment": s.key(live, tenant("acme"))} {
		r := g.pageOf(address, "Cookie", g.logIn(key), "Accept-Encoding", "identity")
		if r.StatusCode != 200 || !strings.Contains(string(r.body), asked) || strings.Contains(string(r.body), "Download the answer") {
			s.t.Errorf("%s: %d %.4000s", who, r.StatusCode, r.body)
		}
	}
}

// Where no amounts are known the letter and the button say by how many points, and where some are both. The time that has passed is no claim.
func TestPacketByPercentOnly(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.archiveWorker(contracts.Test)
	g := s.gateway(withConsole)
	key := s.key(tenant("acme"))
	day, right := archivedFirst.AddDays(7*390), archivedPercent(contracts.ODFL, 390)
	late := archivedFirst.AddDays(7 * 373)
	line := func(id string, more float64, rest string) string {
		return fmt.Sprintf("%s,ODFL,%s,%.2f,%s\r\n", id, day, right+more, rest)
	}
	bill := func(id string, more float64, received contracts.Date) string {
		percent := archivedPercent(contracts.ODFL, 373) + more
		return fmt.Sprintf("%s,ODFL,%s,%.2f,1000,%s,%.2f\r\n", id, late, percent, received, 10*percent)
	}
	const head = "id,carrier,ship_date,billed_pct,base_amount,bill_received,billed_amount\r\n"
	for name, c := range map[string]struct {
		file  string
		want  []string
		never string
		order string
	}{
		"one":          {line("1", 1.5, ",,"), []string{"on 1 shipment: 1.50 percentage points</h1>", "refund what you charged above the right percent.</p>"}, "USD 0.00", "1"},
		"several":      {line("1", 1.5, ",,") + line("2", 4, ",,"), []string{"on 2 shipments: 1.50 to 4.00 percentage points</h1>"}, ">Sum<", "2 1"},
		"some":         {line("1", 1.5, ",,") + line("2", 4, fmt.Sprintf("1000,,%.2f", 10*(right+4))), []string{"USD 40.00, and 1 of them by 1.50 percentage points", "refund USD 40.00 and, where no amount is shown, what"}, "USD 0.00", "2 1"},
		"one too late": {line("1", 1.5, ",,") + fmt.Sprintf("2,ODFL,%s,%.2f,,%s,\r\n", late, archivedPercent(contracts.ODFL, 373)+4, late), []string{"with a difference of 4.00 percentage points the 180 days"}, "USD 0.00", "1 2"},
		// Behind what may be contested: without a day of receipt, too late, and right or too low.
		"each kind": {
			line("low", -1, ",,") + line("right", 0, fmt.Sprintf("1000,,%.2f", 10*right)) + bill("late", 30, late) + bill("undated", 20, "") +
				line("by percent", 1.5, ",,") + line("contested", 1, fmt.Sprintf("1000,,%.2f", 10*(right+1))),
			[]string{"USD 10.00, and 1 of them by 1.50 percentage points"}, "USD 0.00", "contested by percent undated late right low",
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, id := g.keep(key, "", head+c.file)
			letter := unzipped(t, g.post(key, auditsPath+"/"+id+"/packet", "application/json", acme).body)["letter.html"]
			for _, want := range c.want {
				if !strings.Contains(letter, want) {
					t.Errorf("the letter lacks %s: %s", want, letter)
				}
			}
			if strings.Contains(letter, c.never) {
				t.Errorf("the letter has %s", c.never)
			}
			page := string(g.pageOf("/console/audit?id="+id, "Cookie", g.logIn(key), "Accept-Encoding", "identity").body)
			if strings.Contains(page, "by percent</button>") != !strings.Contains(c.want[0], "and 1 of them") {
				t.Errorf("the button: %s", page)
			}
			var order []string
			for _, id := range regexp.MustCompile(`data-name="Id"><bdi>([^<]*)`).FindAllStringSubmatch(page, -1) {
				order = append(order, id[1])
			}
			if got := strings.Join(order, " "); got != c.order {
				t.Errorf("the lines are %s, want %s", got, c.order)
			}
		})
	}
}

// The letter says of each bill what its right amount rests on, in the words of the audit: what the carrier published is not said to be
// exceeded by a bill that has that very percent.
func TestTheLetterSaysWhatEachBillRestsOn(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.archiveWorker(contracts.Test)
	g := s.gateway()
	key := s.key(tenant("acme"))
	day, right := archivedFirst.AddDays(7*390), archivedPercent(contracts.ODFL, 390)
	published := fmt.Sprintf("%.2f", right)
	_, id := g.keep(key, "", "id,carrier,ship_date,billed_pct,base_amount,billed_amount,discount_points,cap_pct,min_amount\r\n"+
		fmt.Sprintf("1,ODFL,%s,%s,1000,%.2f,5,,\r\n", day, published, 10*right)+
		fmt.Sprintf("2,ODFL,%s,%s,1000,%.2f,,10,\r\n", day, published, 10*right)+
		fmt.Sprintf("3,ODFL,%s,%s,40,99,,,25\r\n", day, published)+
		fmt.Sprintf("4,ODFL,%s,%s,1000,900,,,\r\n", day, published))
	letter := unzipped(t, g.post(key, auditsPath+"/"+id+"/packet", "application/json", acme).body)["letter.html"]
	letter = strings.Join(strings.Fields(letter), " ")
	for _, want := range []string{
		"less the points and within the cap and the minimum of our agreement with you where these stand below the bill",
		fmt.Sprintf("published: %s - 5.00 points = %.2f; 1000.00 x %.2f / 100 = %.2f. 5.00 points above what is expected, 50.00 USD above", published, right-5, right-5, 10*(right-5)),
		fmt.Sprintf("published: min(%s, cap 10.00) = 10.00; 1000.00 x 10.00 / 100 = 100.00. ", published),
		fmt.Sprintf("published: %s; max(40.00 x %s / 100, minimum 25.00) = 25.00. the percent is right, the amount is not what it makes.", published, published),
		fmt.Sprintf("published: %s; 1000.00 x %s / 100 = %.2f. the percent is right, the amount is not what it makes.", published, published, 10*right),
	} {
		if !strings.Contains(letter, want) {
			t.Errorf("the letter lacks %s: %s", want, letter)
		}
	}
}

// narrow connects so that little waits on the way for who does not read.
func narrow(ctx context.Context, network, address string) (net.Conn, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, network, address)
	if err == nil {
		err = conn.(*net.TCPConn).SetReadBuffer(64 << 10)
	}
	return conn, err
}

// A document that is gone while the packet is sent cuts it short: what came is no ZIP, and the client sees that.
func TestAPacketThatBreaksOff(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	w := s.archiveWorker(contracts.Test)
	var documents []contracts.Evidence
	random := rand.NewChaCha8([32]byte{})
	for range 36 {
		noise := make([]byte, 280<<10)
		_, _ = random.Read(noise)
		documents = append(documents, s.keeps(contracts.Test, contracts.LTL, "application/json", hex.EncodeToString(noise)))
	}
	w.documents.Store(&map[contracts.Date][]contracts.Evidence{archivedFirst.AddDays(7 * 373): documents})
	g := s.gateway()
	key := s.key()
	_, id := g.keep(key, "&columns=auto", disputedFile(t))
	client := &http.Client{Transport: &http.Transport{DialContext: narrow}, Timeout: hangs}
	defer client.CloseIdleConnections()
	ask := func() *http.Response {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, g.url+auditsPath+"/"+id+"/packet", strings.NewReader(acme))
		if err != nil {
			t.Fatal(err)
		}
		r.Header = http.Header{"Content-Type": {"application/json"}, "X-Api-Key": {key}}
		response, err := client.Do(r)
		if err != nil || response.StatusCode != http.StatusOK {
			t.Fatal(response, err)
		}
		return response
	}
	response := ask()
	whole, err := io.ReadAll(response.Body)
	response.Body.Close()
	if files := unzipped(t, whole); err != nil || len(files) != 6+len(documents) {
		t.Fatalf("%d files of %d bytes, %v", len(files), len(whole), err)
	}
	response = ask() // which waits for who reads it
	defer response.Body.Close()
	stream, err := s.js.Stream(t.Context(), contracts.EvidenceStream(contracts.Test).Name)
	if err != nil {
		t.Fatal(err)
	}
	_, seq, err := documents[len(documents)-1].At.Parse()
	if err == nil {
		err = stream.DeleteMsg(t.Context(), seq)
	}
	if err != nil {
		t.Fatal(err)
	}
	if part, err := io.ReadAll(response.Body); !errors.Is(err, io.ErrUnexpectedEOF) || len(part) >= len(whole) {
		t.Errorf("%d of %d bytes, %v", len(part), len(whole), err)
	}
}

func (s *system) refusesPackets(g *runningGateway, key, path string) {
	s.t.Helper()
	for name, c := range map[string]struct {
		key, path, mediaType, body string
		status                     int
		want                       string
	}{
		"another tenant":      {s.key(tenant("other")), path, "application/json", acme, 404, `"reason":"NAME"`},
		"another environment": {s.key(live, tenant("acme")), path, "application/json", acme, 404, `"reason":"NAME"`},
		"another product":     {s.key(tenant("acme"), products(contracts.ABC)), path, "application/json", acme, 403, "PRODUCT_NOT_ENABLED"},
		"nothing billed":      {key, path, "application/json", strings.Replace(acme, "ODFL", "XPO", 1), 422, "no line of XPO that was billed too much"},
		"no carrier":          {key, path, "application/json", strings.Replace(acme, "ODFL", "UPS", 1), 422, "want one of [ODFL"},
		"no name":             {key, path, "application/json", `{"carrier":"ODFL","sender":{"name":" ","address":["x"]}}`, 422, "the name and each line"},
		"no address":          {key, path, "application/json", `{"carrier":"ODFL","sender":{"name":"x"}}`, 422, "want 1 to 6 lines"},
		"a hidden character":  {key, path, "application/json", strings.Replace(acme, "1 Mill", "1\u202eMill", 1), 422, "none of them a control or invisible one"},
		"two lines in one":    {key, path, "application/json", strings.Replace(acme, "1 Mill", `1\nMill`, 1), 422, "none of them a control"},
		"an unknown member":   {key, path, "application/json", strings.Replace(acme, `"sender"`, `"to":"x","sender"`, 1), 422, "the body is no request for a packet"},
		"more behind it":      {key, path, "application/json", acme + "{}", 422, "more follows"},
		"another form":        {key, path, "text/csv", acme, 415, "UNSUPPORTED_MEDIA_TYPE"},
		"too much":            {key, path, "application/json", acme + strings.Repeat(" ", 17<<10), 413, "REQUEST_TOO_LARGE"},
		"no audit":            {key, auditsPath + "/" + strings.Repeat("0", 32) + "/packet", "application/json", acme, 404, `"reason":"NAME"`},
		"no id":               {key, auditsPath + "/x/packet", "application/json", acme, 422, "an id has 32 digits"},
	} {
		if r := g.post(c.key, c.path, c.mediaType, c.body); r.StatusCode != c.status || !strings.Contains(string(r.body), c.want) {
			s.t.Errorf("%s: %d %.300s", name, r.StatusCode, r.body)
		}
	}
}

// packetOfTheConsole sends the form of the audit's page, which gives the same packet.
func (s *system) packetOfTheConsole(g *runningGateway, key, id string, want []byte) {
	s.t.Helper()
	cookie := g.logIn(key)
	page := string(g.pageOf("/console/audit?id="+id, "Cookie", cookie, "Accept-Encoding", "identity").body)
	if !strings.Contains(page, `value="ODFL">ODFL: 3 lines, 30.00 USD</button>`) || !strings.Contains(page, `value="SAIA">SAIA: 1 line, 10.00 USD</button>`) {
		s.t.Errorf("%s", page)
	}
	s.proofOfALine(g, cookie, page)
	form := url.Values{"token": {string(tokenField.FindSubmatch([]byte(page))[1])}, "id": {id}, "packet": {"ODFL"}, "sender": {"Acme <b>Paper</b> & Co."}, "address": {"1 Mill Road\r\n\r\n Dayton, OH 45402 "}}
	r := g.sendForm("/console/audit", cookie, form)
	if r.StatusCode != 200 || !bytes.Equal(r.body, want) || r.Header.Get("Cache-Control") != "no-store" {
		s.t.Errorf("%d %v %.200q", r.StatusCode, r.Header, r.body)
	}
	form.Set("packet", "XPO")
	if r := g.sendForm("/console/audit", cookie, form); r.StatusCode != 422 || !strings.Contains(string(r.body), "no line of XPO") {
		s.t.Errorf("%d %.2000s", r.StatusCode, r.body)
	}
}

// Under a contract the documents of prices and tables are in the packet, and the letter says by what agreement the bills are wrong.
func TestPacketUnderAContract(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.archiveWorker(contracts.Live)
	s.priceWorker(contracts.Live)
	g := s.gateway(withConsole)
	key := s.key(live)
	terms := `{"carrier":"ODFL","from":"2010-01-01","basis":"table_as_of","as_of":"2026-01-05","multiplier":"0.9"}`
	if r := g.putContract(key, "table", terms); r.StatusCode/100 != 2 {
		t.Fatalf("%d %s", r.StatusCode, r.body)
	}
	_, id := g.keep(key, "&contract=table", fmt.Sprintf("id,carrier,ship_date,base_amount,billed_pct,billed_amount\r\n1,ODFL,%s,1000,40,400\r\n", archivedFirst.AddDays(7*390)))
	r := g.post(key, auditsPath+"/"+id+"/packet", "application/json", acme)
	files := unzipped(t, r.body)
	checkSums(t, files)
	for _, want := range []string{"USD 40.00", "kept as “table”", "the bracket table of ODFL as it stood on 2026-01-05", "national prices of diesel", "no document was kept of it"} {
		if !strings.Contains(files["letter.html"], want) {
			t.Errorf("the letter lacks %s: %s", want, files["letter.html"])
		}
	}
	if strings.Contains(files["letter.html"], "INVENTED") || files["answer.json"] != "" || !strings.Contains(files["VERIFY.txt"], `the agreement "table"`) {
		t.Errorf("%s", files["VERIFY.txt"])
	}
	if cents := audit.Cents(4000); !strings.Contains(files["manifest.json"], `"amount_usd": "`+cents.String()+`"`) {
		t.Errorf("%s", files["manifest.json"])
	}
	// What goes by another date than that of the shipment says so, and its proof is of that day's week.
	if r := g.putContract(key, "late", `{"carrier":"ODFL","from":"2010-01-01","basis":"published","date_basis":"delivery"}`); r.StatusCode/100 != 2 {
		t.Fatalf("%d %s", r.StatusCode, r.body)
	}
	shipped, week := archivedFirst.AddDays(7*390), archivedFirst.AddDays(7*391)
	_, id = g.keep(key, "&contract=late", fmt.Sprintf("id,carrier,ship_date,delivery_date,billed_pct\r\n1,ODFL,%s,%s,90\r\n", shipped, week.AddDays(1)))
	letter := unzipped(t, g.post(key, auditsPath+"/"+id+"/packet", "application/json", acme).body)["letter.html"]
	page := string(g.pageOf("/console/audit?id="+id, "Cookie", g.logIn(key), "Accept-Encoding", "identity").body)
	if !strings.Contains(letter, fmt.Sprintf("term 1 of late by delivery_date %s, published: ", week.AddDays(1))) || !strings.Contains(page, "/console/proof?as_of="+string(week)) {
		t.Errorf("%s\n%s", letter, page)
	}
}
