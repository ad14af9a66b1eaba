// Package solver turns CAPTCHA images into text through a service of the createTask family: 2Captcha v2
// (https://2captcha.com/api-docs), Anti-Captcha (https://anti-captcha.com/apidoc) or CapSolver
// (https://docs.capsolver.com). They differ in when they answer and in how a bad solve is reported.
package solver

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/clock"
	"assay.dev/platform/daemon"
)

// Config names the service.
type Config struct {
	Provider string        `env:"ASSAY_SOLVER" envDefault:"2captcha" help:"CAPTCHA solving service: 2captcha, anti-captcha or capsolver"`
	Key      daemon.Secret `env:"ASSAY_SOLVER_KEY" help:"key of the solving service; without one, TX answers CAPTCHA_SOLVER_NOT_CONFIGURED"`
	URL      string        `env:"ASSAY_SOLVER_URL" help:"base URL of the solving service, when it is not the provider's own"`
	// FirstPoll is the pause before the first question for a solve, Poll that between further ones. 0 is what the
	// provider allows; Poll alone is for both.
	FirstPoll time.Duration `env:"ASSAY_SOLVER_FIRST_POLL" envDefault:"0s" help:"pause before the first question for a solve; 0s: that of ASSAY_SOLVER_POLL, or what the provider allows: anti-captcha 2s, 2captcha 5s"`
	Poll      time.Duration `env:"ASSAY_SOLVER_POLL" envDefault:"0s" help:"pause between further questions for a solve; 0s: what the provider allows: anti-captcha 1s, 2captcha 5s; capsolver answers at once"`
}

type provider struct {
	url string
	// report is the method that takes back a bad solve; empty where there is none.
	report string
	// first and every are the pauses before the first question for a solve and between further ones.
	first, every time.Duration
}

// 2Captcha asks for 5 s (https://2captcha.com/api-docs/get-task-result). Anti-Captcha names no pause, and its own
// clients ask each second (https://github.com/anti-captcha/anticaptcha-python). CapSolver has images solved when it
// takes them, and asks for 3 s where it has not (https://docs.capsolver.com/guide/api-gettaskresult).
var providers = map[string]provider{
	"2captcha":     {"https://api.2captcha.com", "reportIncorrect", 5 * time.Second, 5 * time.Second},
	"anti-captcha": {"https://api.anti-captcha.com", "reportIncorrectImageCaptcha", 2 * time.Second, time.Second},
	"capsolver":    {"https://api.capsolver.com", "", 2 * time.Second, 3 * time.Second},
}

// pauses are those of the settings, or else the provider's.
func (c Config) pauses() (first, every time.Duration) {
	p := providers[c.Provider]
	return cmp.Or(c.FirstPoll, c.Poll, p.first), cmp.Or(c.Poll, p.every)
}

// Validate checks the provider's name, the pauses and the URL.
func (c Config) Validate() error {
	if _, ok := providers[c.Provider]; !ok {
		return fmt.Errorf("ASSAY_SOLVER=%q: want 2captcha, anti-captcha or capsolver", c.Provider)
	}
	if c.FirstPoll < 0 || c.Poll < 0 {
		return errors.New("ASSAY_SOLVER_FIRST_POLL, ASSAY_SOLVER_POLL: want at least 0s")
	}
	if u, err := url.Parse(c.URL); err != nil || (c.URL != "" && u.Host == "") {
		return errors.New("ASSAY_SOLVER_URL: not a URL")
	}
	return nil
}

// MaxImage is the largest picture the services take.
const MaxImage = 100 << 10

// maxAnswer bounds what is read of an answer.
const maxAnswer = 64 << 10

// Client talks to one service. It is safe for concurrent use.
type Client struct {
	cfg      Config
	provider provider
	http     *http.Client
}

