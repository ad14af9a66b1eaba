package courier

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/webhook"
)

// What endpoints do to us hurts themselves only.
func TestHostileEndpoints(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	elsewhere := s.receiver(nil)
	ended := make(chan struct{})
	hang := func(w http.ResponseWriter, r *http.Request, _ int) {
		select {
		case <-r.Context().Done():
		case <-ended:
		}
	}
	tests := map[string]struct {
		answer func(http.ResponseWriter, *http.Request, int)
		url    string
		want   string // of the delivery that is noted
		status webhook.EndpointStatus
	}{
		"hangs": {answer: hang, want: "no reply within"},
		"drips": {answer: func(w http.ResponseWriter, r *http.Request, n int) {
			w.Header().Set("Content-Length", "100")
			w.WriteHeader(http.StatusOK)
			_ = http.NewResponseController(w).Flush()
			hang(w, r, n)
		}, status: "active"},
		"redirects": {answer: func(w http.ResponseWriter, r *http.Request, _ int) {
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
		}, want: "redirects are not followed"},
		"replies 5 MB": {answer: func(w http.ResponseWriter, _ *http.Request, _ int) {
			_, _ = w.Write([]byte(strings.Repeat("x", 5<<20)))
		}, status: "active"},
		"sends endless headers": {answer: func(w http.ResponseWriter, _ *http.Request, _ int) {
			w.Header().Set("X", strings.Repeat("x", 1<<20))
		}, want: "the connection failed"},
		"is gone":       {answer: status(http.StatusGone), want: "the status was 410", status: "disabled"},
		"is no TLS":     {url: "https://127.0.0.1:" + port(elsewhere.URL), want: "the connection failed"},
		"is private":    {url: "https://10.0.0.1/", want: "none of the public internet"},
		"is metadata":   {url: "https://169.254.169.254/latest", want: "none of the public internet"},
		"is plain http": {url: "http://example.com/", want: "only https"},
		"is our NATS":   {url: "http://127.0.0.1:" + port(s.nats.ClientURL()), want: "one of our own ports"},
	}
	keys := map[string]string{}
	for name, test := range tests {
		url := test.url
		if url == "" {
			url = s.receiver(test.answer).URL
		}
		keys[name], _ = s.keep(url)
	}
	t.Cleanup(func() { close(ended) }) // before the receivers are closed
	good := s.receiver(nil)
	s.keep(good.URL)
	old, later := time.Now().Add(-120*time.Hour), time.Now().Add(-96*time.Hour)
	waiting := []webhook.Retry{{Event: "CA.e.0", Attempts: 3, Due: time.Now().Add(time.Hour)}} // days without an attempt do not count
	ill, _ := s.keep(s.receiver(status(500)).URL, func(e *webhook.Endpoint) { e.FailingSince, e.Retries = &old, waiting })
	weak, _ := s.keep(s.receiver(status(500)).URL, func(e *webhook.Endpoint) { e.FailingSince, e.Retries = &later, waiting })
	s.courier(func(c *Config) { c.Schedule = []time.Duration{time.Hour} })
	s.change(contracts.Test, "1")
	s.await("the good one gets it", func() bool { return len(good.got()) == 1 })
	for name, test := range tests {
		s.await(name, func() bool { return len(s.deliveries(keys[name])) == 1 })
		d := s.deliveries(keys[name])[0]
		want := test.status
		if want == "" {
			want = "failing"
		}
		s.await(name+" is "+string(want), func() bool { e := s.kept(keys[name]); return e.Status() == want })
		if !strings.Contains(d.Error, test.want) || test.want == "" && d.Error != "" || len(d.Reply) > maxReply {
			t.Errorf("%s: %+v", name, d)
		}
	}
	if len(elsewhere.got()) > 0 {
		t.Error("a redirect was followed")
	}
	s.await("five days of failure disable", func() bool { return s.kept(ill).Disabled != "" })
	s.await("four days are noted", func() bool { return len(s.kept(weak).Retries) == 2 })
	if e := s.kept(weak); e.Status() != "failing" {
		t.Errorf("after four days: %+v", e)
	}
}

// What is promised of retries (contract §4.21).
func TestTheScheduleIsAsPromised(t *testing.T) {
	t.Parallel()
	if got := fmt.Sprint(schedule, disableAfter); got != "[5s 5m0s 30m0s 2h0m0s 5h0m0s 10h0m0s 14h0m0s 20h0m0s 24h0m0s] 120h0m0s" {
		t.Error(got)
	}
}

func port(url string) string { return url[strings.LastIndexByte(url, ':')+1:] }

// A name that leads to a private address, now or the next time, is not connected to; neither is another port than 443.
func TestTheGuardSeesEachConnection(t *testing.T) {
	t.Parallel()
	s := newSender(nil, false, time.Second, nil)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for address, allowed := range map[string]bool{
		"8.8.8.8:443": true, "[2606:4700::1111]:443": true, "8.8.8.8:80": false, "8.8.8.8:8443": false, "127.0.0.1:443": false, "10.1.2.3:443": false,
		"169.254.169.254:443": false, "[::1]:443": false, "[::ffff:10.0.0.1]:443": false, "[64:ff9b::a00:1]:443": false, "100.64.0.1:443": false, "x": false,
	} {
		if err := s.guard(t.Context(), "tcp", address, nil); (err == nil) != allowed {
			t.Errorf("%s: %v", address, err)
		}
	}
	dial := s.client.Transport.(*http.Transport).DialContext
	if _, err := dial(t.Context(), "tcp", "localhost:"+port(l.Addr().String())); err == nil {
		t.Error("a name that leads to this machine was connected to")
	}
	own := newSender(nil, true, time.Second, []string{port(l.Addr().String())})
	if _, err := own.client.Transport.(*http.Transport).DialContext(context.Background(), "tcp", l.Addr().String()); err == nil {
		t.Error("our own port was connected to")
	}
}
