package florida

import (
	"html/template"
	"net/http"
	"strconv"
	"strings"

	"assay.dev/contracts"
	"assay.dev/sandbox/license"
)

// criteria is one search. Empty texts match all.
type criteria struct {
	search                            string
	size, page                        int
	number, last, first, organisation string
	city                              string
}

// line is one row of the results: a license under its owner's or its trade name.
type line struct {
	*license.Florida
	Name, Kind string
}

func (c criteria) find(all []license.Florida) []line {
	var found []line
	match := c.matcher()
	for i := range all {
		l := &all[i]
		if l.Word == "" || !match(l) {
			continue
		}
		found = append(found, line{l, l.Owner, "Primary"})
		if l.DBA != "" {
			found = append(found, line{l, l.DBA, "DBA"})
		}
	}
	return found
}

// matcher tells whether a license is searched for.
func (c criteria) matcher() func(*license.Florida) bool {
	if c.search == "LicNbr" {
		wanted := strings.TrimPrefix(capitals(strings.NewReplacer("-", "", " ", "").Replace(c.number)), "BEV")
		return func(l *license.Florida) bool { return wanted != "" && wanted == strings.TrimPrefix(l.Number, "BEV") }
	}
	last, first, organisation, city := capitals(c.last), capitals(c.first), capitals(c.organisation), capitals(c.city)
	return func(l *license.Florida) bool {
		return strings.Contains(l.Owner, last) && strings.Contains(l.Owner, first) &&
			(strings.Contains(l.Owner, organisation) || strings.Contains(l.DBA, organisation)) &&
			strings.HasPrefix(l.Premises.City, city)
	}
}

func capitals(s string) string { return strings.ToUpper(strings.TrimSpace(s)) }

func (p *portal) results(w http.ResponseWriter, c criteria) {
	found := c.find(p.register.Florida())
	if len(found) == 0 {
		p.render(w, "none", nil)
		return
	}
	pages := (len(found) + c.size - 1) / c.size
	c.page = min(max(c.page, 1), pages)
	from := (c.page - 1) * c.size
	p.render(w, "results", map[string]any{
		"Lines": found[from:min(from+c.size, len(found))], "Hidden": hidden(), "Values": c.values(pages, len(found)),
		"Page": c.page, "Pages": pages, "More": c.page < pages,
	})
}

// values are what the hidden fields of a page of results hold.
func (c criteria) values(pages, records int) map[string]string {
	return map[string]string{
		"hDivision": "ALL", "hSearchType": c.search, "hLicNbr": c.number, "hLastName": c.last, "hFirstName": c.first,
		"hOrgName": c.organisation,
		"hCity":    c.city, "hCurrPage": strconv.Itoa(c.page), "hTotalPages": strconv.Itoa(pages),
		"hTotalRecords": strconv.Itoa(records),
		"hRecsPerPage":  strconv.Itoa(c.size),
	}
}

func printedDate(d contracts.Date) string { return d.Format("01/02/2006") }

func pages() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"date":  printedDate,
		"place": func(p license.Place) string { return p.Text("  ") },
	}).Parse(markup))
}

