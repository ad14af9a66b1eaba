package courier

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"assay.dev/contracts"
	"assay.dev/platform/publicnet"
	"assay.dev/platform/webhook"
)

const (
	// sendTime bounds an attempt, from the name's resolution to the reply's first KB.
	sendTime = 15 * time.Second
	// replyTime bounds the wait for what of the reply is kept, once its status is known.
	replyTime = time.Second
	maxReply  = 1 << 10
	maxHeader = 16 << 10
	// maxRetryAfter bounds what an endpoint may ask for.
	maxRetryAfter = 24 * time.Hour
)

// event is a change as it is delivered.
type event struct {
	sequence uint64
	doc      json.RawMessage
	id       string
	kind     contracts.ChangeType
	product  contracts.Product
}

// eventOf reads what must be known of a change. Those of the stream are well-formed.
func eventOf(sequence uint64, doc json.RawMessage) event {
	var c struct {
		ID      string               `json:"id"`
		Type    contracts.ChangeType `json:"type"`
		Product contracts.Product    `json:"product"`
	}
	_ = json.Unmarshal(doc, &c)
	return event{sequence, doc, c.ID, c.Type, c.Product}
}

// sender makes the requests.
type sender struct {
	client   *http.Client
	sealer   *webhook.Sealer
	loopback bool
	time     time.Duration
	own      []string
}

// errPrivate is told of an address that no webhook may reach.
var errPrivate = errors.New("the address is none of the public internet, or one of our own ports")

func newSender(sealer *webhook.Sealer, loopback bool, within time.Duration, own []string) *sender {
	s := &sender{sealer: sealer, loopback: loopback, time: within, own: own}
	dialer := &net.Dialer{Timeout: within, ControlContext: s.guard}
	s.client = &http.Client{
		Transport: &http.Transport{
			DialContext: dialer.DialContext, MaxIdleConns: 2 * maxInFlight, MaxIdleConnsPerHost: 1,
			IdleConnTimeout:        30 * time.Second,
			MaxResponseHeaderBytes: maxHeader, DisableCompression: true,
			TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12},
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return s
}

// guard sees each address before it is connected to, after the name was resolved.
func (s *sender) guard(_ context.Context, _, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	_, port, _ := net.SplitHostPort(address)
	switch {
	case err != nil:
		return errPrivate
	case at.Port() == 443 && publicnet.Addr(at.Addr()):
		return nil
	case s.loopback && at.Addr().Unmap().IsLoopback() && !slices.Contains(s.own, port):
		return nil
	}
	return errPrivate
}

// result is what an attempt came to.
type result struct {
	status     int
	err        string // for the tenant
	cause      error  // for our log: the network's own words, without the URL, whose path may be secret
	reply      string
	retryAfter time.Duration
	took       time.Duration
}

func (r *result) ok() bool { return r.status >= 200 && r.status < 300 }

// send makes one attempt.
func (s *sender) send(ctx context.Context, key string, e *webhook.Endpoint, id string, body []byte) (r result) {
	began := time.Now()
	defer func() { r.took = time.Since(began) }()
	if wrong := webhook.CheckURL(e.URL, s.loopback); wrong != "" {
		return result{err: wrong}
	}
	ctx, cancel := context.WithTimeout(ctx, s.time)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.URL, bytes.NewReader(body))
	if err == nil {
		err = s.sign(req, key, e, id, body, began)
	}
	if err != nil {
		return result{err: err.Error()}
	}
	resp, err := s.client.Do(req)
	if err != nil {
		if wrapped := (*url.Error)(nil); errors.As(err, &wrapped) {
			err = wrapped.Err
		}
		return result{err: inWords(ctx, err), cause: err}
	}
	defer resp.Body.Close()
	defer time.AfterFunc(replyTime, cancel).Stop()
	reply, _ := io.ReadAll(io.LimitReader(resp.Body, maxReply)) // what is there of it
	r = result{status: resp.StatusCode, reply: strings.ToValidUTF8(string(reply), "\uFFFD"),
		retryAfter: retryAfter(resp.Header.Get("Retry-After"), began)}
	switch {
	case r.status >= 300 && r.status < 400:
		r.err = "redirects are not followed"
	case !r.ok():
		r.err = fmt.Sprintf("the status was %d", r.status)
	}
	return r
}

// sign signs a request by each secret of the endpoint that counts.
func (s *sender) sign(req *http.Request, key string, e *webhook.Endpoint, id string, body []byte, now time.Time) error {
	var signers []*standardwebhooks.Webhook
	for _, kept := range e.Secrets {
		if kept.Until != nil && now.After(*kept.Until) {
			continue
		}
		secret, err := s.sealer.Open(key, kept)
		if err != nil {
			return err
		}
		signer, err := standardwebhooks.NewWebhookRaw(secret)
		if err != nil {
			return err
		}
		signers = append(signers, signer)
	}
	req.Header.Set("User-Agent", "Assay-Webhooks/1")
	return Sign(req.Header, id, now, body, signers...)
}

// Sign sets the headers of Standard Webhooks 1.0 for an event that is sent now, with a signature by each signer.
func Sign(h http.Header, id string, now time.Time, body []byte, signers ...*standardwebhooks.Webhook) error {
	var signatures []string
	for _, signer := range signers {
		signature, err := signer.Sign(id, now, body)
		if err != nil {
			return err
		}
		signatures = append(signatures, signature)
	}
	h.Set("Content-Type", "application/json")
	h.Set(standardwebhooks.HeaderWebhookID, id)
	h.Set(standardwebhooks.HeaderWebhookTimestamp, strconv.FormatInt(now.Unix(), 10))
	h.Set(standardwebhooks.HeaderWebhookSignature, strings.Join(signatures, " "))
	return nil
}

// inWords tells the tenant why there was no reply, and nothing of our network.
func inWords(ctx context.Context, err error) string {
	var name *net.DNSError
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.Is(err, errPrivate):
		return errPrivate.Error()
	case ctx.Err() != nil:
		return "there was no reply within 15 seconds"
	case errors.As(err, &name):
		return "the host's name cannot be resolved"
	case errors.As(err, &certificate):
		return "the host's certificate is not valid"
	}
	return "the connection failed"
}

// retryAfter reads the header (RFC 9110 §10.2.3): seconds or a date.
func retryAfter(text string, now time.Time) (d time.Duration) {
	if seconds, err := strconv.Atoi(text); err == nil {
		d = time.Duration(min(max(seconds, 0), int(maxRetryAfter/time.Second))) * time.Second
	} else if at, err := http.ParseTime(text); err == nil {
		d = at.Sub(now)
	}
	return min(max(d, 0), maxRetryAfter)
}
