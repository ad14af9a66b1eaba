package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/launcher"
	"github.com/go-rod/rod/lib/proto"

	"assay.dev/contracts"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/daemon"
)

var screenshots = flag.String("screenshots", "", "folder for pictures of every page; none when empty")

// viewports are the sizes of pictures, by the end of their names.
var viewports = map[string]proto.EmulationSetDeviceMetricsOverride{
	"360": {Width: 360, Height: 740, DeviceScaleFactor: 1}, "1440": {Width: 1440, Height: 900, DeviceScaleFactor: 1},
}

// person is somebody at a browser.
type person struct {
	*testing.T
	base, key, dir string
	tab            *rod.Page
}

func newPerson(t *testing.T) *person {
	t.Helper()
	bin, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no Chromium: `make programs` installs it")
	}
	base, key := up(t)
	l := launcher.New().Bin(bin).Leakless(false).NoSandbox(true).Set("disable-dev-shm-usage").
		Set("no-proxy-server").Set("disable-background-networking").Set("disable-component-update").Set("hide-scrollbars")
	b := rod.New().ControlURL(l.MustLaunch()).NoDefaultDevice().MustConnect()
	t.Cleanup(func() {
		_ = b.Close()
		l.Kill()
		l.Cleanup()
	})
	p := &person{T: t, base: base, key: key, dir: t.TempDir(), tab: b.MustPage().Timeout(2 * clocktest.Patience)}
	p.look("1440")
	return p
}

// look sets the size of the window.
func (p *person) look(viewport string) {
	p.Helper()
	size := viewports[viewport]
	if err := size.Call(p.tab); err != nil {
		p.Fatal(err)
	}
	if err := (proto.EmulationSetEmulatedMedia{Features: []*proto.EmulationMediaFeature{
		{Name: "prefers-color-scheme", Value: "light"}, {Name: "prefers-reduced-motion", Value: "reduce"},
	}}).Call(p.tab); err != nil {
		p.Fatal(err)
	}
}

// open opens a page of the system.
func (p *person) open(path string) { p.tab.MustNavigate(p.base + path).MustWaitLoad() }

// find waits for what a selector names on a page that has loaded.
func (p *person) find(selector string) (found *rod.Element) {
	p.Helper()
	p.lookUntil(selector, func(tab *rod.Page) { found = tab.MustWaitLoad().MustElement(selector) })
	return found
}

// press presses what a selector names, once the page's scripts have run.
func (p *person) press(selector string) {
	p.Helper()
	p.find(selector).MustEval(`() => this.click()`)
}

// sees waits for a text in what a selector names.
func (p *person) sees(selector, text string) {
	p.Helper()
	p.lookUntil(selector+" with "+text, func(tab *rod.Page) { tab.MustElementR(selector, text) })
}

// lookUntil repeats a look that fails: Chromium ends one during which the page is replaced by the next one.
func (p *person) lookUntil(what string, look func(*rod.Page)) {
	p.Helper()
	var err error
	tab := p.tab.Timeout(clocktest.Patience)
	if !clocktest.Holds(func() bool { err = rod.Try(func() { look(tab) }); return err == nil }) {
		p.Fatalf("never %s: %v: %.3000s", what, err, p.tab.MustElement("body").MustText())
	}
}

// choose gives a file to an input.
func (p *person) choose(selector, name, content string) {
	file := filepath.Join(p.dir, name)
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		p.Fatal(err)
	}
	p.find(selector).MustSetFiles(file)
}

// save presses a download, and is where the file is.
func (p *person) save(selector string) string {
	p.Helper()
	wait := p.tab.Browser().WaitDownload(p.dir)
	p.press(selector)
	return filepath.Join(p.dir, wait().GUID)
}

// takeHome saves an answer and each document that it names, and gives the command that verifies them.
func (p *person) takeHome() []string {
	p.Helper()
	args, pages := []string{"evidence", "verify", p.save("#download")}, []string{}
	for _, link := range p.tab.MustElements("#words ul a") {
		pages = append(pages, *link.MustAttribute("href"))
	}
	for _, page := range pages {
		p.open(page)
		args = append(args, p.save("#document a"))
	}
	return args
}

// picture takes pictures of the page as it is, if they are wanted.
func (p *person) picture(name string) {
	p.Helper()
	if *screenshots == "" {
		return
	}
	for viewport := range viewports {
		p.look(viewport)
		p.tab.MustWaitStable()
		quality := 80
		shot, err := p.tab.Screenshot(false, &proto.PageCaptureScreenshot{Format: proto.PageCaptureScreenshotFormatWebp, Quality: &quality})
		if err != nil {
			p.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(*screenshots, name+"-"+viewport+".webp"), shot, 0o644); err != nil {
			p.Fatal(err)
		}
	}
	p.look("1440")
}

