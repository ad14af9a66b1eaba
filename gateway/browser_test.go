package gateway_test

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/launcher"
	"github.com/go-rod/rod/lib/proto"

	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/csvrow"
)

// axeSource is axe-core, which checks a page for what keeps people from using it. See tools/web-assets.sh.
//
//go:embed site/testdata/axe-core/axe.min.js
var axeSource string

// look is how a page is looked at.
type look struct {
	width int
	dark  bool
	// both: the colours of the other scheme are looked at too, on the page as it is then.
	both bool
}

func (l look) String() string { return fmt.Sprintf("%d px, dark %v", l.width, l.dark) }

// looks are the widths and schemes that every page is shown in. A journey is walked at each width, and in a scheme of each.
var (
	looks   = []look{{width: 360}, {width: 360, dark: true}, {width: 1440}, {width: 1440, dark: true}}
	journey = []look{{width: 360, dark: true, both: true}, {width: 1440, both: true}}
)

var areAll = flag.Bool("looks", false, "show pages in all looks and check them with axe-core, as `make volume` does, in place of at 360 px")

// shown are the looks of this run.
func shown(all []look) []look {
	return slices.DeleteFunc(slices.Clone(all), func(l look) bool { return l.width == 1440 && !*areAll })
}

// chromium is the path of a Chromium. It skips the test where there is none.
func chromium(t testing.TB) string {
	t.Helper()
	// The shell has the same engine without what a person's browser starts beside it, which costs two thirds of the time.
	bin, err := exec.LookPath("chromium-headless-shell")
	if err != nil {
		bin, err = exec.LookPath("chromium")
	}
	if err != nil {
		t.Skip("no Chromium: `make programs` installs it")
	}
	return bin
}

// openBrowser starts a Chromium that ends with the test.
func openBrowser(t testing.TB) *rod.Browser {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a Chromium")
	}
	// A page lives for seconds: what compilers save on its scripts is less than they cost.
	l := launcher.New().Bin(chromium(t)).Leakless(false).NoSandbox(true).Set("disable-dev-shm-usage").
		Set("no-proxy-server").Set("disable-background-networking").Set("disable-component-update").
		Set("js-flags", "--no-opt --no-maglev")
	at, err := l.Launch()
	if err != nil {
		t.Fatal(err)
	}
	b := rod.New().ControlURL(at).NoDefaultDevice()
	if err := b.Connect(); err != nil {
		l.Kill()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = b.Close()
		l.Kill()
		l.Cleanup()
	})
	return b
}

// visit is a page in a window of its own, with what went wrong on it.
type visit struct {
	t    testing.TB
	tab  *rod.Page
	host string
	look look

	mu    sync.Mutex
	wrong []string
}

// visit opens a window and a page in it.
func (g *runningGateway) visit(t testing.TB, b *rod.Browser, path string, l look) *visit {
	t.Helper()
	v := g.window(t, b, l)
	v.goTo(g.url + path)
	return v
}

// window opens an empty window that shares nothing with others.
func (g *runningGateway) window(t testing.TB, b *rod.Browser, l look) *visit {
	t.Helper()
	window, err := b.Incognito()
	if err != nil {
		t.Fatal(err)
	}
	tab, err := window.Page(proto.TargetCreateTarget{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = proto.TargetDisposeBrowserContext{BrowserContextID: window.BrowserContextID}.Call(b) })
	at, err := url.Parse(g.url)
	if err != nil {
		t.Fatal(err)
	}
	v := &visit{t: t, tab: tab.Timeout(2 * clocktest.Patience), host: at.Host}
	v.listen()
	v.setLook(l)
	return v
}

