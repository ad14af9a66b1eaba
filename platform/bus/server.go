package bus

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"

	"assay.dev/contracts"
	"assay.dev/platform/clock"
	"assay.dev/platform/internal/handling"
	"assay.dev/platform/telemetry"
)

// Service is a named group of endpoints; its name is its queue group.
type Service struct {
	Name, Version, Description string
	// Capacity is how many requests are handled at the same time; one more is refused with BUSY.
	Capacity int
	// MaxTime bounds the handling of a request that allows more, or does not say.
	MaxTime   time.Duration
	Endpoints []Endpoint
}

// Server is a running [Service].
type Server struct {
	conn     *nats.Conn
	log      *slog.Logger
	service  micro.Service
	subs     int // subscriptions that the service has on conn
	slots    *handling.Slots
	tallies  map[string]*tally // by endpoint name
	base     context.Context   // of every handler; ends when Stop runs out of patience
	abandon  context.CancelCauseFunc
	grace    time.Duration // handling.AbandonGrace, or a longer time in tests
	handlers sync.WaitGroup
}

// Serve begins to answer. Each request passes these layers, outermost first.
func Serve(d Deps, s Service) (*Server, error) {
	metrics, err := handling.NewMetrics(d.Metrics, handling.KindRequest)
	if err != nil {
		return nil, fmt.Errorf("service %s: %w", s.Name, err)
	}
	layers := []handling.Layer{
		handling.Trace(d.SpanTracer()),
		metrics.Measure(),
		codeErrors(d.Logger()),
		refuseUnadmitted,
		deadline(s.MaxTime),
		handling.Recover(d.Logger()),
	}
	srv := &Server{conn: d.Conn, log: d.Logger(), slots: handling.NewSlots(s.Capacity, metrics),
		tallies: map[string]*tally{}, grace: handling.AbandonGrace}
	srv.base, srv.abandon = context.WithCancelCause(context.Background())
	if err := srv.start(s, layers); err != nil {
		srv.slots.Close()
		return nil, fmt.Errorf("service %s: %w", s.Name, err)
	}
	return srv, nil
}

func (s *Server) start(desc Service, layers []handling.Layer) error {
	for _, e := range desc.Endpoints {
		s.tallies[e.name] = &tally{}
	}
	var err error
	s.service, err = micro.AddService(s.conn, micro.Config{
		Name: desc.Name, Version: desc.Version, Description: desc.Description, QueueGroup: desc.Name, StatsHandler: s.stats,
	})
	if err != nil {
		return err
	}
	for _, e := range desc.Endpoints {
		if err := s.addEndpoint(e, layers); err != nil {
			return errors.Join(fmt.Errorf("endpoint %s: %w", e.name, err), s.service.Stop())
		}
	}
	const verbSubscriptions = 9 // PING, INFO and STATS, each for all, the name and the id
	s.subs = len(desc.Endpoints) + verbSubscriptions
	return s.conn.Flush() // a caller that knows us started must not be told there is no responder
}

func (s *Server) addEndpoint(e Endpoint, layers []handling.Layer) error {
	h := e.handle
	for i := len(layers) - 1; i >= 0; i-- {
		h = layers[i](h)
	}
	h = s.tallies[e.name].count(h)
	receive := func(m micro.Request) { s.receive(m, e.subject, h) }
	return s.service.AddEndpoint(e.name, micro.HandlerFunc(receive), micro.WithEndpointSubject(e.subject.Name))
}

// receive must not block: micro calls it for one message after the other.
func (s *Server) receive(m micro.Request, subject contracts.Subject, h handling.Handler) {
	r := &handling.Request{Subject: subject, Header: nats.Header(m.Headers()), Data: m.Data()}
	r.Admitted, r.Inflight = s.slots.Take()
	ctx := telemetry.WithRequestID(s.base, r.Header.Get(contracts.HeaderRequestID))
	ctx = handling.WithReplaces(ctx, r.Header.Get(contracts.HeaderReplaces))
	if !r.Admitted {
		rep, err := h(ctx, r)
		s.respond(ctx, m, rep, err)
		return
	}
	s.handlers.Go(func() {
		rep, err := h(ctx, r)
		s.slots.Give() // before the reply: who has it may ask again at once
		s.respond(ctx, m, rep, err)
	})
}

// refuseUnadmitted answers BUSY to what got no slot.
func refuseUnadmitted(next handling.Handler) handling.Handler {
	return func(ctx context.Context, r *handling.Request) (handling.Reply, error) {
		if !r.Admitted {
			return handling.Reply{}, contracts.Errorf(contracts.Busy,
				"the worker has no capacity left; retry").After(time.Second)
		}
		return next(ctx, r)
	}
}

func (s *Server) respond(ctx context.Context, m micro.Request, rep handling.Reply, err error) {
	if err == nil && int64(len(rep.Data)) > s.conn.MaxPayload() {
		rep, err = elsewhere(rep)
	}
	// Not by m itself: micro looks at what m.Error wrote as soon as receive has returned.
	msg := &nats.Msg{Subject: m.Reply(), Header: nats.Header(replyHeader(rep)), Data: rep.Data}
	if err != nil {
		number, text, body := contracts.EncodeError(err)
		msg.Header = nats.Header{micro.ErrorCodeHeader: {number}, micro.ErrorHeader: {text}}
		msg.Data = body
	}
	err = s.conn.PublishMsg(msg)
	for end := time.Now().Add(replyPatience); err != nil && m.Reply() != "" && !s.conn.IsClosed() &&
		time.Now().Before(end); {
		_ = clock.Sleep(ctx, replyPause) // at the end of ctx the send is still worth a try
		err = s.conn.PublishMsg(msg)
	}
	if err != nil {
		s.log.WarnContext(ctx, "reply not sent", "subject", m.Subject(), "error", err)
	}
}

// A reply outlives the loss of the connection for replyPatience: the caller, at another server perhaps, still waits
// for it.
const (
	replyPatience = 2 * time.Second
	replyPause    = 20 * time.Millisecond
)
