package sandbox

import (
	"net/http"

	"assay.dev/contracts"
	"assay.dev/sandbox/california"
	"assay.dev/sandbox/florida"
	"assay.dev/sandbox/illinois"
	"assay.dev/sandbox/newyork"
	"assay.dev/sandbox/renderer"
	"assay.dev/sandbox/solver"
	"assay.dev/sandbox/texas"
)

// sites is the table of the hosts that are played. A site is a handler in a package of its own, and a line here.
func sites(w *world) map[string]http.Handler {
	c, l := w.carriers, w.licensing
	return map[string]http.Handler{
		"www.odfl.com":          c.ODFL(),
		"api.odfl.com":          c.ODFLAPI(),
		"www.saia.com":          c.Saia(),
		"www.estes-express.com": c.Estes(),
		"arcb.com":              c.ABF(),
		"www2.rlcarriers.com":   c.RLC(),
		"www.tforcefreight.com": c.TForce(),
		"www.xpo.com":           c.XPO(),
		"ltl.xpo.com":           c.XPOLTL(),
		"www.sefl.com":          c.SEFL(),
		"tools.averitt.com":     c.Averitt(),
		"www.fedexfreight.com":  c.FedExFreight(),
		"www.fedex.com":         c.FedExParcel(),
		"www.eia.gov":           w.eia.Feed(),
		"api.eia.gov":           w.eia.API(),
		"fred.stlouisfed.org":   w.eia.FRED(),
		ForeignHost:             c.Foreign(),

		california.Host:        california.New(l.Register, l.dates(contracts.CA)),
		texas.Host:             l.Inquiry,
		texas.DataHost:         l.TexasData,
		newyork.DataHost:       l.NewYorkData,
		newyork.MapHost:        newyork.Map(l.Register),
		florida.Host:           florida.New(l.Register),
		florida.ExtractHost:    florida.NewExtracts(l.Register, l.dates(contracts.FL)),
		illinois.Host:          illinois.New(l.Register, l.Renderer.Recognises, l.dates(contracts.IL)),
		illinois.PortalHost:    illinois.NewPortal(l.Register, l.Renderer.Recognises),
		solver.TwoCaptchaHost:  l.Solvers[solver.TwoCaptcha],
		solver.AntiCaptchaHost: l.Solvers[solver.AntiCaptcha],
		solver.CapSolverHost:   l.Solvers[solver.CapSolver],
		renderer.Host:          l.Renderer,
	}
}
