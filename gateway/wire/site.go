package wire

import (
	"context"
	"math"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"assay.dev/gateway/api"
	"assay.dev/gateway/session"
	"assay.dev/gateway/site"
)

// staticTime is how long a client may take to read a page or an asset. These are the same for all clients, and may be
// large.
const staticTime = 30 * time.Second

// mountSite routes the pages for people.
func (s *Server) mountSite() error {
	pages, err := s.Site.Pages()
	if err != nil {
		return err
	}
	for _, p := range pages {
		handler := s.siteHandler(p)
		s.engine.Handle(p.Method, p.Path, handler)
		if p.Method == http.MethodGet {
			s.engine.HEAD(p.Path, handler)
		}
	}
	return nil
}

// siteHandler takes requests to a page.
func (s *Server) siteHandler(p site.Page) gin.HandlerFunc {
	to := openRoute(p.Path)
	to.isForPeople = !p.IsJSON
	return s.openHandler(to, func(x *exchange) error { return s.servePage(x, p) })
}

// openHandler takes requests to what writes its own replies. An error after a part of the reply cuts it short.
func (s *Server) openHandler(to *route, serve func(*exchange) error) gin.HandlerFunc {
	observe := s.metrics.route(to.Path)
	return func(c *gin.Context) {
		x := s.begin(c, to)
		defer s.release(x)
		s.startTrace(x)
		c.Header(headerRequestID, x.requestID)
		if x.hasTrace() {
			c.Header("Traceresponse", traceparent(x.own))
		}
		err := s.safely(x, func() error { return serve(x) })
		switch {
		case err == nil:
			x.status = c.Writer.Status()
		case c.Writer.Written():
			x.status, x.isCutShort = http.StatusInternalServerError, true
		default:
			s.writeFailure(x, err)
		}
		s.tell(x, api.Reply{}, err, observe)
		if x.isCutShort {
			panic(http.ErrAbortHandler)
		}
	}
}

// servePage admits a request and lets the page answer it. A static page is in memory: who reads it slowly holds no
// place of those who wait for an answer.
func (s *Server) servePage(x *exchange, p site.Page) error {
	if err := checkPageSize(x.c.Request, p); err != nil {
		return err
	}
	if _, err := s.admitStranger(x); err != nil {
		return err
	}
	if p.Static {
		x.leaveAnonymous()
		// an HTTP/1 connection has one
		_ = http.NewResponseController(x.c.Writer).SetWriteDeadline(time.Now().Add(staticTime))
	}
	if p.TakesForm && x.visitor != nil {
		if err := s.admitForm(x, p); err != nil {
			return err
		}
	}
	return p.Serve(x.c.Writer,
		&site.Request{Request: x.c.Request.WithContext(x.ctx), Caller: x.visitor, Ask: s.asVisitor(x),
			AdmitKey: func() error { return s.admitAnonymous(x) }, Hold: func() error { return s.hold(x, x.visitor.Tenant) }})
}

// checkPageSize is [checkSize] for a page. The body of a form is bounded by its page, which says so in words for
// people.
func checkPageSize(r *http.Request, p site.Page) error {
	if p.TakesForm {
		return checkSize(r, math.MaxInt64)
	}
	return checkSize(r, 0)
}

// formTime is how long the answer to a form may take: an answer of a slow source, the checks of it, and the reading of
// the page.
const formTime = 2*api.SlowMaxTime + answerTime

// admitForm gives the form of who is logged in the time that it may take.
func (s *Server) admitForm(x *exchange, p site.Page) (err error) {
	if p.IsUpload {
		if x.leaveUpload, err = s.uploads.enter(x.visitor.Tenant); err != nil {
			return err
		}
	}
	conn := http.NewResponseController(x.c.Writer)
	_ = conn.SetReadDeadline(x.began.Add(uploadTime)) // every connection of a browser has deadlines
	_ = conn.SetWriteDeadline(x.began.Add(uploadTime + formTime))
	return nil
}

// asVisitor asks the API for a page as the person who sees the page: by the same request path, with the same
// credentials, limit and bill. The upload of a form that the page was sent is not counted twice.
func (s *Server) asVisitor(x *exchange) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) {
		visitor := newAgent(x)
		visitor.header["Cookie"], visitor.header[session.Header] = x.c.Request.Header["Cookie"], []string{"1"}
		visitor.isUploading = x.leaveUpload != nil
		r = r.WithContext(context.WithValue(r.Context(), agentKey{}, visitor))
		r.Host = x.c.Request.Host // the cookie's name goes by it
		return inProcess{s.engine}.RoundTrip(r)
	}
}
