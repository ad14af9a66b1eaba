package solver

import (
	"net/http"
	"time"

	"assay.dev/sandbox/paid"
)

// Admin serves the controls of the service. What they change is
// {"delay_seconds":5,"price_usd":0.001,"wrong":0.3,"balance_usd":0}; a failure is that of a method, ERROR_ZERO_BALANCE
// or the like, html, silent, garbage or hostile.
func (p *Provider) Admin() http.Handler {
	return paid.Controls{
		Show: func() any {
			return struct {
				Counts Counts `json:"counts"`
				settings
			}{p.Counts(), p.settings()}
		},
		Change: p.change, Reset: p.Reset,
		Fail: func(method, failure string, times int) error { return p.Fail(method, Failure(failure), times) },
	}.Handler()
}

// settings are behaviour and balance in JSON.
type settings struct {
	DelaySeconds float64 `json:"delay_seconds"`
	PriceUSD     float64 `json:"price_usd"`
	Wrong        float64 `json:"wrong"`
	BalanceUSD   float64 `json:"balance_usd"`
}

func (p *Provider) settings() settings {
	p.mu.Lock()
	defer p.mu.Unlock()
	return settings{p.behaviour.Delay.Seconds(), p.behaviour.PriceUSD, p.behaviour.Wrong, p.balance.usd()}
}

func (p *Provider) change(decode func(any) error) error {
	to := p.settings()
	if err := decode(&to); err != nil {
		return err
	}
	p.SetBalance(to.BalanceUSD)
	return p.Behave(Behaviour{time.Duration(to.DelaySeconds * float64(time.Second)), to.PriceUSD, to.Wrong})
}
