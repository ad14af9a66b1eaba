package wire

import (
	"context"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"assay.dev/gateway/api"
	"assay.dev/gateway/session"
	"assay.dev/gateway/site"
	"assay.dev/platform/panics"
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
	return s.openHandler(p.Path, func(x *exchange) error { return s.servePage(x, p) })
}

// openHandler takes requests to what writes its own replies. serve has written nothing when it returns an error.
func (s *Server) openHandler(path string, serve func(*exchange) error) gin.HandlerFunc {
	observe := s.metrics.route(path)
	to := newRoute(&api.Endpoint{Path: path, Access: api.Open})
	return func(c *gin.Context) {
		x := s.begin(c, to)
		defer s.release(x)
		s.startTrace(x)
		c.Header(headerRequestID, x.requestID)
		c.Header("Traceresponse", traceparent(x.own))
		err := panics.Catch(x.ctx, s.Log, func() error { return serve(x) })
		if err != nil {
			s.writeFailure(x, err)
		} else {
			x.status = c.Writer.Status()
		}
		s.tell(x, api.Reply{}, err, observe)
	}
}

// servePage admits a request and lets the page answer it. A static page is in memory: who reads it slowly holds no
// place of those who wait for an answer.
func (s *Server) servePage(x *exchange, p site.Page) error {
	if err := checkSize(x.c.Request, p.MaxUpload); err != nil {
		return err
	}
	if _, err := s.admitStranger(x); err != nil {
		return err
	}
	if p.Static {
		x.leaveAnonymous()
		_ = http.NewResponseController(x.c.Writer).SetWriteDeadline(time.Now().Add(staticTime)) // an HTTP/1 connection has one
	}
	if p.MaxUpload > 0 && x.visitor != nil {
		leave, err := s.uploads.enter(x.visitor.Tenant)
		if err != nil {
			return err
		}
		defer leave()
	}
	return p.Serve(x.c.Writer, &site.Request{Request: x.c.Request.WithContext(x.ctx), Caller: x.visitor, Ask: s.asVisitor(x)})
}

// asVisitor asks the API for a page as the person who sees the page: by the same request path, with the same
// credentials, limit and bill.
func (s *Server) asVisitor(x *exchange) func(target string) (*http.Response, error) {
	return func(target string) (*http.Response, error) {
		visitor := newAgent(x)
		visitor.header["Cookie"], visitor.header[session.Header] = x.c.Request.Header["Cookie"], []string{"1"}
		ctx := context.WithValue(x.ctx, agentKey{}, visitor)
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
		if err != nil {
			return nil, err
		}
		return inProcess{s.engine}.RoundTrip(r)
	}
}
