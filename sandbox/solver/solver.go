// Package solver plays the CAPTCHA solving services of the createTask family: 2Captcha v2, Anti-Captcha and CapSolver.
// It reads the images that the stand-in sites have drawn, for a price, after a while, wrongly as often as it is told
// to, and fails on demand. It keeps the count that a real provider would bill by.
//
// Chosen by us, because it is not known: a task is charged when it is taken and refunded only when it turns out
// unsolvable; errorId is 1 for codes that have no number of their own here.
package solver

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"

	"assay.dev/sandbox/captcha"
	"assay.dev/sandbox/paid"
)

// Key is the only key that the services know.
const Key = "sandbox-solver-key"

// Service is one of the three.
type Service string

// The services, named as captcha-worker's setting names them.
const (
	TwoCaptcha  Service = "2captcha"
	AntiCaptcha Service = "anti-captcha"
	CapSolver   Service = "capsolver"
)

// The hosts of the services.
const (
	TwoCaptchaHost  = "api.2captcha.com"
	AntiCaptchaHost = "api.anti-captcha.com"
	CapSolverHost   = "api.capsolver.com"
)

// Behaviour is how a service works.
type Behaviour struct {
	// Delay is how long a solve takes.
	Delay time.Duration
	// PriceUSD is charged for a task.
	PriceUSD float64
	// Wrong is the share of tasks that get a wrong text, 0 to 1.
	Wrong float64
}

// Usual is how a service works until told otherwise.
func Usual() Behaviour { return Behaviour{Delay: 2 * time.Second, PriceUSD: 0.0007} }

// Failure is what a call is answered with instead: an error code of the family such as ERROR_ZERO_BALANCE, or one of
// the constants.
type Failure string

// Failures that are no error codes.
const (
	// HTML is a page with status 502.
	HTML Failure = "html"
	// Silent never answers.
	Silent Failure = "silent"
	// Garbage is a 200 that is no JSON.
	Garbage Failure = "garbage"
	// Hostile is a ready task whose text is 10 kB of markup.
	Hostile Failure = "hostile"
)

// Counts are what the provider's own books say.
type Counts struct {
	Created    int `json:"created"`
	Wrong      int `json:"wrong"`
	Unsolvable int `json:"unsolvable"`
	Reported   int `json:"reported"`
	// Misreported counts reports of solves that were right.
	Misreported int `json:"misreported"`
	// Duplicates counts tasks whose image had been sent before.
	Duplicates int     `json:"duplicates"`
	SpentUSD   float64 `json:"spent_usd"`
	BalanceUSD float64 `json:"balance_usd"`
}

// micro is a millionth of a dollar, so that sums are exact.
type micro int64

func dollars(usd float64) micro { return micro(usd*1e6 + 0.5) }

func (m micro) usd() float64 { return float64(m) / 1e6 }

// maxTasks bounds the tasks remembered.
const maxTasks = 100_000

// task is one image.
type task struct {
	id                          string
	text                        string
	price                       micro
	ready                       time.Time
	wrong, unsolvable, reported bool
}

// Provider is one service. It is safe for concurrent use.
type Provider struct {
	service Service
	book    *captcha.Book

	mu        sync.Mutex
	random    *rand.Rand
	behaviour Behaviour
	failures  paid.Failures[Failure]
	balance   micro
	spent     micro
	counts    Counts
	tasks     map[string]*task
	oldest    []string
	images    map[string]bool
}

// New has ten dollars on its account and reads the images of the book.
func New(service Service, book *captcha.Book) *Provider {
	p := &Provider{service: service, book: book, random: rand.New(rand.NewPCG(2, uint64(len(service))))}
	p.Reset()
	return p
}

// Reset forgets all tasks, failures and counts, and fills the account.
func (p *Provider) Reset() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.behaviour, p.failures, p.balance, p.spent, p.counts = Usual(), nil, dollars(10), 0, Counts{}
	p.tasks, p.oldest, p.images = map[string]*task{}, nil, map[string]bool{}
}

// Behaviour is how the service works now.
func (p *Provider) Behaviour() Behaviour { p.mu.Lock(); defer p.mu.Unlock(); return p.behaviour }

// Behave changes how the service works from now on.
func (p *Provider) Behave(b Behaviour) error {
	if b.Delay < 0 || b.Delay > 10*time.Minute || b.PriceUSD < 0 || b.Wrong < 0 || b.Wrong > 1 {
		return errors.New("want a delay of 0 to 10 minutes, a price of at least 0 and a wrong share of 0 to 1")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.behaviour = b
	return nil
}

// SetBalance sets what is on the account.
func (p *Provider) SetBalance(usd float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.balance = dollars(usd)
}

// Fail answers the next calls of a method, such as createTask, with a failure; those of every method when it is empty.
func (p *Provider) Fail(method string, failure Failure, times int) error {
	if failure == "" || times < 1 {
		return errors.New("want a failure and how many times")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failures.Add(method, failure, times)
	return nil
}

// Counts are the provider's books.
func (p *Provider) Counts() Counts {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.counts
	c.SpentUSD, c.BalanceUSD = p.spent.usd(), p.balance.usd()
	return c
}

// failure takes the failure that is due for a method, if any.
func (p *Provider) failure(method string) Failure {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.failures.Take(method)
}

// ServeHTTP answers a call of the family.
func (p *Provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	method := strings.TrimPrefix(r.URL.Path, "/")
	call := p.methods()[method]
	if r.Method != http.MethodPost || call == nil {
		http.NotFound(w, r)
		return
	}
	failure := p.failure(method)
	switch failure {
	case HTML:
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusBadGateway)
		_, _ = fmt.Fprint(w, "<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad "+
			"Gateway</h1></center></body></html>")
	case Silent:
		<-r.Context().Done()
	case Garbage:
		_, _ = fmt.Fprint(w, "OK|")
	default:
		p.answerCall(w, r, call, failure)
	}
}
