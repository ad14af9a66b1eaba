package renderer

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strconv"
	"time"

	"github.com/PuerkitoBio/goquery"

	"assay.dev/platform/clock"
)

// maxPage bounds what is read of a page.
const maxPage = 8 << 20

// answers are the failures that are told by a status and a text. 403 is three things.
func answers() map[Failure]struct {
	status int
	text   string
} {
	return map[Failure]struct {
		status int
		text   string
	}{
		Unauthorized: {http.StatusUnauthorized, "The api_key is missing or not known.\n"},
		CreditsOut:   {http.StatusForbidden, "The API credits of this month are exhausted.\n"},
		TooDear:      {http.StatusForbidden, "This request would cost more than max_cost allows.\n"},
		Blocked:      {http.StatusForbidden, "The target did not let us in. It may need premium=true.\n"},
		Throttled:    {http.StatusTooManyRequests, "The number of concurrent requests of your plan is reached.\n"},
		Failed:       {http.StatusInternalServerError, "The request failed. You will not be charged for it.\n"},
		Unavailable:  {http.StatusServiceUnavailable, "The service is briefly not available.\n"},
	}
}

func refuse(w http.ResponseWriter, f Failure) {
	a := answers()[f]
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(a.status)
	_, _ = io.WriteString(w, a.text) // a reader that left
}

// serve lets a call in, renders, and books. A caller that hangs up does not stop the call: it is charged all the same.
func (s *Service) serve(w http.ResponseWriter, r *http.Request) {
	failure, b := s.enter(r)
	if failure != "" && failure != Failed && failure != Silent && failure != Captcha {
		refuse(w, failure)
		return
	}
	ctx, cancel := s.life(r)
	defer cancel()
	p, err := page{}, error(nil)
	switch failure {
	case Silent:
		<-r.Context().Done()
		err = r.Context().Err()
	case Failed:
		err = clock.Sleep(ctx, b.Patience)
		err = errors.Join(errors.New("on demand"), err)
	case Captcha:
		p = page{status: http.StatusOK, url: r.FormValue("url"), body: []byte(captchaPage)}
	default:
		if err = clock.Sleep(ctx, b.Delay); err == nil {
			p, err = s.fetch(ctx, r, b.Patience)
		}
	}
	s.leave(b.cost(r), p, err)
	s.reply(w, p, b.cost(r), err)
}

// life is a context that outlives the caller but not the service.
func (s *Service) life(r *http.Request) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), 2*time.Minute)
	go func() {
		select {
		case <-s.stop:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// enter decides whether a call may run; then it counts as running until leave.
func (s *Service) enter(r *http.Request) (Failure, Behaviour) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, due := s.behaviour, s.failures.Take("")
	cost := b.cost(r)
	most, err := strconv.Atoi(r.FormValue("max_cost"))
	switch {
	case due != "" && due != Failed && due != Silent && due != Captcha:
		return due, b
	case err == nil && most < cost:
		return TooDear, b
	case s.counts.Credits+(s.counts.Running+1)*cost > b.Limit:
		return CreditsOut, b
	case s.counts.Running >= b.Concurrency:
		return Throttled, b
	}
	s.counts.Calls++
	s.counts.Running++
	s.counts.Most = max(s.counts.Most, s.counts.Running)
	return due, b
}

// leave books a call. Charged are 200 and 404 only.
func (s *Service) leave(cost int, p page, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts.Running--
	if err != nil || !p.charged() {
		s.counts.Failed++
		s.books = append(s.books, booking{time.Now(), 0})
		return
	}
	s.counts.Charged++
	s.counts.Credits += cost
	s.books = append(s.books, booking{time.Now(), cost})
}

// page is what a site answered in the end.
type page struct {
	status int
	url    string
	body   []byte
}

func (p page) charged() bool { return p.status == http.StatusOK || p.status == http.StatusNotFound }

func (s *Service) reply(w http.ResponseWriter, p page, cost int, err error) {
	switch {
	case err != nil:
		refuse(w, Failed)
	case p.status == http.StatusForbidden:
		refuse(w, Blocked)
	case !p.charged():
		refuse(w, Failed)
	default:
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("sa-credit-cost", strconv.Itoa(cost))
		h.Set("sa-statuscode", strconv.Itoa(p.status))
		h.Set("sa-final-url", p.url)
		w.WriteHeader(p.status)
		_, _ = w.Write(p.body) // a reader that left
	}
}

// fetch tries until the site answers well or patience ends.
func (s *Service) fetch(ctx context.Context, r *http.Request, patience time.Duration) (page, error) {
	ctx, cancel := context.WithTimeout(ctx, patience+10*time.Second)
	defer cancel()
	for until := time.Now().Add(patience); ; {
		p, err := s.readPage(ctx, r)
		if err == nil && (p.charged() || p.status == http.StatusForbidden) {
			return p, nil
		}
		if time.Now().After(until) {
			return p, err
		}
		if err := clock.Sleep(ctx, patience/3+10*time.Millisecond); err != nil {
			return p, err
		}
	}
}

// readPage reads the page once, over redirects, as a browser would.
func (s *Service) readPage(ctx context.Context, r *http.Request) (page, error) {
	target, err := url.Parse(r.FormValue("url"))
	if err != nil || target.Host == "" {
		return page{}, errors.New("url is not one")
	}
	s.mu.Lock()
	transport := s.transport
	s.mu.Unlock()
	if transport == nil {
		return page{}, errors.New("not connected")
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		return page{}, err
	}
	//nolint:gosec // the transport leads to the sandbox's proxy, which never dials out
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target.String(), http.NoBody)
	if err != nil {
		return page{}, err
	}
	client := &http.Client{Transport: marking{transport, s.token}, Jar: jar}
	res, err := client.Do(request) //nolint:gosec // as above
	if err != nil {
		return page{}, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxPage+1))
	if err == nil && len(body) > maxPage {
		err = errors.New("page is too big")
	}
	if err == nil && res.StatusCode == http.StatusOK {
		err = shows(body, r.FormValue("wait_for_selector"))
	}
	return page{res.StatusCode, res.Request.URL.String(), body}, err
}

// shows fails when the page has nothing that the selector asks to wait for.
func shows(body []byte, selector string) error {
	if selector == "" {
		return nil
	}
	doc, err := goquery.NewDocumentFromReader(bytes.NewReader(body))
	if err == nil && doc.Find(selector).Length() == 0 {
		err = errors.New("the selector never appeared")
	}
	return err
}

// marking makes requests recognisable as the service's own.
type marking struct {
	http.RoundTripper
	token string
}

// RoundTrip sends the request with the mark.
func (m marking) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set(mark, m.token)
	return m.RoundTripper.RoundTrip(r)
}

const captchaPage = `<!DOCTYPE html><html><head><title>Are you a person?</title></head><body><div class="g-recaptcha" data-sitekey="none"></div>
<p>Please show that you are not a robot.</p></body></html>`
