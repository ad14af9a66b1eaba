package license

import (
	"strconv"
	"strings"

	"assay.dev/contracts"
)

var californiaCases = []oddity[California]{
	{"plain", 600, func(*draw, *California) {}},
	{"active past its date", 60, californiaStatus("ACTIVE", (*draw).ago, contracts.Active, true)},
	{"no dba", 60, func(_ *draw, l *California) { l.DBA = ""; l.plain() }},
	{"no expiration", 120, func(_ *draw, l *California) { l.Blocks[0].Expiry = ""; l.want(contracts.Active, true) }},
	{"suspended", 6, californiaStatus("SUSPEN", (*draw).ahead, contracts.Suspended, true)},
	{"surrendered under rule 65", 12, californiaStatus("SUREND", (*draw).ahead, contracts.Suspended, true)},
	{"premises not ready", 4, californiaStatus("R64B", (*draw).ahead, contracts.Suspended, true)},
	{"revocation pending, past its date", 6, californiaStatus("REVPEN", (*draw).ago, contracts.Active, true)},
	{"revocation pending, not yet", 6, californiaStatus("REVPEN", (*draw).ahead, contracts.Active, true)},
	{"canceled", 10, californiaStatus("CANCEL", (*draw).ago, contracts.Expired, false)},
	{"canceled, long spelling", 4, californiaStatus("CANCELED", (*draw).ago, contracts.Expired, false)},
	{"not renewed", 4, californiaStatus("NREN", (*draw).ago, contracts.Expired, false)},
	{"automatically revoked", 4, californiaStatus("AUTREV", (*draw).ago, contracts.Revoked, false)},
	{"revoked by the department", 4, californiaStatus("DEPREV", (*draw).ago, contracts.Revoked, false)},
	{"phantom block", 8, phantomBlock},
	{"master and duplicate", 80, masterAndDuplicate},
	{"two types", 60, twoTypes},
	{"four types", 6, fourTypes},
	{"application beside a license", 40, applicationBeside},
	{"pending", 30, notLicense("PEND")},
	{"pending, long spelling", 2, notLicense("PENDING")},
	{"new", 2, notLicense("NEW")},
	{"issued", 2, notLicense("ISSUED")},
	{"withdrawn", 3, notLicense("WITHDRAWN")},
	{"withdrawn, short spelling", 3, notLicense("WTHDRN")},
	{"denied", 2, notLicense("DENIED")},
	{"voided", 2, notLicense("VOIDED")},
	{"pending development", 2, notLicense("PDEV")},
	{"article at the end", 10, named[California]((*draw).company, func(d *draw) string {
		return pick(d, things) + " ROOM, THE"
	})},
	{"surname first", 10, named[California](func(d *draw) string { return d.person(true) }, (*draw).trade)},
	{"apostrophe", 10, named[California](func(d *draw) string { return "O'" + d.surname() + " , " + pick(d, givenNames) },
		func(d *draw) string { return "O'" + d.surname() + "'S PUB" })},
	{"ampersand", 10, named[California](func(d *draw) string { return pick(d, things) + " & " + pick(d, things) + " LLC" },
		func(d *draw) string { return pick(d, things) + " & VINE" })},
	{"commas and quotes", 10, named[California](func(d *draw) string {
		return pick(d, things) + ", " + pick(d, things) + " & SONS, INC"
	}, func(d *draw) string {
		return `THE "` + pick(d, adjectives) + `" SPOT, BAR & GRILL`
	})},
	{"angle brackets", 4, named[California]((*draw).company, func(d *draw) string {
		return "ONE MORE " + pick(d, things) + " <RM>"
	})},
	{"suspension served", 10, disciplined(served, true)},
	{"suspension served, block repeated", 3, disciplined(served, true, true)},
	{"suspension under way", 3, underWay},
	{"fine instead of suspension", 8, disciplined(fined, false)},
	{"suspension all stayed", 8, disciplined(stayed, false)},
	{"suspension days without dates", 3, disciplined(undated, true)},
	{"suspension without an end", 3, disciplined(openEnded, true)},
	{"indefinite suspension", 3, indefinite},
	{"two proceedings", 4, twoProceedings},
	{"headings with colons", 2, func(d *draw, l *California) { l.Colons = true; disciplined(served, true)(d, l) }},
	{"revocation stayed, suspension served", 2, disciplined(revocationStayed, true)},
	{"unknown status word", 1, unknownWord},
}

// A canceled license beside an ACTIVE block that has no dates at all.
func phantomBlock(d *draw, l *California) {
	l.Blocks[0].Status, l.Blocks[0].Expiry = "CANCEL", d.ago()
	phantom := l.Blocks[0]
	phantom.Status, phantom.Issued, phantom.Expiry, phantom.StatusDate, phantom.Term = "ACTIVE", "", "", "", 0
	l.Blocks = []Block{phantom, l.Blocks[0]}
	l.record(l.Blocks[1], contracts.Expired, false, nil)
}

func masterAndDuplicate(d *draw, l *California) {
	duplicate := l.Blocks[0]
	duplicate.Master, duplicate.Duplicates, duplicate.StatusDate = false, 1, l.Blocks[0].StatusDate.AddDays(20)
	l.Blocks = append(l.Blocks, duplicate)
	l.want(contracts.Active, true)
}

