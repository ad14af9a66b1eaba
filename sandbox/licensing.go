package sandbox

import (
	"net/http"
	"sync"
	"time"

	"assay.dev/contracts"
	"assay.dev/sandbox/captcha"
	"assay.dev/sandbox/license"
	"assay.dev/sandbox/newyork"
	"assay.dev/sandbox/opendata"
	"assay.dev/sandbox/renderer"
	"assay.dev/sandbox/solver"
	"assay.dev/sandbox/texas"
)

// Licensing gives tests and operators the parts of the license sites, to read and to change them.
type Licensing struct {
	// Register holds the licenses, and what a right reading of each must give.
	Register *license.Register
	// few is the start of Register, which is made sooner.
	few *license.Register
	// Captchas knows the text of every image that a site has drawn.
	Captchas *captcha.Book
	// Inquiry is the form behind the images.
	Inquiry *texas.Inquiry
	// Holds is TX's delinquent list, one of TexasData.
	Holds *texas.Holds
	// TexasData and NewYorkData are the open-data services.
	TexasData, NewYorkData *opendata.Soda
	// Solvers are the solving services.
	Solvers map[solver.Service]*solver.Provider
	// Renderer is the rendering service.
	Renderer *renderer.Service

	now  func() time.Time
	aged sync.Map // contracts.State → time.Duration
	// publish answers a call that is of a carrier.
	publish func(w http.ResponseWriter, c contracts.Carrier, week string)
}

func newLicensing(now func() time.Time, sizes license.Sizes) *Licensing {
	today := contracts.DateOf(now())
	register, book := license.New(today, sizes), captcha.NewBook(1)
	holds := texas.NewHolds(register)
	l := &Licensing{
		now: now, Register: register, few: license.New(today, nil), Captchas: book, Inquiry: texas.New(register, book,
			texas.Options{}),
		Holds:       holds,
		TexasData:   opendata.NewSoda(now(), texas.Dataset(register), holds.Dataset()),
		NewYorkData: opendata.NewSoda(now(), newyork.Datasets(register)...),
		Solvers:     map[solver.Service]*solver.Provider{},
		Renderer:    renderer.New(),
	}
	for _, service := range []solver.Service{solver.TwoCaptcha, solver.AntiCaptcha, solver.CapSolver} {
		l.Solvers[service] = solver.New(service, book)
	}
	return l
}

// Age makes the bulk files and the data sets of a state say that they are older than they are, by the time given. 0
// ends that.
func (l *Licensing) Age(state contracts.State, by time.Duration) {
	l.aged.Store(state, by)
	switch state {
	case contracts.TX:
		l.TexasData.Age(by)
	case contracts.NY:
		l.NewYorkData.Age(by)
	}
}

// dates returns the clock that dates the bulk files of a state.
func (l *Licensing) dates(state contracts.State) func() time.Time {
	return func() time.Time {
		by, _ := l.aged.Load(state)
		aged, _ := by.(time.Duration)
		return l.now().Add(-aged)
	}
}

// Licensing is the part of the sandbox about licenses.
func (s *Sandbox) Licensing() *Licensing { return s.world.licensing }
