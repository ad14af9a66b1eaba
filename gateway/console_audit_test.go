package gateway_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"

	"assay.dev/contracts"
	"assay.dev/gateway/keys"
)

// The lines of the browser's test: two verdicts with something to recover, one without, and lines that are hostile or broken.
func consoleInvoices() string {
	row := func(id, carrier string, week int, more float64, pro string) string {
		day := archivedFirst.AddDays(7 * week)
		return fmt.Sprintf("%s,%s,%s,%.2f,1000.00,%.2f,%s\r\n", id, carrier, day, archivedPercent(contracts.ODFL, week)+more,
			10*(archivedPercent(contracts.ODFL, week)+more), pro)
	}
	return "id,carrier,ship_date,billed_pct,base_amount,billed_amount,pro_number\r\n" +
		row("small", "ODFL", 375, 1.07, "1") +
		row("<script>document.title='x'</script>", "ODFL", 380, 0, "2") +
		row("=cmd|' /C calc'!A0", "ODFL", 385, 2.09, "3") +
		row("\u202egnp.exe", "ODFL", 390, 0, "4") +
		row("long", "ODFL", 390, 0, strings.Repeat("A", 10_000)) +
		row("stranger", "<img src=x onerror=alert(1)>", 390, 0, "5")
}

// choose puts a file into the form.
func (v *visit) choose(selector, content string) {
	v.t.Helper()
	file := filepath.Join(v.t.TempDir(), "march.csv")
	v.must(os.WriteFile(file, []byte(content), 0o600))
	v.must(v.tab.MustElement(selector).SetFiles([]string{file}))
}

// A person logs in, chooses a CSV, reads the price, has it audited by the keyboard alone, and takes the CSV home. What costs is
// charged once, however often it is asked for; hostile cells are text.
func TestAnAuditInABrowser(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.archiveWorker(contracts.Live)
	g := s.gateway(withConsole)
	key := s.key(live, func(r *keys.Record) { r.Limit = 1000 })
	b := openBrowser(t)
	for _, l := range shown(journey) {
		t.Run(l.String(), func(t *testing.T) {
			v := g.visit(t, b, "/console/audit", l)
			v.logIn(key)
			v.check()
			v.choose("#file", consoleInvoices())
			v.until(`document.querySelector("#message").textContent.includes("6 lines: 3 will get a verdict, at 0.003 USD each; 3 cannot")`)
			v.check()

			v.eval(`Array.from(document.querySelectorAll("#match select")).at(-1).focus()`) // the button comes behind what is read as what
			v.must(v.tab.Keyboard.Type(input.Tab, input.Enter, input.Enter))
			v.until(`document.querySelector("#result") && document.readyState === "complete"`)
			v.isAt("#result-title")
			address := v.eval(`location.pathname + location.search`)
			if !strings.HasPrefix(address, "/console/audit?id=") {
				t.Errorf("the address is %s", address)
			}
			ids := v.eval(`Array.from(document.querySelectorAll("#lines tbody tr"), r => r.cells[0].innerText + " " + r.cells[8].innerText).join("; ")`)
			if want := "=cmd|' /C calc'!A0 20.90; small 10.70; <script>document.title='x'</script> 0.00"; ids != want {
				t.Errorf("the lines are %s", ids)
			}
			if text := v.eval(`document.querySelector("#result").innerText`); !strings.Contains(text, "31.60 USD") ||
				!strings.Contains(text, "line 5: id: invisible characters") || !strings.Contains(text, "line 6: pro_number: at most 200") {
				t.Errorf("the result is %s", text)
			}
			if n := v.eval(`document.querySelectorAll("main script, main img").length + " " + document.title`); n != "0 Audit · Assay" {
				t.Errorf("elements of a file, and the title: %s", n)
			}
			v.check()
			name, content := v.download(`document.querySelector("#save").click()`)
			rows, _ := auditedRows(t, withoutMark(t, content))
			if name != "audit-ODFL-"+time.Now().UTC().Format(time.DateOnly)+".csv" || len(rows) != 6 || rows[2][0] != "'=cmd|' /C calc'!A0" {
				t.Errorf("%s has %v", name, rows)
			}
			if to := v.eval(`document.querySelector("#lines a").getAttribute("href")`); !strings.HasPrefix(to, "/console/proof?as_of=") || !strings.HasSuffix(to, "&carrier=ODFL") {
				t.Errorf("a line's proof is %s", to)
			}
			name, packet := v.saved(func() {
				v.eval(`document.querySelector("#sender").focus()`)
				v.must(v.tab.InsertText("Acme Paper Co."))
				v.must(v.tab.Keyboard.Type(input.Tab))
				v.must(v.tab.InsertText("1 Mill Road\nDayton, OH 45402"))
				v.must(v.tab.Keyboard.Type(input.Tab, input.Enter))
			})
			if letter := unzipped(t, packet)["letter.html"]; !strings.HasPrefix(name, "claim-ODFL-") || !strings.Contains(letter, "1 Mill Road<br>Dayton, OH 45402") {
				t.Errorf("%s has %s", name, letter)
			}
			v.eval(`document.querySelector("#lines a").focus()`)
			wait := v.tab.WaitNavigation(proto.PageLifecycleEventNameLoad)
			v.must(v.tab.Keyboard.Type(input.Enter))
			wait()
			v.has("The fuel surcharge of ODFL", "Download the answer")
			v.moves(v.tab.NavigateBack)
			v.until(`document.querySelectorAll("#lines tbody tr").length === 3`)
			v.moves(v.tab.Reload)
			v.until(`document.querySelectorAll("#lines tbody tr").length === 3 && location.pathname + location.search === "` + address + `"`)
			v.check()
			v.choose("#file", "id,carrier\r\n")
			v.until(`document.querySelector("#message").textContent.includes("no column is known as ship_date")`)
		})
	}
	s.billed(3) // of two audits of the same file, each opened three times
}