// New uses transport for all requests.
func New(cfg Config, transport http.RoundTripper) *Client {
	p := providers[cfg.Provider]
	if cfg.URL != "" {
		p.url = strings.TrimRight(cfg.URL, "/")
	}
	return &Client{cfg: cfg, provider: p, http: &http.Client{
		Transport: transport,
		Timeout:   30 * time.Second,
		// a key must not follow a redirect
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Provider is the name of the service, as in [contracts.SolveRef].
func (c *Client) Provider() string { return c.cfg.Provider }

// Configured tells whether there is a key.
func (c *Client) Configured() bool { return c.cfg.Key.Reveal() != "" }

// Solution is a solved image.
type Solution struct {
	Text string
	// CostUSD is what the service says it charged; 0 when it does not say.
	CostUSD float64
}

// Create pays for the solving of an image and returns the service's id of the task. CapSolver answers at once: then the
// solution is there too. The error holds a [Kind], or is the context's.
func (c *Client) Create(ctx context.Context, job contracts.SolveJob) (task string, done *Solution, err error) {
	if len(job.Image) == 0 || len(job.Image) > MaxImage {
		return "", nil, fmt.Errorf("%w: image of %d bytes", Rejected, len(job.Image))
	}
	var a answer
	err = c.call(ctx, "createTask", map[string]any{"task": map[string]any{
		"type": "ImageToTextTask",
		"body": base64.StdEncoding.EncodeToString(job.Image),
		"case": job.CaseSensitive, "minLength": job.MinLength, "maxLength": job.MaxLength,
	}}, &a)
	if err != nil {
		return "", nil, err
	}
	if a.Status == "ready" {
		solution, err := a.solution()
		return string(a.TaskID), solution, err
	}
	if a.TaskID == "" {
		return "", nil, fmt.Errorf("%w: no task id", Hostile)
	}
	return string(a.TaskID), nil, nil
}

// Await asks for a task until it is solved or ctx ends.
func (c *Client) Await(ctx context.Context, task string) (*Solution, error) {
	for pause, every := c.cfg.pauses(); ; pause = every {
		if err := clock.Sleep(ctx, pause); err != nil {
			return nil, err
		}
		var a answer
		err := c.call(ctx, "getTaskResult", map[string]any{"taskId": taskID(task)}, &a)
		switch {
		case errors.Is(err, Busy), errors.Is(err, Unreachable), errors.Is(err, Lost): // the task goes on without us
		case err != nil:
			return nil, err
		case a.Status == "ready":
			return a.solution()
		case a.Status != "processing" && a.Status != "idle":
			return nil, fmt.Errorf("%w: status %s", Hostile, contracts.Printable(a.Status))
		}
	}
}

// ReportBad tells the service that the site refused a solve. It does nothing for a service that takes no reports.
func (c *Client) ReportBad(ctx context.Context, task string) error {
	if c.provider.report == "" {
		return nil
	}
	return c.call(ctx, c.provider.report, map[string]any{"taskId": taskID(task)}, &answer{})
}

// Balance is what is left on the account, in US dollars.
func (c *Client) Balance(ctx context.Context) (float64, error) {
	var a answer
	err := c.call(ctx, "getBalance", nil, &a)
	return float64(a.Balance), err
}

func (c *Client) call(ctx context.Context, method string, params map[string]any, into *answer) error {
	body := map[string]any{"clientKey": c.cfg.Key.Reveal()}
	for k, v := range params {
		body[k] = v
	}
	data, err := json.Marshal(body)
	if err != nil {
		return err
	}
	var sent atomic.Bool
	traced := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		WroteHeaders: func() { sent.Store(true) }})
	req, err := http.NewRequestWithContext(traced, http.MethodPost, c.provider.url+"/"+method, bytes.NewReader(data))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := c.http.Do(req)
	var text []byte
	if err == nil {
		defer resp.Body.Close()
		text, err = io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	}
	switch {
	case err == nil:
		return into.decode(resp.StatusCode, text)
	case sent.Load():
		return fmt.Errorf("%w: %s: %w", Lost, method, cmp.Or(ctx.Err(), err))
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return fmt.Errorf("%w: %s: %w", Unreachable, method, err)
}