// Both types are masters: the newer one counts.
func twoTypes(d *draw, l *California) {
	older := l.Blocks[0]
	older.Type, older.TypeName = "58", "CATERER'S PERMIT"
	l.Blocks[0].Type, l.Blocks[0].TypeName = "47", "ON-SALE GENERAL EATING PLACE"
	l.Blocks[0].Issued, l.Blocks[0].StatusDate = older.Issued.AddDays(400), older.StatusDate.AddDays(30)
	l.Blocks = append([]Block{older}, l.Blocks...)
	l.record(l.Blocks[1], contracts.Active, true, nil)
}

func fourTypes(d *draw, l *California) {
	masterAndDuplicate(d, l)
	for _, word := range []string{"SUREND", "CANCEL"} {
		b := californiaBlock(d, word)
		b.StatusDate, b.Exported = l.Blocks[0].StatusDate.AddDays(5), word != "CANCEL"
		l.Blocks = append(l.Blocks, b)
	}
	l.want(contracts.Active, true)
}

func applicationBeside(d *draw, l *California) {
	app := californiaBlock(d, "PEND")
	app.Application, app.Issued, app.Expiry = true, "", ""
	l.Blocks = append([]Block{app}, l.Blocks...)
	l.record(l.Blocks[1], contracts.Active, true, nil)
}

// disciplined adds a proceeding. The suspension is expected only when it was served.
func disciplined(
	shape func(*draw) (Proceeding, []contracts.Suspension), counts bool, repeated ...bool,
) func(*draw, *California) {
	return func(d *draw, l *California) {
		p, suspensions := shape(d)
		l.Discipline = append(l.Discipline, p)
		if len(repeated) > 0 {
			l.Discipline = append(l.Discipline, p)
		}
		if !counts {
			suspensions = nil
		}
		l.want(contracts.Active, true, suspensions...)
	}
}

func proceeding(d *draw) Proceeding {
	return Proceeding{
		Registration: strconv.Itoa(8_000_000 + d.IntN(99_999)),
		Sections:     []string{pick(d, []string{"25658(A)", "24200.5(A)", "23804", "25631", "24200(A&B)"})},
		Status:       "CLOSED", Decision: "SUSPENDED",
	}
}

func served(d *draw) (Proceeding, []contracts.Suspension) {
	p, start, days := proceeding(d), d.ago(), 5+d.IntN(25)
	if d.chance(50) {
		p.Sections = append(p.Sections, "24200(B)")
	}
	end := start.AddDays(days)
	p.Days, p.Stayed, p.Start, p.End = strconv.Itoa(days), "0", start, end
	return p, []contracts.Suspension{{StartDate: start, EndDate: end, Reason: reason(p)}}
}

func fined(d *draw) (Proceeding, []contracts.Suspension) {
	p := proceeding(d)
	p.Decision, p.Days, p.Stayed, p.POICFine = "POIC", "15", "0", "$3,000.00"
	return p, nil
}

func stayed(d *draw) (Proceeding, []contracts.Suspension) {
	p := proceeding(d)
	p.Decision, p.Days, p.Stayed = "ALL STAYED", "30", "30"
	return p, nil
}

func undated(d *draw) (Proceeding, []contracts.Suspension) {
	p := proceeding(d)
	p.Days, p.Stayed, p.POICFine = "20", "0", "$0.00"
	return p, []contracts.Suspension{{Reason: reason(p)}}
}

func openEnded(d *draw) (Proceeding, []contracts.Suspension) {
	p, start := proceeding(d), d.ago()
	p.Days, p.Stayed, p.Start = "25", "0", start
	return p, []contracts.Suspension{{StartDate: start, EndDate: start.AddDays(25), Reason: reason(p)}}
}

func indefinite(d *draw, l *California) {
	p, start := proceeding(d), d.ago()
	p.Sections = nil
	p.Start, p.Indefinite = start, true
	l.Discipline = []Proceeding{p}
	l.Blocks[0].Status = "SUSPEN"
	l.want(contracts.Suspended, true, contracts.Suspension{StartDate: start, Reason: reason(p)})
}

func underWay(d *draw, l *California) {
	p, start := proceeding(d), d.day(-20, -1)
	p.Status, p.Days, p.Stayed = "OPEN", "90", "0"
	p.Start, p.End = start, start.AddDays(90)
	l.Discipline = []Proceeding{p}
	l.Blocks[0].Status = "SUSPEN"
	l.want(contracts.Suspended, true, contracts.Suspension{StartDate: start, EndDate: start.AddDays(90),
		Reason: reason(p)})
}

func twoProceedings(d *draw, l *California) {
	first, suspensions := served(d)
	second, _ := fined(d)
	l.Discipline = []Proceeding{second, first}
	l.want(contracts.Active, true, suspensions...)
}

// A revocation is stayed on condition that a suspension is served, whose days are counted as stayed too.
func revocationStayed(d *draw) (Proceeding, []contracts.Suspension) {
	p, start := proceeding(d), d.ago()
	p.Decision, p.Days, p.Stayed, p.Start, p.End = "REVOCATION STAYED", "30", "30", start, start.AddDays(30)
	return p, []contracts.Suspension{{StartDate: p.Start, EndDate: p.End, Reason: reason(p)}}
}

// unknownWord is a license whose status is a word that is not known.
func unknownWord(_ *draw, l *California) {
	l.want(contracts.Suspended, true)
	l.Truth = l.Primary
	l.Blocks[0].Status = "HOLDX"
	l.noLicense()
	l.PrimaryUnclear, l.MirrorUnclear = true, true
}

// reason is what a suspension is imposed for: the sections of the code that were broken, as the page prints them.
func reason(p Proceeding) string { return strings.Join(p.Sections, ", ") }
