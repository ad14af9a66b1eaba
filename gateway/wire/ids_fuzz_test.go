package wire

import (
	"net/http"
	"testing"

	"assay.dev/platform/telemetry"
)

func FuzzIDs(f *testing.F) {
	f.Add("order-1", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	f.Fuzz(func(t *testing.T, requestID, traceparent string) {
		n := newIDs(http.Header{headerRequestID: {requestID}, headerTraceparent: {traceparent}}, false)
		if len(n.id) != 32 || n.requestID == "" || !telemetry.ValidRequestID(n.requestID) || !n.own.IsValid() || n.parent.IsValid() || n.theirs.TraceID() == n.own.TraceID() {
			t.Errorf("%+v", n)
		}
		if n.requestID != n.id && n.requestID != requestID {
			t.Errorf("request id %q", n.requestID)
		}
	})
}