// invoicesOfToday are a line of each carrier for a shipment of today, billed at a percent that none publishes.
func invoicesOfToday() string {
	var text strings.Builder
	text.WriteString("id,carrier,ship_date,billed_pct,base_amount,billed_amount\n")
	for i, c := range contracts.Carriers {
		fmt.Fprintf(&text, "INV-%04d,%s,%s,61.5,%d,%d.50\n", 1000+i, c, contracts.Today(time.Now()), 400+100*i, 246+i*61)
	}
	text.WriteString("INV-2000,ODFL,2026-13-01,46.3,100,46.30\n")
	return text.String()
}

// A person audits invoices, goes on to the proof of a line, checks it, takes the answer and the document home and checks them there;
// then draws the chart, opens the proof of a week in it and takes that home; then looks a license up and sees its proof. All of it is the system as `assay up` runs it. With -screenshots every page is
// pictured on the way.
func TestAPersonAuditsAndProves(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("waits for seconds")
	}
	p := newPerson(t)
	p.open("/console/audit")
	p.picture("login")
	p.find("#key").MustInput(p.key)
	p.press("main form button")
	p.sees("h1", "Audit")

	p.choose("#file", "invoices.csv", invoicesOfToday())
	p.sees("#message", "11 lines: 10 will get a verdict, at 0.00 USD each; 1 cannot be judged and is free")
	p.press("#pay")
	p.sees("#lines td", "OVERBILLED|UNDERBILLED")
	p.sees("#problem-list", "line 12: ship_date")
	p.tab.MustEval(`() => scrollTo(0, document.querySelector("#result").offsetTop)`)
	p.picture("audit")

	p.press("#lines a")
	p.sees("#question", "The fuel surcharge of")
	p.verifies() // a line that was paid asks no further answer
	p.picture("proof")
	code, out, errs := run(t, daemon.Environ{}, p.takeHome()...)
	if code != 0 || !strings.HasSuffix(out, "verified\n") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}

	p.open("/console/surcharges")
	p.press(".choose button")
	p.sees("#readout td", "%")
	p.picture("surcharges")
	p.press("#readout td a")
	p.press("#get")
	p.verifies()
	p.sees("#document mark.row mark", `^\d`)
	if answer := readFile(t, p.save("#download")); !strings.Contains(answer, `"fuel_surcharge_pct"`) {
		t.Errorf("the answer is %s", answer)
	}

	p.open("/console/licenses")
	p.find("#number").MustInput("400000")
	p.press("#lookup button")
	p.sees("#records td", "400000")
	p.picture("licenses")
	p.press("#to-proof button")
	p.verifies()
	if marked := p.find("#document mark").MustText(); marked == "" {
		t.Error("nothing is marked")
	}
	if *screenshots != "" {
		p.pictureAnswers()
		p.pictureTheRest()
	}
}

// pictureAnswers pictures the verdicts of each kind, and the percents of all carriers on a day.
func (p *person) pictureAnswers() {
	p.Helper()
	for verdict, number := range map[string]string{
		"pass": "400000", "conditional": "400117", "fail": "400036", "unverified": "400009",
	} {
		p.open("/console/licenses")
		p.find("#number").MustInput(number)
		p.press("#lookup button")
		p.sees("#message", strings.ToUpper(verdict)+". One license.")
		p.picture("verdict-" + verdict)
	}
	p.open("/console/surcharges")
	p.find("[name=as_of]").MustEval(`day => { this.value = day }`, contracts.Today(time.Now()))
	p.press(".choose button")
	p.sees(".day td", "%")
	p.picture("surcharges-day")
}

// verifies waits until the checks of a proof have succeeded.
func (p *person) verifies() {
	p.Helper()
	p.sees("#outcome", "^Verified|^Not verified|could not be checked")
	if outcome := p.find("#outcome").MustText(); !strings.HasPrefix(outcome, "Verified") {
		p.Errorf("%s: %s", outcome, p.tab.MustElement("#checks").MustText())
	}
}

// pictureTheRest pictures every page that the navigation leads to.
func (p *person) pictureTheRest() {
	p.Helper()
	var paths []string
	for _, link := range p.tab.MustElements("header nav a") {
		paths = append(paths, *link.MustAttribute("href"))
	}
	for _, path := range paths {
		name := strings.ReplaceAll(strings.Trim(path, "/"), "/", "-")
		if name = strings.TrimPrefix(name, "console-"); name == "" {
			name = "home"
		}
		if !isPicturedOnTheWay[name] {
			p.open(path)
			p.picture(name)
		}
	}
}

// isPicturedOnTheWay names the pages that are pictured with something on them.
var isPicturedOnTheWay = map[string]bool{"audit": true, "proof": true, "licenses": true, "surcharges": true}
