package renderer

import (
	"errors"
	"net/http"
	"time"

	"assay.dev/sandbox/paid"
)

// Admin serves the controls of the service. What they change is
// {"delay_seconds":5,"patience_seconds":70,"lag_seconds":15,"render_cost":5,
// "plain_cost":1,"limit":1000,"concurrency":5}; a failure is blocked, unauthorized, credits-out, max-cost, throttled,
// failed, unavailable, captcha or silent.
func (s *Service) Admin() http.Handler {
	return paid.Controls{
		Show: func() any {
			return struct {
				Counts Counts `json:"counts"`
				settings
			}{s.Counts(), settingsOf(s.Behaviour())}
		},
		Change: func(decode func(any) error) error {
			to := settingsOf(s.Behaviour())
			if err := decode(&to); err != nil {
				return err
			}
			return s.Behave(to.behaviour())
		},
		Fail: func(method, failure string, times int) error {
			if method != "" {
				return errors.New("the renderer has no methods: leave method out")
			}
			return s.Fail(Failure(failure), times)
		},
		Reset: s.Reset,
	}.Handler()
}

// settings are the behaviour in JSON.
type settings struct {
	DelaySeconds    float64 `json:"delay_seconds"`
	PatienceSeconds float64 `json:"patience_seconds"`
	LagSeconds      float64 `json:"lag_seconds"`
	RenderCost      int     `json:"render_cost"`
	PlainCost       int     `json:"plain_cost"`
	Limit           int     `json:"limit"`
	Concurrency     int     `json:"concurrency"`
}

func settingsOf(b Behaviour) settings {
	return settings{b.Delay.Seconds(), b.Patience.Seconds(), b.Lag.Seconds(), b.RenderCost, b.PlainCost, b.Limit,
		b.Concurrency}
}

func (c settings) behaviour() Behaviour {
	seconds := func(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }
	return Behaviour{
		Delay: seconds(c.DelaySeconds), Patience: seconds(c.PatienceSeconds), Lag: seconds(c.LagSeconds),
		RenderCost: c.RenderCost, PlainCost: c.PlainCost, Limit: c.Limit, Concurrency: c.Concurrency,
	}
}
