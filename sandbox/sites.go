package sandbox

import (
	"net/http"

	"assay.dev/sandbox/california"
	"assay.dev/sandbox/florida"
	"assay.dev/sandbox/illinois"
	"assay.dev/sandbox/newyork"
	"assay.dev/sandbox/renderer"
	"assay.dev/sandbox/solver"
	"assay.dev/sandbox/texas"
)

// sites is the literal table of the hosts played. A site is a function here or in a file of its own, and a line.
func sites(w *world) map[string]http.Handler {
	l := w.licensing
	return map[string]http.Handler{
		"www.odfl.com":          odfl(w),
		"api.odfl.com":          odflAPI(w),
		"www.saia.com":          saia(w),
		"www.estes-express.com": estes(w),
		"arcb.com":              abf(w),
		"www2.rlcarriers.com":   rlc(w),
		"www.tforcefreight.com": tforce(w),
		"www.xpo.com":           xpo(w),
		"ltl.xpo.com":           xpoLTL(w),
		"www.sefl.com":          sefl(w),
		"tools.averitt.com":     averitt(w),
		"www.fedexfreight.com":  fedexFreight(w),
		"www.fedex.com":         fedexParcel(w),
		"www.eia.gov":           eiaFeed(w),
		"api.eia.gov":           eiaAPI(w),
		"fred.stlouisfed.org":   fred(w),
		ForeignHost:             foreign(w),

		california.Host:        california.New(l.Register, w.now),
		texas.Host:             l.Inquiry,
		texas.DataHost:         l.TexasData,
		newyork.DataHost:       l.NewYorkData,
		newyork.MapHost:        newyork.Map(l.Register),
		florida.Host:           florida.New(l.Register),
		florida.ExtractHost:    florida.NewExtracts(l.Register, w.now),
		illinois.Host:          illinois.New(l.Register, l.Renderer.Recognises, w.now),
		illinois.PortalHost:    illinois.NewPortal(l.Register, l.Renderer.Recognises),
		solver.TwoCaptchaHost:  l.Solvers[solver.TwoCaptcha],
		solver.AntiCaptchaHost: l.Solvers[solver.AntiCaptcha],
		solver.CapSolverHost:   l.Solvers[solver.CapSolver],
		renderer.Host:          l.Renderer,
	}
}