//nolint:misspell // the portal spells its error so
const markup = `
{{define "top"}}<html><head><title>DBPR - Licensee Search</title></head><body bgcolor="#FFFFFF"><table width="100%" border="0"><tr>
<td><img src="images/logo.gif" alt="DBPR"></td><td align="right"><font face="verdana" size="-2">Log On</font></td></tr></table>
<table width="100%" border="0" cellspacing="0"><tr><td width="15%" valign="top"><a href="wl11.asp">Search for a Licensee</a></td><td valign="top">{{end}}
{{define "bottom"}}</td></tr></table><hr><font face="verdana" size="-2">Florida</font></body></html>{{end}}

{{define "error"}}<html><head><title>DBPR: Error Has Occured</title></head><body><h3>DBPR: Error Has Occured</h3>
<p>Your request cannot be processed.</p></body></html>{{end}}

{{define "start"}}{{template "top"}}<form name="reportForm" method="post" action="wl11.asp?mode=1&amp;SID=&amp;brd=&amp;typ=">
<b>Please Select a Search Type</b><br><input type="radio" name="SearchType" value="Name" checked>Search by Name<br>
<input type="radio" name="SearchType" value="LicNbr">Search by License Number<br><input type="submit" name="SelectSearchType" value="Search">
</form>{{template "bottom"}}{{end}}

{{define "form"}}{{template "top"}}<form name="reportForm" method="post" action="wl11.asp?mode=2&amp;search={{.Search}}&amp;SID=&amp;brd=&amp;typ=">
{{range .Hidden}}<input type="hidden" name="{{.}}" value="">{{end}}
<table>{{range .Fields}}<tr><td><font face="verdana" size="-1">{{.}}</font></td><td><input type="text" name="{{.}}" value=""></td></tr>{{end}}</table>
<input type="submit" name="Search1" value="Search"></form>{{template "bottom"}}{{end}}

{{define "none"}}{{template "top"}}<b>Licensee Search</b><p><font face="verdana" size="-1">There were no records found for your search.</font></p>{{template "bottom"}}{{end}}

{{define "results"}}{{template "top"}}<b>Search Results</b> - {{index .Values "hTotalRecords"}} Records
<form name="reportForm" method="post" action="wl11.asp?mode=3&amp;search=&amp;SID=&amp;brd=&amp;typ=">
{{$values := .Values}}{{range .Hidden}}<input type="hidden" name="{{.}}" value="{{index $values .}}">{{end}}
<table border="1" cellspacing="0"><tr bgcolor="#b6c9dc"><td><b>License Type</b></td><td><b>Name</b></td><td><b>Name Type</b></td>
<td><b>License Number/ Rank</b></td><td><b>Status/Expires</b></td></tr>
{{range .Lines}}<tr height='40'><td width='20%'><font face='verdana' size='-2'>Retail Beverage</font></td>
<td><font face='verdana' size='-2'><a href='LicenseDetail.asp?SID=&id={{.ID}}'>{{.Name}}</a></font></td><td><font face='verdana' size='-2'>{{.Kind}}</font></td>
<td><font face='verdana' size='-2'>{{.Number}}<br/>{{.TypeCode}}</font></td><td><font face='verdana' size='-2'>{{.Word}}<br/>{{date .Expiry}}</font></td>
<tr height='40'><td colspan='5'><table width='100%'><tr><td width='20%'><font size='-2'>License Location Address*:</font></td>
<td><font size='-2'>{{place .Premises}}</font></td></tr><tr><td><font size='-2'>Main Address*:</font></td><td><font size='-2'>{{place .Mailing}}</font></td></tr></table></td></tr>
{{end}}</table><font size="-2">Page {{.Page}} of {{.Pages}}</font>
{{if .More}}<input type="submit" name="SearchForward" value="Search">{{end}}</form>
<font size="-2">* denotes: an address that is part of the public record</font>{{template "bottom"}}{{end}}

{{define "detail"}}{{template "top"}}<b>Licensee Details</b><table width="100%">
<tr><td colspan="2"><b>Licensee Information</b></td></tr>
<tr><td><font size="-1">Name:</font></td><td><b>{{.Owner}} (Primary Name){{with .DBA}}<br>{{.}} (DBA Name){{end}}</b></td></tr>
<tr><td><font size="-1">Main Address:</font></td><td><b>{{place .Mailing}}</b></td></tr>
<tr><td><font size="-1">License Mailing:</font></td><td><b>{{place .Mailing}}</b></td></tr>
<tr><td><font size="-1">License Location:</font></td><td><b>{{place .Premises}}</b></td></tr>
<tr><td colspan="2"><b>License Information</b></td></tr>
<tr><td><font size="-1">License Type:</font></td><td><b>Retail Beverage</b></td></tr>
<tr><td><font size="-1">Rank:</font></td><td><b>{{.TypeCode}}</b></td></tr>
<tr><td><font size="-1">License Number:</font></td><td><b>{{.Number}}</b></td></tr>
<tr><td><font size="-1">Status:</font></td><td><b>{{.Word}}</b></td></tr>
<tr><td><font size="-1">Licensure Date:</font></td><td><b>{{date .Licensed}}</b></td></tr>
<tr><td><font size="-1">Expires:</font></td><td><b>{{date .Expiry}}</b></td></tr>
</table>{{template "bottom"}}{{end}}
`
