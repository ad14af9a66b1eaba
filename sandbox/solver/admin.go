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

func (p *Provider) patch(w http.ResponseWriter, r *http.Request) {
	var change struct {
		DelaySeconds *float64 `json:"delay_seconds"`
		PriceUSD     *float64 `json:"price_usd"`
		Wrong        *float64 `json:"wrong"`
		BalanceUSD   *float64 `json:"balance_usd"`
	}
	if !decode(w, r, &change) {
		return
	}
	p.mu.Lock()
	b := p.behaviour
	p.mu.Unlock()
	if change.DelaySeconds != nil {
		b.Delay = time.Duration(*change.DelaySeconds * float64(time.Second))
	}
	if change.PriceUSD != nil {
		b.PriceUSD = *change.PriceUSD
	}
	if change.Wrong != nil {
		b.Wrong = *change.Wrong
	}
	if change.BalanceUSD != nil {
		p.SetBalance(*change.BalanceUSD)
	}
	p.done(w, p.Behave(b))
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
	p.mu.Lock()
	b := p.behaviour
	p.mu.Unlock()
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_ = json.NewEncoder(w).Encode(map[string]any{
		"counts": p.Counts(), "delay_seconds": b.Delay.Seconds(), "price_usd": b.PriceUSD, "wrong": b.Wrong,
	}) // a reader that left
}
