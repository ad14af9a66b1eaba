package system_test

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// assayBefore is the assay binary of the version before.
var assayBefore = flag.String("before", "", "the assay binary of the version before")

// startBefore runs the version before on a data directory.
func startBefore(t *testing.T, dir string) (r *running, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, *assayBefore, "up")
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 30 * time.Second
	for name, value := range environ(dir) {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	cmd.Env = append(cmd.Env, "PATH="+os.Getenv("PATH"))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r = &running{keys: map[string]string{}}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if found := addresses.FindStringSubmatch(lines.Text()); found != nil {
			r.base, r.admin = found[1], found[2]
		}
		if found := printed.FindStringSubmatch(lines.Text()); found != nil {
			r.keys[found[1]] = found[2]
		}
		if strings.Contains(lines.Text(), "Ctrl-C") {
			break
		}
	}
	go func() {
		for lines.Scan() {
			continue
		}
	}()
	return r, func() { cancel(); _ = cmd.Wait() }
}

// percents are the weeks of TFORCE as an answer has them.
func (r *running) percents(t *testing.T) []string {
	t.Helper()
	status, s, body := r.history(t, "carriers=TFORCE&weeks=26")
	if status != 200 || len(s.Weeks) < 20 {
		t.Fatalf("%d %s", status, body)
	}
	var all []string
	for _, w := range s.Weeks {
		all = append(all, fmt.Sprintf("%s %v", w.EffectiveDate, w.Percent))
	}
	return all
}

// A data directory of the version before: nothing is lost, and the version before still works with it afterwards.
func TestDataOfTheVersionBefore(t *testing.T) {
	if *assayBefore == "" {
		t.Skip("needs -before, the assay binary of the version before")
	}
	dir := filepath.Join(t.TempDir(), "data")
	old, stop := startBefore(t, dir)
	before := old.percents(t)
	stop()

	r := start(t, environ(dir))
	if after := r.percents(t); !slices.Equal(after, before) {
		t.Errorf("the version before knew %v, this one %v", before, after)
	}
	r.stop(t)

	old, stop = startBefore(t, dir)
	if after := old.percents(t); !slices.Equal(after, before) {
		t.Errorf("after the step back: %v, before: %v", after, before)
	}
	stop()
	again := start(t, environ(dir))
	if after := again.percents(t); !slices.Equal(after, before) {
		t.Errorf("and forward again: %v, before: %v", after, before)
	}
}
