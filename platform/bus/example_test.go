package bus_test

import (
	"context"
	"fmt"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
)

// A worker answers requests on a subject until it is stopped.
func ExampleServe() {
	ctx := context.Background()
	conn, err := bus.Connect(ctx, bus.ConnectOptions{URL: "nats://localhost:4222", Name: "ltl-worker"})
	if err != nil {
		return
	}
	subject := contracts.SurchargeSubject(contracts.Test, contracts.ODFL)
	read := func(_ context.Context, r contracts.SurchargeRequest) (contracts.SurchargeAnswer, error) {
		return contracts.SurchargeAnswer{Carrier: r.Carrier}, nil
	}
	server, err := bus.Serve(bus.Deps{Conn: conn}, bus.Service{
		Name: "ltl-worker", Version: "1.0.0", Capacity: 100, MaxTime: 20 * time.Second,
		Endpoints: []bus.Endpoint{bus.Handle("surcharge-ODFL", subject, read)},
	})
	if err != nil {
		return
	}
	_ = server.Stop(ctx)
}

// Whoever wants the answer calls the subject, and waits as long as the context allows.
func ExampleCall() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	conn, err := bus.Connect(ctx, bus.ConnectOptions{URL: "nats://localhost:4222", Name: "gateway"})
	if err != nil {
		return
	}
	client := bus.NewClient(bus.Deps{Conn: conn})
	subject := contracts.SurchargeSubject(contracts.Test, contracts.ODFL)
	answer, err := bus.Call[contracts.SurchargeAnswer](ctx, client, subject,
		contracts.SurchargeRequest{Carrier: contracts.ODFL})
	switch contracts.CodeOf(err) {
	case "":
		fmt.Println(answer.Weeks[0].Percent)
	case contracts.NoWorker, contracts.Busy:
		fmt.Println("retry later")
	}
}
