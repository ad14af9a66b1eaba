package worker_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"go.uber.org/goleak"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/bustest"
	"assay.dev/platform/cache"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/daemon"
	"assay.dev/platform/daemon/daemontest"
	"assay.dev/platform/worker"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// toy describes a worker of two carriers, of which it serves ODFL.
func toy() worker.Service {
	return worker.Service{
		Product: contracts.LTL, Description: "toy surcharges", Capacity: 2, MaxTime: 5 * time.Second,
	}
}

// sources makes the sources of the toy. Its one read is answered from the cache the second time.
func sources(ctx context.Context, w *worker.Worker, reads chan<- contracts.Carrier) ([]worker.Source, error) {
	store, err := w.OpenAnswers(ctx)
	if err != nil {
		return nil, err
	}
	listing := func(c contracts.Carrier) func(contracts.SourceHealth) any {
		return func(h contracts.SourceHealth) any { return contracts.CarrierListing{Code: c, SourceHealth: h} }
	}
	read := func(context.Context) (contracts.SurchargeAnswer, error) {
		reads <- contracts.ODFL
		now := time.Now()
		return contracts.SurchargeAnswer{
			Carrier: contracts.ODFL,
			Provenance: contracts.Provenance{
				Schema: contracts.AnswerSchema, ReadAt: now, ExpiresAt: now.Add(time.Hour), Method: contracts.StructuredParse,
			},
		}, nil
	}
	key := contracts.SurchargeKey(contracts.Test, contracts.ODFL)
	endpoint := bus.HandleStored("surcharge-ODFL", contracts.SurchargeSubject(contracts.Test, contracts.ODFL),
		func(contracts.SurchargeRequest) contracts.CacheKey { return key },
		func(ctx context.Context, _ contracts.SurchargeRequest) (contracts.SurchargeAnswer, error) {
			return cache.Fill(ctx, store, key, read)
		})
	return []worker.Source{
		{
			Code: string(contracts.ODFL), Listing: listing(contracts.ODFL), Endpoints: []bus.Endpoint{endpoint},
			Health: func() contracts.SourceHealth { return contracts.SourceHealth{Breaker: "closed"} },
		},
		{Code: string(contracts.SAIA), Listing: listing(contracts.SAIA)},
	}, nil
}

// start runs a worker on the server until stop or the end of the test.
func start(
	t *testing.T, nats *server.Server, s worker.Service,
	open func(context.Context, *worker.Worker) ([]worker.Source, error),
) (stop func() error) {
	t.Helper()
	cfg := daemon.Config{AdminListen: "off", LogLevel: slog.LevelError + 4}
	host, err := daemon.NewHost(context.Background(), cfg, nats)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Host = host
	return daemontest.Start(t, host, s.Product.Worker(), contracts.Test, func(ctx context.Context) error {
		return worker.Run(ctx, worker.Config{Config: cfg, Environment: contracts.Test}, s, open)
	})
}

func TestServesListsAndStopsInOrder(t *testing.T) {
	t.Parallel()
	nats := bustest.Server(t)
	conn := bustest.Connect(t, nats)
	client := bus.NewClient(bus.Deps{Conn: conn})
	reads := make(chan contracts.Carrier, 10)
	var stopped []string
	stop := start(t, nats, toy(), func(ctx context.Context, w *worker.Worker) ([]worker.Source, error) {
		w.OnStop("archive", func(context.Context) error { // a request must be refused by now
			_, err := ask(t, client, contracts.ODFL)
			stopped = append(stopped, string(contracts.CodeOf(err)))
			return nil
		})
		return sources(ctx, w, reads)
	})
	for range 2 {
		if a, err := ask(t, client, contracts.ODFL); err != nil || a.Carrier != contracts.ODFL {
			t.Fatalf("%+v, %v", a, err)
		}
		awaitStored(t, nats, contracts.ODFL)
	}
	if len(reads) != 1 {
		t.Errorf("%d reads, want 1", len(reads))
	}
	if _, err := ask(t, client, contracts.SAIA); contracts.CodeOf(err) != contracts.NoWorker {
		t.Errorf("a source that is not served: %v", err)
	}
	listed(t, nats, contracts.ODFL, "closed")
	listed(t, nats, contracts.SAIA, "")
	if err := stop(); err != nil || len(stopped) != 1 || stopped[0] != string(contracts.NoWorker) {
		t.Errorf("stopped with %v; the archive's stop found %v", err, stopped)
	}
}

