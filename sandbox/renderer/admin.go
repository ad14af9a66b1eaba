package renderer

import (
	"encoding/json"
	"net/http"
	"time"
)

// Admin serves the controls of the service over HTTP:
//
//	GET    /          counts and behaviour
//	PATCH  /          {"delay_seconds":5,"patience_seconds":70,"lag_seconds":15,"render_cost":5,"plain_cost":1,"limit":1000,"concurrency":5}   what is left out stays
//	POST   /failures  {"failure":"blocked","times":3}   also unauthorized, credits-out, max-cost, throttled, failed, unavailable, captcha, silent
//	DELETE /          as at the start
func (s *Service) Admin() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { s.show(w) })
	mux.HandleFunc("DELETE /{$}", func(w http.ResponseWriter, _ *http.Request) { s.Reset(); s.show(w) })
	mux.HandleFunc("PATCH /{$}", s.patch)
	mux.HandleFunc("POST /failures", func(w http.ResponseWriter, r *http.Request) {
		var f struct {
			Failure Failure `json:"failure"`
			Times   int     `json:"times"`
		}
		if err := decode(w, r, &f); err != nil {
			s.done(w, err)
			return
		}
		s.done(w, s.Fail(f.Failure, f.Times))
	})
	return mux
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

func (s *Service) patch(w http.ResponseWriter, r *http.Request) {
	change := settingsOf(s.Behaviour())
	if err := decode(w, r, &change); err != nil {
		s.done(w, err)
		return
	}
	s.done(w, s.Behave(change.behaviour()))
}

func decode(w http.ResponseWriter, r *http.Request, into any) error {
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, 4096))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

func (s *Service) done(w http.ResponseWriter, err error) {
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	s.show(w)
}

func (s *Service) show(w http.ResponseWriter) {
	writeJSON(w, struct {
		Counts Counts `json:"counts"`
		settings
	}{s.Counts(), settingsOf(s.Behaviour())})
}
