package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"assay.dev/contracts"
	"assay.dev/platform/access"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/daemon"
)

// run executes one command line with nothing on its standard input.
func run(t testing.TB, e daemon.Environ, args ...string) (code int, out, errs string) {
	t.Helper()
	return runWith(t, e, "", args...)
}

func runWith(t testing.TB, e daemon.Environ, in string, args ...string) (code int, out, errs string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), clocktest.Patience)
	defer cancel()
	var stdout, stderr bytes.Buffer
	code = execute(ctx, args, &console{environ: e, in: io.NopCloser(strings.NewReader(in)), out: &stdout, errs: &stderr})
	return code, stdout.String(), stderr.String()
}

func must(t testing.TB, e daemon.Environ, args ...string) string {
	t.Helper()
	code, out, errs := run(t, e, args...)
	if code != 0 {
		t.Fatalf("assay %v: exit %d\n%s%s", args, code, out, errs)
	}
	return strings.TrimSpace(out)
}

// deployment is a NATS server on TCP without anything in it.
func deployment(t testing.TB) daemon.Environ {
	t.Helper()
	return deploymentAt(t, server.RANDOM_PORT)
}

func deploymentAt(t testing.TB, port int) daemon.Environ {
	t.Helper()
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: port, NoLog: true, NoSigs: true,
		JetStream: true, StoreDir: t.TempDir(), JetStreamMaxStore: 64 << 30, JetStreamMaxMemory: 1 << 30,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	if !s.ReadyForConnections(clocktest.Patience) {
		t.Fatal("NATS did not start")
	}
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	return daemon.Environ{"ASSAY_NATS_URL": s.ClientURL()}
}

func TestProvisionWaitsForServersThatStart(t *testing.T) {
	l, err := net.Listen("tcp", bustest.FreeAddress(t))
	if err != nil {
		t.Fatal(err)
	}
	address, _ := l.Addr().(*net.TCPAddr)
	e := daemon.Environ{"ASSAY_NATS_URL": fmt.Sprintf("nats://%s", address)}
	done := make(chan string, 1)
	go func() {
		code, out, errs := run(t, e, "provision", "--first", "--wait", "1m")
		done <- fmt.Sprint(code, " ", out, errs)
	}()
	tried, err := l.Accept() // no NATS server: the attempt fails, and is made again
	if err != nil {
		t.Fatal(err)
	}
	_ = tried.Close()
	_ = l.Close()
	deploymentAt(t, address.Port)
	if said := <-done; !strings.HasPrefix(said, "0 ") || !strings.Contains(said, "in place") {
		t.Errorf("%s", said)
	}
}

