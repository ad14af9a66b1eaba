// Package renderer plays api.scraperapi.com, the service that fetches pages as a browser shows them. It reads pages
// through the sandbox's own proxy, so the faults and counters of their hosts hold for it too, and the sites recognise
// it. It runs no scripts: a site that needs them shows a recognised visitor what they would have made.
//
// Chosen by us, because it is not known: the wording of error bodies; 5 credits for a render and 1 without; that a site
// which does not answer well is given up after Patience, not 70 s; that the account counts credits in requestCount.
package renderer

import (
	"errors"
	"net/http"
	"sync"
	"time"

	sitepage "assay.dev/sandbox/page"
	"assay.dev/sandbox/paid"
	"assay.dev/sandbox/session"
)

// Host is where the service lives.
const Host = "api.scraperapi.com"

// Key is the only key that the service knows.
const Key = "sandbox-render-key"

// mark is the header by which sites recognise the service.
const mark = "Assay-Sandbox-Rendering"

// Behaviour is how the service works.
type Behaviour struct {
	// Delay is how long a render takes, at least.
	Delay time.Duration
	// Patience is how long a site that fails is retried.
	Patience time.Duration
	// Lag is how late the account's counters are.
	Lag time.Duration
	// RenderCost and PlainCost are the credits charged with render=true and without.
	RenderCost, PlainCost int
	// Limit is the month's credits.
	Limit int
	// Concurrency is how many calls may run at once.
	Concurrency int
}

// Usual is how the service works until told otherwise.
func Usual() Behaviour {
	return Behaviour{
		Delay: 300 * time.Millisecond, Patience: time.Second, Lag: 15 * time.Second, RenderCost: 5, PlainCost: 1,
		Limit: 1000, Concurrency: 5,
	}
}

// Failure is what a call is answered with instead.
type Failure string

// The failures.
const (
	Unauthorized Failure = "unauthorized" // 401
	CreditsOut   Failure = "credits-out"  // 403
	TooDear      Failure = "max-cost"     // 403
	Blocked      Failure = "blocked"      // 403
	Throttled    Failure = "throttled"    // 429
	Failed       Failure = "failed"       // 500 after Patience
	Unavailable  Failure = "unavailable"  // 503
	Captcha      Failure = "captcha"      // 200 with a page that wants to see a person, charged
	Silent       Failure = "silent"       // no answer
)

// Counts are what the provider's own books say.
type Counts struct {
	// Calls are those that were let in, Charged those that were paid for, Failed those that were let in and not paid
	// for.
	Calls   int `json:"calls"`
	Charged int `json:"charged"`
	Failed  int `json:"failed"`
	// Credits were charged in all.
	Credits int `json:"credits"`
	// Running is how many calls run now.
	Running int `json:"running"`
	// Most is how many ran at once, at most.
	Most int `json:"most"`
}

// booking is an entry in the provider's books.
type booking struct {
	at      time.Time
	credits int
}

// Service is the rendering service. It is safe for concurrent use.
type Service struct {
	token string
	stop  chan struct{}
	once  sync.Once

	mu        sync.Mutex
	transport http.RoundTripper
	behaviour Behaviour
	failures  paid.Failures[Failure]
	counts    Counts
	books     []booking
}

// New fetches nothing until it is connected.
func New() *Service {
	s := &Service{token: session.Token(16), stop: make(chan struct{})}
	s.Reset()
	return s
}

// Connect names the way to the sites.
func (s *Service) Connect(transport http.RoundTripper) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.transport = transport
}

// Close ends the calls that run.
func (s *Service) Close() { s.once.Do(func() { close(s.stop) }) }

// Recognises tells whether a request comes from this service.
func (s *Service) Recognises(r *http.Request) bool { return r.Header.Get(mark) == s.token }

// Reset forgets failures and counts.
func (s *Service) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.behaviour, s.failures, s.books, s.counts = Usual(), nil, nil, Counts{Running: s.counts.Running}
}

// Behaviour is how the service works now.
func (s *Service) Behaviour() Behaviour { s.mu.Lock(); defer s.mu.Unlock(); return s.behaviour }

// Behave changes how the service works from now on.
func (s *Service) Behave(b Behaviour) error {
	if min(b.Delay, b.Patience, b.Lag) < 0 || max(b.Delay, b.Patience, b.Lag) > 10*time.Minute ||
		min(b.RenderCost, b.PlainCost, b.Limit, b.Concurrency) < 0 {
		return errors.New("want times of 0 to 10 minutes and no negative counts")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.behaviour = b
	return nil
}

// Fail answers the next calls with a failure.
func (s *Service) Fail(failure Failure, times int) error {
	if _, known := answers()[failure]; !known && failure != Silent && failure != Captcha || times < 1 {
		return errors.New("want a failure that the service has, and how many times")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failures.Add("", failure, times)
	return nil
}

// Counts are the provider's books.
func (s *Service) Counts() Counts { s.mu.Lock(); defer s.mu.Unlock(); return s.counts }

// ServeHTTP serves renders and the account.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.FormValue("api_key") != Key {
		refuse(w, Unauthorized)
		return
	}
	switch r.URL.Path {
	case "/":
		s.serve(w, r)
	case "/account":
		s.account(w)
	case "/account/urlcost":
		sitepage.JSON(w, http.StatusOK, map[string]int{"credits": s.Behaviour().cost(r)})
	default:
		http.NotFound(w, r)
	}
}

func (b Behaviour) cost(r *http.Request) int {
	if r.FormValue("render") == "true" {
		return b.RenderCost
	}
	return b.PlainCost
}

// account shows the counters as they were Lag ago.
func (s *Service) account(w http.ResponseWriter) {
	s.mu.Lock()
	credits, failed := 0, 0
	for _, b := range s.books {
		switch {
		case time.Since(b.at) < s.behaviour.Lag:
		case b.credits > 0:
			credits += b.credits
		default:
			failed++
		}
	}
	answer := map[string]any{
		"requestCount": credits, "failedRequestCount": failed, "requestLimit": s.behaviour.Limit,
		"concurrencyLimit": s.behaviour.Concurrency, "concurrentRequests": s.counts.Running,
	}
	s.mu.Unlock()
	sitepage.JSON(w, http.StatusOK, answer)
}