// listen notes errors on the console, exceptions, violations of the policy and requests to other hosts.
func (v *visit) listen() {
	v.must(proto.NetworkEnable{}.Call(v.tab))
	v.must(proto.LogEnable{}.Call(v.tab))
	v.must(proto.RuntimeEnable{}.Call(v.tab))
	go v.tab.EachEvent(
		func(e *proto.LogEntryAdded) {
			if e.Entry.Level == proto.LogLogEntryLevelError || e.Entry.Source == proto.LogLogEntrySourceSecurity {
				v.note("log: " + e.Entry.Text + " " + e.Entry.URL)
			}
		},
		func(e *proto.RuntimeConsoleAPICalled) {
			if e.Type == proto.RuntimeConsoleAPICalledTypeError || e.Type == proto.RuntimeConsoleAPICalledTypeWarning {
				v.note(fmt.Sprintf("console: %+v", e.Args))
			}
		},
		func(e *proto.RuntimeExceptionThrown) { v.note("exception: " + e.ExceptionDetails.Text) },
		func(e *proto.NetworkRequestWillBeSent) {
			if at, err := url.Parse(e.Request.URL); err != nil || at.Scheme != "data" && at.Scheme != "about" && at.Scheme != "blob" && at.Host != v.host {
				v.note("a request to " + e.Request.URL)
			}
		},
	)()
	_, err := v.tab.EvalOnNewDocument(`window.violations = [];
		addEventListener("securitypolicyviolation", e => violations.push(e.violatedDirective + " " + e.blockedURI))`)
	v.must(err)
}

func (v *visit) note(what string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.wrong = append(v.wrong, what)
}

func (v *visit) setLook(l look) {
	v.look = l
	v.must(proto.EmulationSetDeviceMetricsOverride{Width: l.width, Height: 900, DeviceScaleFactor: 1}.Call(v.tab))
	v.setScheme(l.dark)
}