// awaitStored waits for a carrier's answer to be stored, which comes after it is told.
func awaitStored(t *testing.T, nats *server.Server, c contracts.Carrier) {
	t.Helper()
	answers, err := bustest.JetStream(t, bustest.Connect(t, nats)).KeyValue(t.Context(), contracts.AnswersBucket.Name)
	if err != nil {
		t.Fatal(err)
	}
	clocktest.Await(t, "the answer is stored", func() bool {
		_, err := answers.Get(t.Context(), string(contracts.SurchargeKey(contracts.Test, c)))
		return err == nil
	})
}

func ask(t *testing.T, client *bus.Client, c contracts.Carrier) (contracts.SurchargeAnswer, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), clocktest.Patience)
	defer cancel()
	return bus.Call[contracts.SurchargeAnswer](ctx, client, contracts.SurchargeSubject(contracts.Test, c),
		contracts.SurchargeRequest{Carrier: c})
}

// listed waits until the carrier is listed with the state of its breaker.
func listed(t *testing.T, nats *server.Server, c contracts.Carrier, breaker string) {
	t.Helper()
	listings, err := bustest.JetStream(t, bustest.Connect(t, nats)).KeyValue(t.Context(), contracts.SourcesBucket.Name)
	if err != nil {
		t.Fatal(err)
	}
	clocktest.Await(t, fmt.Sprintf("%s is listed with its breaker %q", c, breaker), func() bool {
		var last contracts.CarrierListing
		entry, err := listings.Get(t.Context(), contracts.ListingKey(contracts.Test, contracts.LTL, string(c)))
		return err == nil && json.Unmarshal(entry.Value(), &last) == nil && last.Code == c && last.Breaker == breaker
	})
}

func TestRefusesACapacityBelowOne(t *testing.T) {
	t.Parallel()
	for _, capacity := range []int{0, -1} {
		s := toy()
		s.Capacity = capacity
		err := worker.Run(t.Context(), worker.Config{}, s, nil)
		if err == nil || !strings.Contains(err.Error(), "want at least 1") {
			t.Errorf("capacity %d: %v", capacity, err)
		}
	}
}

// The question which solver there is goes to captcha-worker by request and reply: nothing is put on the queue.
func TestAsksWhichSolverThereIs(t *testing.T) {
	t.Parallel()
	nats := bustest.Server(t)
	conn := bustest.Connect(t, nats)
	var paid *worker.Paid
	start(t, nats, toy(), func(ctx context.Context, w *worker.Worker) (_ []worker.Source, err error) {
		paid, err = w.OpenPaid(ctx)
		return nil, err
	})
	if _, err := paid.Solver(t.Context()); contracts.CodeOf(err) != contracts.NoWorker {
		t.Errorf("without a captcha-worker: %v", err)
	}
	server, err := bus.Serve(bus.Deps{Conn: conn}, bus.Service{
		Name: contracts.CaptchaWorker, Version: "1.0.0", Capacity: 1, MaxTime: time.Second,
		Endpoints: []bus.Endpoint{bus.Handle("solver", contracts.SolverSubject(contracts.Test),
			func(context.Context, contracts.SolverRequest) (contracts.SolverAnswer, error) {
				return contracts.SolverAnswer{Provider: "2captcha"}, nil
			})},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Stop(context.Background()) }()
	if a, err := paid.Solver(t.Context()); err != nil || a.Provider != "2captcha" {
		t.Errorf("%+v, %v", a, err)
	}
	stream, err := bustest.JetStream(t, conn).Stream(t.Context(), contracts.JobsStream.Name)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := stream.Info(t.Context()); err != nil || info.State.LastSeq != 0 {
		t.Errorf("jobs were put on the queue: %+v, %v", info.State, err)
	}
}
