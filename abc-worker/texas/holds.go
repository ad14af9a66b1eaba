package texas

import (
	"cmp"
	"regexp"
	"strings"

	"assay.dev/abc-worker/fold"
	"assay.dev/abc-worker/mirror"
	"assay.dev/abc-worker/opendata"
	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/soda"
	"assay.dev/contracts"
)

// holdsURL is the Credit Law delinquent list of wine and spirits (data). Nobody has seen its columns yet: those that
// are asked for by default are guesses. A list that lacks one of them is not read, and no license is then DELIVER.
const holdsURL = "https://" + dataHost + "/resource/ix8u-msb9.json"

// guessedColumns are asked for where the operator sets none (guess).
var guessedColumns = register.HoldColumns{Number: "license_id", Since: "effective_date"}

// exempted matches the word of an entry that is not enforced (guess).
var exempted = regexp.MustCompile(`(?i)^(y|yes|true|1|bankrupt|bankruptcy|exempt)$`)

// idNumber is a license number that the list can have; those of before 2021 are not compared.
var idNumber = regexp.MustCompile(`^[0-9]{9}$`)

func newHolds(d register.Deps) register.HoldList {
	client, list := soda.Client{Fetcher: d.Fetcher, Token: d.SODAToken}, "102.32"
	columns := d.HoldColumns
	if columns.Number == "" {
		columns = guessedColumns
	}
	table := opendata.Table{
		Name: "TX-holds", Resource: holdsURL, Columns: columns.All(),
		Entry: func(text opendata.Texts) mirror.Entry { return holdEntry(columns, text) },
	}
	return register.HoldList{
		List: list, Zone: zone, Clock: d.Clock, Names: idNumber.MatchString,
		Mirror: d.Mirrors.Mirror(mirror.Spec{
			Name: contracts.PublicListSource(contracts.TX), Source: string(contracts.TX), Fetch: client.Fetch,
			MaxAge: opendata.RenewedEvery,
			Files:  []mirror.File{table.File(client)},
			Watch:  mirror.Watch{ListName: list, MissingEditions: 1, ReportsRemovals: true},
		}),
	}
}

// holdEntry is a row of the list. Several sellers may have reported a license: the strictest row counts. A row whose
// number is not one of today may be of any license.
func holdEntry(columns register.HoldColumns, text opendata.Texts) mirror.Entry {
	e := mirror.Entry{}
	e.Record.LicenseNumber = normalNumber(text(columns.Number))
	if !idNumber.MatchString(e.Record.LicenseNumber) {
		return mirror.Entry{Unclear: true, Unnumbered: true}
	}
	since, _ := register.Date(text(columns.Since), opendata.DateLayouts...) // empty where it is not clean
	says := contracts.ListEntry{
		Since: since, IsExempt: columns.Exempt != "" && exempted.MatchString(fold.Blanks(text(columns.Exempt))),
	}
	e.PutOnList(says)
	e.Rank = strictness(says)
	return e
}

// strictness orders the rows of a license: the earliest day is the strictest, of those that are not exempt; one that is
// not known comes before it.
func strictness(says contracts.ListEntry) string {
	if says.IsExempt {
		return "0"
	}
	return "1" + cmp.Or(strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return '9' - (r - '0')
		}
		return r
	}, string(says.Since)), "~")
}