func (v *visit) setScheme(isDark bool) {
	scheme := "light"
	if isDark {
		scheme = "dark"
	}
	v.must(proto.EmulationSetEmulatedMedia{Features: []*proto.EmulationMediaFeature{
		{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
	}}.Call(v.tab))
}

// goTo opens an address and waits until the page has loaded.
func (v *visit) goTo(address string) {
	v.t.Helper()
	wait := v.tab.WaitNavigation(proto.PageLifecycleEventNameLoad)
	v.must(v.tab.Navigate(address))
	wait()
}

// until waits until an expression of JavaScript is true on a page that has come whole: what stands below may be looked for then.
func (v *visit) until(expression string) {
	v.t.Helper()
	if clocktest.Holds(func() bool {
		r, err := v.tab.Eval(`() => document.readyState !== "loading" && !!(` + expression + ")")
		return err == nil && r.Value.Bool()
	}) {
		return
	}
	v.t.Fatalf("never: %s; on the page: %.2000s; wrong: %v", expression, v.eval("document.body.innerText"), v.wrong)
}

// eval is the value of an expression of JavaScript as text.
func (v *visit) eval(expression string) string {
	v.t.Helper()
	r, err := v.tab.Eval("() => " + expression)
	v.must(err)
	return r.Value.String()
}

// moves goes Back or Forward, or reloads. Chromium's reply is lost when the page goes before it; what follows waits for the other page.
func (v *visit) moves(how func() error) {
	v.t.Helper()
	if err := how(); err != nil && !strings.Contains(err.Error(), "navigated or closed") {
		v.t.Fatal(err)
	}
}

func (v *visit) must(err error) {
	v.t.Helper()
	if err != nil {
		v.t.Fatal(err)
	}
}

// check fails when anything is wrong on the page as it is now.
func (v *visit) check() {
	v.t.Helper()
	v.mu.Lock()
	wrong := slices.Clone(v.wrong)
	v.mu.Unlock()
	for _, w := range wrong {
		v.t.Error(w)
	}
	if violations := v.eval("JSON.stringify(window.violations ?? [])"); violations != "[]" {
		v.t.Errorf("violations of the policy: %s", violations)
	}
	if over := v.eval("document.documentElement.scrollWidth - document.documentElement.clientWidth"); over != "0" {
		v.t.Errorf("the page is %s px too wide", over)
	}
	if cut := v.eval(`document.querySelector("#lines")?.scrollWidth > document.querySelector("#lines")?.clientWidth`); cut == "true" {
		v.t.Error("the lines of the audit scroll sideways")
	}
	if cut := v.eval(`Array.from(document.querySelectorAll(".stacked")).filter(e => innerWidth < 640 && e.offsetWidth > e.parentElement.clientWidth).length`); cut != "0" {
		v.t.Errorf("%s tables scroll sideways", cut)
	}
	if narrow := v.eval(`Array.from(document.querySelectorAll("dd")).filter(e => e.offsetWidth && e.offsetWidth < 100).map(e => e.innerText.slice(0, 80)).join("; ")`); narrow != "" {
		v.t.Errorf("values that are squeezed by their names: %s", narrow)
	}
	if n := v.eval(turning); n != "" {
		v.t.Errorf("words that turn the direction stand in %s", n)
	}
	v.checkAccess()
}

// isAt fails unless a person is where an answer begins: that has the focus, and its top is on the screen.
func (v *visit) isAt(selector string) {
	v.t.Helper()
	v.until(fmt.Sprintf(`((e, top) => document.activeElement === e && top >= -1 && top < innerHeight - 20)(
		document.querySelector(%[1]q), document.querySelector(%[1]q).getBoundingClientRect().top)`, selector))
}

// turning are the elements with words that turn the direction of what stands around them: a bdi keeps that apart, and so does a line
// of a document.
const turning = `Array.from(document.querySelectorAll("body *")).filter(e => !e.closest("bdi, pre") &&
	Array.from(e.childNodes).some(n => n.nodeType === 3 && /[\u202a-\u202e\u2066-\u2069]/.test(n.data))).map(e => e.outerHTML.slice(0, 80)).join()`

// download presses a link or a button, and returns what the browser saves.
func (v *visit) download(press string) (name string, content []byte) {
	v.t.Helper()
	return v.saved(func() { v.eval(press) })
}

// saved is what the browser saves after something was done.
func (v *visit) saved(do func()) (name string, content []byte) {
	v.t.Helper()
	dir := v.t.TempDir()
	wait := v.tab.Browser().Timeout(clocktest.Patience).WaitDownload(dir)
	do()
	info := wait()
	content, err := os.ReadFile(filepath.Join(dir, info.GUID))
	v.must(err)
	return info.SuggestedFilename, content
}

// downloadCSV is download of a CSV; it returns its rows with the header.
func (v *visit) downloadCSV(press string) [][]string {
	v.t.Helper()
	_, content := v.download(press)
	rows, err := csv.NewReader(bytes.NewReader(withoutMark(v.t, content))).ReadAll()
	v.must(err)
	return rows
}

// withoutMark is a CSV of the console without its byte order mark, which it must have.
func withoutMark(t testing.TB, file []byte) []byte {
	t.Helper()
	text, marked := bytes.CutPrefix(file, []byte(csvrow.ByteOrderMark))
	if !marked {
		t.Errorf("no byte order mark before %.40q", file)
	}
	return text
}

// logIn pastes a key into the log-in form, and waits for the page that was asked for.
func (v *visit) logIn(key string) {
	v.t.Helper()
	v.must(v.tab.MustElement("#key").Input(key))
	v.eval(`document.querySelector("main form button").click()`)
	v.until(`!document.querySelector("#key") && document.readyState === "complete"`)
}

// axeRun asks axe-core for what is wrong, as "impact rule: elements". Colours that are on their way to others are there at once.
const axeRun = `document.getAnimations().filter(a => a.effect.getComputedTiming().endTime < Infinity).forEach(a => a.finish());
	axe.run({resultTypes: ["violations"]%s}).then(r => JSON.stringify(r.violations
	.map(v => v.impact + " " + v.id + ": " + v.nodes.slice(0, 8).map(n => n.target + " " + (n.any[0]?.message || n.failureSummary)).join(" | "))))`

// axeOfColours are the rules of axe-core by which a scheme can be wrong where the other one is right.
const axeOfColours = `, runOnly: ["color-contrast", "link-in-text-block"]`

// checkAccess fails for what axe-core finds, however small.
func (v *visit) checkAccess() {
	v.t.Helper()
	if !*areAll {
		return
	}
	_, err := proto.RuntimeEvaluate{Expression: axeSource}.Call(v.tab) // the policy of the page does not hold for debuggers
	v.must(err)
	v.axe("")
	if v.look.both {
		v.setScheme(!v.look.dark)
		v.axe(axeOfColours)
		v.setScheme(v.look.dark)
	}
}

func (v *visit) axe(options string) {
	v.t.Helper()
	r, err := proto.RuntimeEvaluate{Expression: fmt.Sprintf(axeRun, options), AwaitPromise: true, ReturnByValue: true}.Call(v.tab)
	v.must(err)
	if r.ExceptionDetails != nil {
		v.t.Fatal(r.ExceptionDetails.Text)
	}
	var found []string
	v.must(json.Unmarshal([]byte(r.Result.Value.Str()), &found))
	if len(found) > 0 {
		v.t.Errorf("axe:\n%s", strings.Join(found, "\n"))
	}
}
