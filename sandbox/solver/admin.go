package solver

import (
	"encoding/json"
	"net/http"
	"time"
)

// Admin serves the controls of the service over HTTP:
//
//	GET    /            counts and behaviour
//	PATCH  /            {"delay_seconds":5,"price_usd":0.001,"wrong":0.3,"balance_usd":0}   what is left out stays
//	POST   /failures    {"method":"createTask","failure":"ERROR_ZERO_BALANCE","times":3}    failure also html, silent, garbage, hostile
//	DELETE /            as at the start
func (p *Provider) Admin() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { p.show(w) })
	mux.HandleFunc("DELETE /{$}", func(w http.ResponseWriter, _ *http.Request) { p.Reset(); p.show(w) })
	mux.HandleFunc("PATCH /{$}", p.patch)
	mux.HandleFunc("POST /failures", func(w http.ResponseWriter, r *http.Request) {
		var f struct {
			Method  string  `json:"method"`
			Failure Failure `json:"failure"`
			Times   int     `json:"times"`
		}
		if decode(w, r, &f) {
			p.done(w, p.Fail(f.Method, f.Failure, f.Times))
		}
	})
	return mux
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

func (p *Provider) patch(w http.ResponseWriter, r *http.Request) {
	change := p.settings()
	if !decode(w, r, &change) {
		return
	}
	p.SetBalance(change.BalanceUSD)
	p.done(w, p.Behave(Behaviour{time.Duration(change.DelaySeconds * float64(time.Second)), change.PriceUSD,
		change.Wrong}))
}

func decode(w http.ResponseWriter, r *http.Request, into any) bool {
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, 4096))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return false
	}
	return true
}

func (p *Provider) done(w http.ResponseWriter, err error) {
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	p.show(w)
}

func (p *Provider) show(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_ = json.NewEncoder(w).Encode(struct {
		Counts Counts `json:"counts"`
		settings
	}{p.Counts(), p.settings()}) // a reader that left
}
