package gateway

import (
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/answers"
)

// license looks one license up (contract §4.6).
func license(g *gateway, e *exchange) (*reply, error) {
	q, err := parseLicense(e)
	if err != nil {
		return nil, err
	}
	env := e.caller.Environment
	f, err := answers.Get(e.ctx, g.answers, answers.Question[contracts.LicenseAnswer]{
		Key: contracts.LicenseKey(env, q), MaxTime: maxTime(q.State),
		Subject: contracts.LicenseSubject(env, q.State), Request: q,
		Body: func(a contracts.LicenseAnswer) (contracts.Provenance, any, error) {
			body, err := a.Body()
			return a.Provenance, body, err
		},
	})
	if err != nil {
		return nil, err
	}
	return dataReply(f), nil
}

func parseLicense(e *exchange) (contracts.LicenseRequest, error) {
	number, err := licenseNumber(e)
	if err != nil {
		return contracts.LicenseRequest{}, err
	}
	p := e.parameters()
	state, unknown := p.state()
	if number == "" {
		p.violate("path", "license_number", "missing", "the license number is missing")
	}
	p.checkText("path", "license_number", number)
	if err := p.err(unknown); err != nil {
		return contracts.LicenseRequest{}, err
	}
	normal, err := contracts.NormalLicenseNumber(state, number)
	return contracts.LicenseRequest{State: state, Number: normal}, err
}

// search finds licenses by what their records hold (contract §4.5).
func search(g *gateway, e *exchange) (*reply, error) {
	q, err := parseSearch(e)
	if err != nil {
		return nil, err
	}
	env := e.caller.Environment
	f, err := answers.Get(e.ctx, g.answers, answers.Question[contracts.SearchAnswer]{
		Key: contracts.SearchKey(env, q), MaxTime: maxTime(q.State),
		Subject: contracts.SearchSubject(env, q.State), Request: q,
		Body: func(a contracts.SearchAnswer) (contracts.Provenance, any, error) { return a.Provenance, a.Body(), nil },
	})
	if err != nil {
		return nil, err
	}
	return dataReply(f), nil
}

func parseSearch(e *exchange) (contracts.SearchRequest, error) {
	p := e.parameters()
	state, unknown := p.state()
	q := contracts.Query{DBAName: p.one("dba_name"), OwnerName: p.one("owner_name"), Address: p.one("address")}
	if q == (contracts.Query{}) {
		p.violate("query", "", "missing_params", "give at least one of dba_name, owner_name and address")
	}
	return contracts.SearchRequest{State: state, Query: q}, p.err(unknown)
}

// maxTime leaves room for what a state's site asks of a visitor.
func maxTime(s contracts.State) time.Duration {
	if s == contracts.TX || s == contracts.IL {
		return slowMaxTime
	}
	return fastMaxTime
}