func TestTheLifeOfAKey(t *testing.T) {
	e := deployment(t)
	must(t, e, "provision", "--first")
	must(t, e, "provision") // again
	key := must(t, e, "keys", "create", "--tenant", "acme", "--environment", "live", "--products", "ltl", "--limit", "5", "--expires", "720h")
	if !strings.HasPrefix(key, "live_") {
		t.Fatalf("key %s", key)
	}
	next := must(t, e, "keys", "rotate", key, "--overlap", "1h")
	must(t, e, "keys", "revoke", key)
	if code, out, errs := runWith(t, e, "marketplace-key-0001\n", "keys", "import", "--tenant", "bazaar", "--product", "abc"); code != 0 {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	list := must(t, e, "keys", "list")
	for _, want := range []string{"acme", "bazaar", "live", key[len(key)-4:], next[len(next)-4:], "revoked", "good"} {
		if !strings.Contains(list, want) {
			t.Errorf("no %q in\n%s", want, list)
		}
	}
	if strings.Contains(list, key) || strings.Contains(list, next) {
		t.Errorf("a whole key in\n%s", list)
	}
	if usage := must(t, e, "usage"); !strings.HasPrefix(usage, "MONTH") {
		t.Errorf("usage printed %s", usage)
	}
}

// With another key than its own a command would wait for replies that it may not read, and call each stream silent.
func TestACommandNamesTheKeyThatItWants(t *testing.T) {
	pair, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	seed, _ := pair.Seed()
	public, _ := pair.PublicKey()
	opts := bustest.Stop(bustest.Server(t))
	for _, u := range access.Users() {
		if u.Name == access.Operator {
			opts.Nkeys = []*server.NkeyUser{{Nkey: public, Permissions: &server.Permissions{
				Publish: &server.SubjectPermission{Allow: u.Publish}, Subscribe: &server.SubjectPermission{Allow: u.Subscribe},
			}}}
		}
	}
	e := daemon.Environ{"ASSAY_NATS_URL": bustest.Start(t, opts).ClientURL(), "ASSAY_NATS_NKEY": string(seed)}
	must(t, e, "keys", "list")
	for user, args := range map[string][]string{
		access.Backup: {"check"}, access.Restore: {"restore", t.TempDir()}, access.Provision: {"provision"},
	} {
		code, out, errs := run(t, e, args...)
		if want := fmt.Sprintf("wants the nkey of the NATS user %q", user); code != 1 || !strings.Contains(errs, want) {
			t.Errorf("assay %v: exit %d, want one that says %s\n%s%s", args, code, want, out, errs)
		}
	}
}

func TestWebhooksAreListedAndDisabled(t *testing.T) {
	e := deployment(t)
	must(t, e, "provision", "--first")
	must(t, e, "keys", "create", "--tenant", "acme", "--environment", "live")
	conn, err := nats.Connect(e["ASSAY_NATS_URL"])
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	bucket, err := bustest.JetStream(t, conn).KeyValue(t.Context(), contracts.EndpointsBucket.Name)
	if err != nil {
		t.Fatal(err)
	}
	const id = "4rqjxw2hdk7mzb5c3vntfgy6ae"
	doc := `{"id":"` + id + `","url":"https://erp.example.com/hook?token=canary","products":["abc"],"failing_since":"2026-11-20T10:00:00Z","retries":[{}]}`
	if _, err := bucket.PutString(t.Context(), contracts.OwnerKey(contracts.Live, "acme")+"."+id, doc); err != nil {
		t.Fatal(err)
	}
	list := must(t, e, "webhooks", "list")
	for _, want := range []string{id, "acme", "live", "erp.example.com", "failing", "2026-11-20T10:00:00Z"} {
		if !strings.Contains(list, want) || strings.Contains(list, "canary") {
			t.Errorf("no %q, or the URL's token, in\n%s", want, list)
		}
	}
	must(t, e, "webhooks", "disable", id)
	if list := must(t, e, "webhooks", "list"); !strings.Contains(list, "disabled") {
		t.Errorf("after disabling:\n%s", list)
	}
	if code, _, errs := run(t, e, "webhooks", "disable", "other"); code != 1 || !strings.Contains(errs, "no webhook of that id") {
		t.Errorf("another id: %d %s", code, errs)
	}
}

func TestCreditsAreShownAndSet(t *testing.T) {
	e := deployment(t)
	must(t, e, "provision", "--first")
	if out := must(t, e, "credits"); !strings.Contains(out, "1000") || !strings.Contains(out, "20.0000") {
		t.Errorf("the budgets of the settings are not in\n%s", out)
	}
	must(t, e, "credits", "set", "--renders", "2500", "--solves", "7.5")
	if out := must(t, e, "credits", "--month", "2026-01"); !strings.Contains(out, "1000") {
		t.Errorf("the budgets of a month that is over: %s", out)
	}
	if out := must(t, e, "credits"); !strings.Contains(out, "2500") || !strings.Contains(out, "7.5000") {
		t.Errorf("the budgets that were set are not in\n%s", out)
	}
}

func TestProbeShowsWhatWasRead(t *testing.T) {
	out := must(t, daemon.Environ{"ASSAY_CHROMIUM": "/nonexistent"}, "probe", "odfl", "--environment", "test")
	for _, want := range []string{"ODFL on ", "path api (api_mirror)", "confidence  1.00", "GET https://api.odfl.com/", "transcript"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

func TestProbeOfAState(t *testing.T) {
	out := must(t, daemon.Environ{}, "probe", "NY", "--environment", "test", "--dba-name", "bar")
	for _, want := range []string{"NY bar", "api_mirror", "confidence", `"license_number"`, "transcript"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

func TestCommandLines(t *testing.T) {
	nowhere := daemon.Environ{"ASSAY_DATA": t.TempDir()}
	for name, tt := range map[string]struct {
		args []string
		code int
		out  string
		errs string
	}{
		"help":                     {args: []string{"--help"}, out: "Commands:"},
		"help of up":               {args: []string{"up", "--help"}, out: "ASSAY_LISTEN (default 127.0.0.1:8080)"},
		"effective settings":       {args: []string{"up", "--check-config"}, out: "ASSAY_LISTEN=127.0.0.1:8080"},
		"version":                  {args: []string{"version"}, out: "assay "},
		"no command":               {args: nil, code: 2, errs: "Commands:"},
		"no command of a group":    {args: []string{"keys"}, code: 2, errs: "`assay keys --help`"},
		"help of a command":        {args: []string{"help", "keys", "create"}, out: "--tenant"},
		"help of no command":       {args: []string{"help", "frobnicate"}, code: 2, errs: "frobnicate"},
		"exit codes":               {args: []string{"help"}, out: "Exit codes: 0"},
		"version by flag":          {args: []string{"--version"}, out: "assay "},
		"version by short flag":    {args: []string{"-v"}, out: "assay "},
		"a limit of nothing":       {args: []string{"keys", "create", "--tenant", "a", "--limit", "0"}, code: 2, errs: "--limit 0: want at least 1"},
		"a tenant with blanks":     {args: []string{"keys", "create", "--tenant", "a b"}, code: 2, errs: "--tenant"},
		"an unreadable period":     {args: []string{"keys", "create", "--tenant", "a", "--expires", "soon"}, code: 2, errs: "want one such as"},
		"six replicas":             {args: []string{"provision", "--replicas", "6"}, code: 2, errs: "--replicas 6: want 1 to 5"},
		"budgets that stay":        {args: []string{"credits", "set"}, code: 2, errs: "--renders"},
		"a key as an argument":     {args: []string{"keys", "import", "k", "--tenant", "a", "--product", "ltl"}, code: 2, errs: "`assay keys import --help`"},
		"an empty key":             {args: []string{"keys", "import", "--tenant", "a", "--product", "ltl"}, code: 1, errs: "--key-file"},
		"an unknown command":       {args: []string{"frobnicate"}, code: 2, errs: "frobnicate"},
		"an unknown product":       {args: []string{"keys", "create", "--tenant", "a", "--products", "gas"}, code: 2, errs: "ltl"},
		"an unknown environment":   {args: []string{"keys", "create", "--tenant", "a", "--environment", "prod"}, code: 2, errs: "live or test"},
		"an unknown source":        {args: []string{"probe", "UPS"}, code: 2, errs: `source "UPS": want one of [ODFL`},
		"a state, no question":     {args: []string{"probe", "IL"}, code: 2, errs: "give --number"},
		"a number of no form":      {args: []string{"probe", "IL", "--number", "no"}, code: 2, errs: "assay: "},
		"a carrier's license":      {args: []string{"probe", "ODFL", "--number", "1"}, code: 2, errs: "are for states"},
		"nobody to create keys at": {args: []string{"keys", "create", "--tenant", "a"}, code: 1, errs: "start one, or set ASSAY_NATS_URL"},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errs := run(t, nowhere, tt.args...)
			if code != tt.code || !strings.Contains(out, tt.out) || !strings.Contains(errs, tt.errs) {
				t.Errorf("exit %d\n%s\n%s", code, out, errs)
			}
		})
	}
}

func TestTopShowsEverything(t *testing.T) {
	e := deployment(t)
	must(t, e, "provision", "--first")
	view := must(t, e, "top") // what it prints to is no terminal
	for _, part := range []string{"WORKER", "SOURCE", "QUEUE", "solve", "CREDITS", "render"} {
		if !strings.Contains(view, part) {
			t.Errorf("%s is not in\n%s", part, view)
		}
	}
}
