package main

import (
	"flag"
	"testing"

	"assay.dev/contracts"
	"assay.dev/platform/daemon"
)

// binariesBefore has gateway, ltl-worker, abc-worker and captcha-worker of the version before, as `go build -o DIR/` makes them
// in a checkout of it.
var binariesBefore = flag.String("before", "", "directory of the services' binaries of the version before")

// TestVersionsSideBySide updates a running system of the version before, process by process, and steps back, while clients
// ask for cached, new and slow answers: old gateways are answered by new workers, and new ones by old.
func TestVersionsSideBySide(t *testing.T) {
	if *binariesBefore == "" {
		t.Skip("needs -before, the binaries of the version before")
	}
	now := startFleet(t)
	before := *now
	before.bin = *binariesBefore
	workers := map[string]daemon.Environ{contracts.LTLWorker: {"ASSAY_REFRESH": "false"}, contracts.ABCWorker: nil, contracts.CaptchaWorker: paid}
	running := map[string][]*process{}
	for name, more := range workers {
		running[name] = []*process{before.start(t, name, more), before.start(t, name, more)}
	}
	l := newLoad(t, &before, before.gateway(t), before.gateway(t))
	whole := t // what starts in one part lives in the next
	change := func(to *fleet, i int) {
		l.fleet = to
		l.replaceGateway(whole, i)
		for name, more := range workers {
			old := running[name][i]
			running[name][i] = to.start(whole, name, more)
			old.terminate(whole)
		}
	}
	for _, part := range []struct {
		name string
		f    func()
	}{
		{"version before", func() {}},
		{"half is updated", func() { change(now, 0) }},
		{"half and half", func() {}},
		{"the rest is updated", func() { change(now, 1) }},
		{"half steps back", func() { change(&before, 0) }},
		{"half and half again", func() {}},
		{"the rest steps back", func() { change(&before, 1) }},
	} {
		t.Run(part.name, func(t *testing.T) { l.during(t, part.f) })
	}
}
