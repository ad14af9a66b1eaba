package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	abcworker "assay.dev/abc-worker"
	"assay.dev/assay/manifest"
	"assay.dev/assay/system"
	captchaworker "assay.dev/captcha-worker"
	"assay.dev/contracts"
	"assay.dev/courier"
	"assay.dev/gateway"
	ltlworker "assay.dev/ltl-worker"
	"assay.dev/platform/daemon"
	"assay.dev/sandbox"
)

type settingsCommand struct {
	Manifests string `help:"File of built Kubernetes manifests, - for standard input: show who reads each variable in them." placeholder:"FILE"`
}

// Help says what is listed, and what --manifests checks.
func (settingsCommand) Help() string {
	return `At a terminal the list is for people, else it is a Markdown table. With --manifests each variable that the manifests give to a container is shown with its
reader: bin/kustomize build deploy/k8s/overlays/production | bin/assay settings --manifests -
Exit code 1: somebody reads nothing of what it is given.`
}

// Run prints the list, or the check.
func (s settingsCommand) Run(c *console) error {
	switch s.Manifests {
	case "":
		if c.bare != nil && isTerminal(c.bare.out) {
			return printForPeople(c.out)
		}
		return printSettings(c.out)
	case "-":
		return checkManifests(c.in, c.out)
	}
	f, err := os.Open(s.Manifests)
	if err != nil {
		return err
	}
	defer f.Close()
	return checkManifests(f, c.out)
}

// binary is a program of a deployment, with the settings that it reads.
type binary struct {
	name     string
	settings []daemon.Setting
	// check reads the settings as the program does when it starts.
	check func(daemon.Environ) error
}

func binaries() []binary {
	return []binary{
		{"assay", assaySettings(), func(e daemon.Environ) error { _, err := system.Values(e); return err }},
		service[gateway.Config](contracts.Gateway, "127.0.0.1:9090"),
		service[ltlworker.Config](contracts.LTL.Worker(), "127.0.0.1:9091"),
		service[abcworker.Config](contracts.ABC.Worker(), "127.0.0.1:9092"),
		service[captchaworker.Config](contracts.CaptchaWorker, "127.0.0.1:9093"),
		service[courier.Config](contracts.Courier, "127.0.0.1:9095"),
		service[sandbox.Config]("sandbox", "127.0.0.1:9094"),
	}
}

// service describes the program of a service. Its main function sets another default of the admin address.
func service[C any](name, admin string) binary {
	settings := daemon.Settings[C]()
	for i := range settings {
		if settings[i].Variable == "ASSAY_ADMIN_LISTEN" {
			settings[i].Default = admin
		}
	}
	return binary{name, settings, func(e daemon.Environ) error { _, err := daemon.Load[C](e); return err }}
}

// assaySettings lists what all commands of assay read. A variable that several commands read is listed several times.
func assaySettings() []daemon.Setting {
	return slices.Concat(system.Settings(), daemon.Settings[target](), daemon.Settings[provisionSettings](),
		daemon.Settings[clientConfig](), daemon.Settings[probeConfig](), daemon.Settings[monitorConfig]())
}

// checkUnknown refuses variables that neither a command of assay nor a service reads.
func checkUnknown(e daemon.Environ) error {
	return daemon.CheckUnknown("assay", e, append(assaySettings(), system.ServiceSettings()...))
}

// listed is a line of the table: a setting, who reads it, and the default of each.
type listed struct {
	daemon.Setting
	readers, defaults []string
}

func printSettings(w io.Writer) error {
	var b strings.Builder
	b.WriteString("| variable | read by | default | meaning |\n|---|---|---|---|\n")
	for _, l := range listSettings() {
		name := "`" + l.Variable + "`"
		if l.Secret {
			name += ", or a file: `" + l.Variable + "_FILE`"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", name, strings.Join(l.readers, ", "), l.defaultText(), l.Help)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// settingsWidth is how wide the list is at a terminal.
const settingsWidth = 80

// printForPeople prints the same list for a terminal.
func printForPeople(w io.Writer) error {
	var b strings.Builder
	for _, l := range listSettings() {
		b.WriteString(l.Variable + "\n")
		text := l.Help + ". Read by " + strings.Join(l.readers, ", ") + "."
		if l.defaultText() != "" {
			text += " Default: " + strings.ReplaceAll(l.defaultText(), "`", "") + "."
		}
		if l.Secret {
			text += " Or a file: " + l.Variable + "_FILE."
		}
		line := "   "
		for word := range strings.FieldsSeq(text) {
			if len(line)+1+len(word) > settingsWidth {
				b.WriteString(line + "\n")
				line = "   "
			}
			line += " " + word
		}
		b.WriteString(line + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// listSettings lists each variable once for each meaning that it has.
func listSettings() []listed {
	var all []listed
	for _, b := range binaries() {
		for _, s := range b.settings {
			i := slices.IndexFunc(all, func(l listed) bool { return l.Variable == s.Variable && l.Help == s.Help })
			if i < 0 {
				i, all = len(all), append(all, listed{Setting: s})
			}
			if l := &all[i]; !slices.Contains(l.readers, b.name) {
				l.readers, l.defaults = append(l.readers, b.name), append(l.defaults, s.Default)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b listed) int { return strings.Compare(a.Variable, b.Variable) })
	return all
}

// defaultText is the default, or that of each reader when they differ.
func (l listed) defaultText() string {
	if len(slices.Compact(slices.Clone(l.defaults))) == 1 {
		return code(l.defaults[0])
	}
	var texts []string
	for i, reader := range l.readers {
		texts = append(texts, reader+" "+code(l.defaults[i]))
	}
	return strings.Join(texts, ", ")
}

func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + text + "`"
}

// goRuntime are the variables that the Go runtime itself reads in every program.
var goRuntime = []string{"GOMEMLIMIT", "GOMAXPROCS", "GOGC", "GODEBUG"}

// checkManifests prints who reads each variable of the manifests. It fails when nobody reads one of them.
func checkManifests(r io.Reader, out io.Writer) error {
	containers, err := manifest.Containers(r)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "WORKLOAD\tVARIABLE\tREAD BY")
	total, unread := 0, 0
	for _, c := range containers {
		for _, v := range c.Variables {
			reader := readerOf(c, v.Name)
			if total++; reader == "" {
				unread, reader = unread+1, "NOBODY"
			}
			fmt.Fprintf(w, "%s\t%s\t%s\n", c.Workload, v.Name, reader)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if unread > 0 {
		return fmt.Errorf("%d of %d variables are read by nobody", unread, total)
	}
	_, err = fmt.Fprintf(out, "%d variables, each is read\n", total)
	return err
}

// readerOf names the program that reads a variable of a container. It is empty when nothing does.
func readerOf(c manifest.Container, variable string) string {
	all := binaries()
	i := slices.IndexFunc(all, func(b binary) bool { return b.name == c.Image })
	switch {
	case slices.Contains(goRuntime, variable):
		return "the Go runtime of " + c.Image
	case i >= 0 && slices.Contains(daemon.Variables(all[i].settings), variable):
		return c.Image
	case i < 0 && c.Mentions(variable):
		return c.Image + ", in its configuration"
	}
	return ""
}
