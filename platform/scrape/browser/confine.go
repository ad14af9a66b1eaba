package browser

import (
	_ "embed"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"
)

//go:embed confine.js
var confineScript string

// confinement is what keeps a page from a network by other means than requests, beside the switches noNetwork.
type confinement struct {
	script string // runs first in every frame and worker
	policy string // Content-Security-Policy of every answer, beside the site's own
}

// confined allows the requests that are fulfilled, and no WebSocket, which Chromium does not ask us about. Frames and
// workers that a page makes of its own text inherit the policy.
var confined = confinement{script: confineScript, policy: "connect-src http: https: data: blob:"}

// confine prepares the tab for its first document.
func (v *visit) confine() error {
	_, err := proto.PageAddScriptToEvaluateOnNewDocument{Source: v.script, RunImmediately: true}.Call(v.tab)
	if err != nil {
		return err
	}
	return holdChildren(v.tab)
}

// holdChildren makes Chromium show us each child of the page or worker, such as a worker, before it runs.
func holdChildren(parent *rod.Page) error {
	return proto.TargetSetAutoAttach{AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: true}.Call(parent)
}

// adopt lets a worker run once it is confined; its requests are fulfilled with its page's. Any other child, such as a
// frame in a process of its own, never runs, and no worker beyond maxWorkers.
func (v *visit) adopt(e *proto.TargetAttachedToTarget) {
	if e.TargetInfo.Type != "worker" || v.workers.Add(1) > maxWorkers {
		return
	}
	worker := v.tab.Browser().Context(v.ctx).PageFromSession(e.SessionID)
	v.serving.Go(worker.EachEvent(func(e *proto.TargetAttachedToTarget) { v.serving.Go(func() { v.adopt(e) }) }))
	if _, err := (proto.RuntimeEvaluate{Expression: v.script}).Call(worker); err != nil {
		return
	}
	if err := holdChildren(worker); err == nil {
		_ = proto.RuntimeRunIfWaitingForDebugger{}.Call(worker)
	}
}
