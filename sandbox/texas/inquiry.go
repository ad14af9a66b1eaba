// Package texas plays apps.tabc.texas.gov, the public inquiry behind an image CAPTCHA, and the mirror on
// data.texas.gov.
//
// The inquiry is an ASP.NET WebForms page: the session lives in the cookie ASP.NET_SessionId, every submission must
// carry all hidden inputs of the page it answers, and every page has a CAPTCHA that is good for one submission.
//
// Chosen by us, because nothing is known of today's form: the field names (prefix ctl00$MainContent$, then txtLicense,
// txtTradeName, txtOwner, txtAddress, txtCaptcha, btnSearch); that txtAddress searches street and city; that all
// filters match any part of the value; the image's address (img#MainContent_imgCaptcha, CaptchaImage.aspx?guid=); the
// messages in span#MainContent_lblMessage; the results: one table.inquiry-record per license with label and value in a
// row, followed by a table.violations when it has any, dates as MM/DD/YYYY.
package texas

import (
	"cmp"
	"crypto/subtle"
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"assay.dev/sandbox/captcha"
	"assay.dev/sandbox/license"
	"assay.dev/sandbox/session"
)

// Host is where the inquiry lives.
const Host = "apps.tabc.texas.gov"

const (
	inquiryPath = "/publicinquiry/"
	imagePath   = "/publicinquiry/CaptchaImage.aspx"
	prefix      = "ctl00$MainContent$"
)

// maxShown bounds the licenses on one page of results.
const maxShown = 250

// The messages of the form.
const (
	wrongCode   = "The code you entered does not match the image. Please try again."
	expiredCode = "The code has expired. Please enter the new one."
	noCriteria  = "Enter at least one search criterion."
	noRecords   = "No records found matching your search criteria."
)

// Options are the particulars of the form. The zero value of each means its default.
type Options struct {
	// Life is how long an image is good for; 120 s.
	Life time.Duration
	// Now is the clock that images age by; time.Now.
	Now func() time.Time
}

// Submissions counts what became of the searches.
type Submissions struct {
	Answered, WrongCode, ExpiredCode, Refused int
}

// Inquiry is the site. It is safe for concurrent use.
type Inquiry struct {
	register *license.Register
	book     *captcha.Book
	options  Options
	pages    *template.Template
	visits   *session.Store[visit]

	mu     sync.Mutex
	counts Submissions
}

// New serves a register; the images come from the book.
func New(register *license.Register, book *captcha.Book, o Options) *Inquiry {
	o.Life = cmp.Or(o.Life, 2*time.Minute)
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Inquiry{register: register, book: book, options: o, pages: pages(),
		visits: session.NewStore[visit]("ASP.NET_SessionId")}
}

// Submissions counts since the start.
func (q *Inquiry) Submissions() Submissions {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.counts
}

// ServeHTTP serves the form, its image and its answers.
func (q *Inquiry) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == inquiryPath && r.Method == http.MethodPost:
		q.submit(w, r)
	case r.URL.Path == inquiryPath && r.Method == http.MethodGet:
		q.show(w, q.visits.Open(w, r), page{})
	case r.URL.Path == imagePath && r.Method == http.MethodGet:
		q.image(w, r)
	case r.URL.Path == strings.TrimSuffix(inquiryPath, "/"):
		http.Redirect(w, r, inquiryPath, http.StatusMovedPermanently)
	default:
		http.NotFound(w, r)
	}
}

func (q *Inquiry) submit(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 256<<10)
	if err := r.ParseForm(); err != nil {
		http.Error(w, "Bad Request", http.StatusBadRequest)
		return
	}
	v := q.visits.Find(r)
	used, err := q.take(v, r.PostForm)
	if err != nil {
		q.count(func(c *Submissions) { c.Refused++ })
		broken(w, err)
		return
	}
	q.show(w, v, q.answer(r.PostForm, used))
}

// take consumes the page that the form answers, with its image: each is good for one submission.
func (q *Inquiry) take(v *visit, form url.Values) (issued, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if v == nil {
		return issued{}, errors.New("the session state is not available")
	}
	for _, name := range []string{"__EVENTTARGET", "__EVENTARGUMENT", "__LASTFOCUS", "__VIEWSTATEGENERATOR",
		prefix + "hfPage"} {
		if !form.Has(name) {
			return issued{}, errors.New("invalid postback or callback argument: " + name)
		}
	}
	used := v.page
	if used.viewState == "" || !same(form.Get("__VIEWSTATE"), used.viewState) ||
		!same(form.Get("__EVENTVALIDATION"), used.validation) {
		return issued{}, errors.New("validation of viewstate MAC failed")
	}
	v.page = issued{}
	return used, nil
}

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// answer is what a submission is answered with.
func (q *Inquiry) answer(form url.Values, used issued) page {
	field := func(name string) string { return strings.ToUpper(strings.TrimSpace(form.Get(prefix + name))) }
	wanted := criteria{strings.NewReplacer("-", "", " ", "").Replace(field("txtLicense")), field("txtTradeName"),
		field("txtOwner"), field("txtAddress")}
	switch {
	case q.options.Now().Sub(used.drawn) > q.options.Life:
		q.count(func(c *Submissions) { c.ExpiredCode++ })
		return page{Message: expiredCode}
	case strings.TrimSpace(form.Get(prefix+"txtCaptcha")) != used.text:
		q.count(func(c *Submissions) { c.WrongCode++ })
		return page{Message: wrongCode}
	case wanted == criteria{}:
		return page{Message: noCriteria}
	}
	q.count(func(c *Submissions) { c.Answered++ })
	found, total := wanted.find(q.register.Texas())
	if total == 0 {
		return page{Message: noRecords}
	}
	return page{Records: found, Total: total}
}

func (q *Inquiry) count(change func(*Submissions)) {
	q.mu.Lock()
	defer q.mu.Unlock()
	change(&q.counts)
}

// criteria are the filters of the form, in capitals; empty ones match all.
type criteria struct{ number, trade, owner, address string }

func (c criteria) find(all []license.Texas) (found []*license.Texas, total int) {
	for i := range all {
		if !c.match(&all[i]) {
			continue
		}
		if total++; len(found) < maxShown {
			found = append(found, &all[i])
		}
	}
	return found, total
}

func (c criteria) match(l *license.Texas) bool {
	return (c.number == "" || c.number == l.Number || c.number == l.Legacy) &&
		strings.Contains(l.DBA, c.trade) && strings.Contains(l.Owner, c.owner) &&
		(strings.Contains(l.Premises.Line(), c.address) || strings.Contains(l.Premises.City, c.address))
}