// A file as it was exported: what is read as what is shown with its first lines before anything is charged. What the file leaves open is
// asked for, and one choice decides it; the form of dates is remembered for the next file.
func TestAFileAsItWasExportedInABrowser(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.archiveWorker(contracts.Live)
	g := s.gateway(withConsole)
	key := s.key(live, func(r *keys.Record) { r.Limit = 1000 })
	v := g.visit(t, openBrowser(t), "/console/audit", looks[0])
	v.logIn(key)
	day := archivedFirst.AddDays(7 * 300)
	for day[5:7] == day[8:] || day[8:] > "12" { // whose month and day may be taken for each other
		day = day.AddDays(1)
	}
	file := "Carrier invoices\r\n\r\nPRO #;SCAC;Pickup;Fuel;Net Linehaul;Ship To\r\n"
	for n := range 4 {
		file += fmt.Sprintf("P%d;ODFL;%s/%s/%s;31.00;1.000,00;<b>x</b>\r\n", n, day[5:7], day[8:], day[:4])
	}
	v.choose("#file", file)
	v.until(`document.querySelector("#message").textContent.includes("may be billed_pct or billed_amount")`)
	v.check()
	if n := v.eval(`document.querySelectorAll("#match tbody tr:first-child td").length + " " + document.querySelectorAll("#match b").length`); n != "5 0" {
		t.Errorf("a member has its column and three lines: %s", n)
	}
	set := func(field, value string) {
		v.eval(fmt.Sprintf(`(s => { s.value = %q; s.dispatchEvent(new Event("change")); })(document.querySelector("#%s"))`, value, field))
	}
	set("column_billed_pct", "#4")
	v.until(`document.querySelector("#message").textContent.includes("date_form=mdy or dmy")`)
	set("date_form", "mdy")
	v.until(`document.querySelector("#message").textContent.startsWith("4 lines: 4 will get a verdict")`)
	if shown := v.eval(`document.querySelector("#column_ship_date").selectedOptions[0].textContent + " " + document.querySelector("#match").innerText.includes("carried through as they are: Ship To")`); shown != "Pickup true" {
		t.Errorf("the match is %s", shown)
	}
	v.check()
	v.press("#pay")
	_, content := v.download(`document.querySelector("#save").click()`)
	if text := string(content); !strings.Contains(text, "Ship To,id,carrier,ship_date,verdict") || !strings.Contains(text, ",4,ODFL,"+string(day)+",") {
		t.Errorf("%s", text)
	}
	v.choose("#file", strings.Replace(file, "Fuel;", "FSC %;", 1))
	v.until(`document.querySelector("#message").textContent.startsWith("4 lines: 4 will get a verdict")`)

	v.choose("#file", twoSheets(t, [][]string{{"SCAC", "Shipped", "FSC %"}}, [][]string{{"FSC %", "SCAC", "Shipped"}, {"31%", "ODFL", string(day)}}))
	v.until(`document.querySelector("#message").textContent.includes("the first sheet has no lines")`)
	v.check()
	set("column_sheet", "#2")
	v.until(`document.querySelector("#message").textContent.startsWith("1 line: 1 will get a verdict")`)
	set("column_sheet", "#1") // where #2 holds something else
	v.until(`document.querySelector("#message").textContent.includes("there are no lines")`)
	if shown := v.eval(`document.querySelector("#column_carrier").selectedOptions[0].textContent`); shown != "SCAC" {
		t.Errorf("the columns of the other sheet were kept: carrier is read from %s", shown)
	}
	set("column_sheet", "#2")
	v.until(`document.querySelector("#message").textContent.startsWith("1 line: 1 will get a verdict")`)
	v.press("#pay")
	v.until(`document.querySelector("#result-title") && document.readyState === "complete"`)
	s.billed(5)
}

// twoSheets is a workbook of two sheets with these rows.
func twoSheets(t *testing.T, first, second [][]string) string {
	t.Helper()
	sheet := func(rows [][]string) (text string) {
		for _, r := range rows {
			text += "<row>"
			for _, cell := range r {
				text += `<c t="str"><v>` + cell + `</v></c>`
			}
			text += "</row>"
		}
		return "<worksheet><sheetData>" + text + "</sheetData></worksheet>"
	}
	const relation = `<Relationship Id=%q Type="x/%s" Target=%q/>`
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, text := range map[string]string{
		"_rels/.rels":                "<Relationships>" + fmt.Sprintf(relation, "b", "officeDocument", "xl/workbook.xml") + "</Relationships>",
		"xl/workbook.xml":            `<workbook xmlns:r="r"><sheets><sheet name="Cover" r:id="1"/><sheet name="May" r:id="2"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": "<Relationships>" + fmt.Sprintf(relation+relation, "1", "worksheet", "1.xml", "2", "worksheet", "2.xml") + "</Relationships>",
		"xl/1.xml":                   sheet(first), "xl/2.xml": sheet(second),
	} {
		part, err := w.Create(name)
		if err == nil {
			_, err = part.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
