package gateway

import (
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/answers"
)

// licenseQuestion asks for one license.
type licenseQuestion struct {
	env contracts.Environment
	contracts.LicenseRequest
}

func (q licenseQuestion) Key() contracts.CacheKey {
	return contracts.LicenseKey(q.env, q.LicenseRequest)
}
func (q licenseQuestion) View() int                  { return 0 }
func (q licenseQuestion) Subject() contracts.Subject { return contracts.LicenseSubject(q.env, q.State) }
func (q licenseQuestion) Request() any               { return q.LicenseRequest }
func (q licenseQuestion) MaxTime() time.Duration     { return maxTime(q.State) }
func (q licenseQuestion) Body(a contracts.LicenseAnswer) (contracts.Provenance, any, error) {
	body, err := a.Body()
	return a.Provenance, body, err
}

// searchQuestion asks for the licenses that match a query.
type searchQuestion struct {
	env contracts.Environment
	contracts.SearchRequest
}

func (q searchQuestion) Key() contracts.CacheKey    { return contracts.SearchKey(q.env, q.SearchRequest) }
func (q searchQuestion) View() int                  { return 0 }
func (q searchQuestion) Subject() contracts.Subject { return contracts.SearchSubject(q.env, q.State) }
func (q searchQuestion) Request() any               { return q.SearchRequest }
func (q searchQuestion) MaxTime() time.Duration     { return maxTime(q.State) }
func (q searchQuestion) Body(a contracts.SearchAnswer) (contracts.Provenance, any, error) {
	page, _ := a.Body(contracts.MaxResults, contracts.Position{})
	return a.Provenance, page, nil
}

// license looks one license up (contract §4.6).
func license(g *gateway, e *exchange) (reply, error) {
	request, err := parseLicense(e)
	if err != nil {
		return reply{}, err
	}
	return found(answers.Get[contracts.LicenseAnswer](e.ctx, g.answers, licenseQuestion{e.caller.Environment, request}))
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
func search(g *gateway, e *exchange) (reply, error) {
	request, err := parseSearch(e)
	if err != nil {
		return reply{}, err
	}
	return found(answers.Get[contracts.SearchAnswer](e.ctx, g.answers, searchQuestion{e.caller.Environment, request}))
}

func parseSearch(e *exchange) (contracts.SearchRequest, error) {
	p := e.parameters()
	state, unknown := p.state()
	q := contracts.Query{DBAName: p.text("dba_name"), OwnerName: p.text("owner_name"), Address: p.text("address")}
	if q == (contracts.Query{}) {
		p.violate("query", "", "missing_params", "give at least one of dba_name, owner_name and address")
	}
	if err := p.err(unknown); err != nil {
		return contracts.SearchRequest{}, err
	}
	return contracts.SearchRequest{State: state, Query: q}, q.Validate()
}

// maxTime leaves room for what a state's site asks of a visitor.
func maxTime(s contracts.State) time.Duration {
	if s == contracts.TX || s == contracts.IL {
		return slowMaxTime
	}
	return fastMaxTime
}
