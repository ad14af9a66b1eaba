package api

import (
	"context"
	"fmt"

	"assay.dev/contracts"
	"assay.dev/gateway/answers"
	"assay.dev/gateway/audit"
)

// auditorOf makes the auditor of lines: by what the carriers published or, where the request names a contract, by its
// terms.
func (a *API) auditorOf(ctx context.Context, r *Request, lines []audit.Line, today contracts.Date,
	t audit.Tolerance) (*audit.Auditor, error) {
	name := auditContract.of(r)
	if name == "" {
		archives, err := a.archives(ctx, r.Environment, shipDays(lines, today), today)
		return audit.NewAuditor(archives, today, t), err
	}
	kept, err := a.Contracts.Get(ctx, r.owner(), name)
	if err != nil {
		return nil, err
	}
	if err := kept.CheckLines(lines); err != nil {
		return nil, err
	}
	needs := kept.Needs(lines, today)
	days := map[contracts.Carrier]daySpan{}
	for carrier, d := range needs.Days {
		days[carrier] = daySpan{d[0], d[1]}
	}
	archives, err := a.archives(ctx, r.Environment, days, today)
	if err != nil {
		return nil, err
	}
	g := &audit.PricedContract{Contract: kept.Contract, Prices: map[contracts.Date]float64{},
		Tables: map[audit.TableOf]audit.Table{}}
	if needs.Mondays[0] != "" {
		if err := a.prices(ctx, r.Environment, needs.Mondays, today, g); err != nil {
			g.PriceFailure = "the national prices of diesel cannot be read just now; send this line again later"
		}
	}
	for _, of := range needs.Tables {
		g.Tables[of] = a.tableOf(ctx, r.Environment, of)
		text := fmt.Sprintf("the bracket table of %s as it stood on %s", of.Carrier, of.AsOf)
		g.Read = append(g.Read, audit.Ground{Carrier: of.Carrier, Text: text, Evidence: g.Tables[of].Evidence})
	}
	return audit.NewAuditor(archives, today, t).Under(g), nil
}

// prices reads the prices of the Mondays from the one before the first to the one after the last.
func (a *API) prices(ctx context.Context, env contracts.Environment, mondays [2]contracts.Date, today contracts.Date,
	g *audit.PricedContract) error {
	from, last := mondays[0].AddDays(-7), min(mondays[1].AddDays(7), today)
	for from <= last {
		to := min(last, from.AddDays(7*contracts.MaxHistoryWeeks-1))
		q := contracts.DieselRequest{From: from, To: to}
		answer, err := answers.Ask[contracts.DieselAnswer](ctx, a.Answers, contracts.DieselSubject(env), q, FastMaxTime)
		if err != nil {
			return err
		}
		if !answer.OfThisVersion() || answer.Confidence() < contracts.MinConfidence {
			return contracts.Errorf(contracts.SourceUnavailable, "the prices of diesel are in doubt")
		}
		for _, w := range answer.Weeks {
			g.Prices[w.Date] = w.USD
		}
		text := fmt.Sprintf("national prices of diesel from %s to %s", from, to)
		g.Read = append(g.Read, audit.Ground{Text: text, Evidence: answer.Evidence})
		from = to.AddDays(1)
	}
	return nil
}

// tableOf reads a carrier's bracket table as it stood on a day.
func (a *API) tableOf(ctx context.Context, env contracts.Environment, of audit.TableOf) audit.Table {
	answer, err := a.askTable(ctx, env, of)
	t := audit.Table{FuelTableAnswer: answer}
	switch code := contracts.CodeOf(err); {
	case code == contracts.NotFound || code == contracts.WeekNotArchived || code == contracts.InvalidRequest:
		t.Failure = fmt.Sprintf("the bracket table of %s as it stood on %s is not known", of.Carrier, of.AsOf)
	case err != nil || !answer.OfThisVersion():
		t.Failure = fmt.Sprintf("the bracket table of %s cannot be read just now; send this line again later", of.Carrier)
	case answer.Confidence() < contracts.MinConfidence:
		t.Failure = fmt.Sprintf("the bracket table of %s was read with a confidence of %.2f, below %.2f", of.Carrier,
			answer.Confidence(), contracts.MinConfidence)
	}
	return t
}

func (a *API) askTable(ctx context.Context, env contracts.Environment,
	of audit.TableOf) (contracts.FuelTableAnswer, error) {
	q := contracts.FuelTableRequest{Carrier: of.Carrier, AsOf: of.AsOf}
	return answers.Ask[contracts.FuelTableAnswer](ctx, a.Answers,
		contracts.FuelTableSubject(env, of.Carrier), q, FastMaxTime)
}
