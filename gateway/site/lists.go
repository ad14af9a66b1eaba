package site

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"assay.dev/gateway/api"
	"assay.dev/gateway/kept"
	"assay.dev/gateway/lines"
	"assay.dev/gateway/sheet"
)

// listsView are the delinquent lists that a tenant may put here (contract §4.19): those that are here, and the form of
// one.
type listsView struct {
	Kept table
	// Names, Date, Dates, Empty and Heading, that of the column of license numbers, are the form as it was sent.
	Names, Dates  []option
	Date, Heading string
	Empty         bool
	// Put says which list was put here just now; empty for none. Problem is why one was not.
	Put, Problem string
}

func (s *Site) newListsView(r *Request, problem string) (listsView, error) {
	sent := url.Values{}
	if problem != "" {
		sent = r.PostForm
	}
	v := listsView{Problem: problem, Date: sent.Get("date"), Dates: datesToChoose(sent.Get("date_form")),
		Empty: sent.Has("empty"), Heading: sent.Get("heading"), Names: []option{{"", "choose one", !sent.Has("list")}},
		Kept: table{ID: "lists", Columns: []column{
			{Name: "List"}, {Name: "Its date", Look: "whole"}, {Name: "Licenses", Look: "number"},
			{Name: "Put here, UTC", Look: "whole"}, {Name: "Delete"},
		}}}
	for _, name := range api.HoldLists() {
		v.Names = append(v.Names, option{name, name, name == sent.Get("list")})
	}
	all, err := s.API.Holds.List(r.Context(), owner(r))
	for _, e := range all {
		name := kept.NameOfList(e.State, e.List)
		if name == r.URL.Query().Get("list") {
			v.Put = fmt.Sprintf("%s of %s, %s, is here.", name, e.Date, lines.Plural(e.Licenses, "license"))
		}
		row := texts(name, string(e.Date), strconv.Itoa(e.Licenses), e.UploadedAt.Format(time.DateTime))
		v.Kept.Rows = append(v.Kept.Rows,
			append(row, cell{Text: "Delete", Form: "forget-list", Send: field{"unlist", name}, Label: "Delete " + name}))
	}
	return v, err
}

// putList puts a delinquent list in place, or shows the form again with why not.
func (s *Site) putList(w http.ResponseWriter, r *Request, name string) error {
	if a := askPutList(r, name); a.problem != "" {
		c := s.newCustomersContent(r)
		c.Lists.Problem = a.problem
		return s.writeCustomers(w, r, c, a.status)
	}
	http.Redirect(w, r.Request, customersPath+"?list="+url.QueryEscape(name)+"#lists-title", http.StatusSeeOther)
	return nil
}

func askPutList(r *Request, name string) apiAnswer {
	content, _, err := sentFile(r)
	if err != nil {
		return refusal(err)
	}
	query := url.Values{"date": r.PostForm["date"], "columns": {sheet.Auto}}
	for _, name := range []string{"date_form", "empty"} {
		if value := r.PostForm.Get(name); value != "" {
			query.Set(name, value)
		}
	}
	if heading := strings.TrimSpace(r.PostForm.Get("heading")); heading != "" {
		query.Add("columns", "license_number:"+heading)
	}
	mediaType := "text/csv"
	if sheet.IsWorkbook(content) {
		mediaType = sheet.WorkbookType
	}
	return ask(r, http.MethodPut, listTarget(name)+"?"+query.Encode(), content, "Content-Type", mediaType)
}

func (s *Site) deleteList(w http.ResponseWriter, r *Request, name string) error {
	return s.done(w, r, ask(r, http.MethodDelete, listTarget(name), nil), customersPath, customersPath+"#lists-title")
}

func listTarget(name string) string { return "/v1/abc/holds/" + url.PathEscape(name) }
