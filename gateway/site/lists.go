package site

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"assay.dev/gateway/api"
	"assay.dev/gateway/kept"
	"assay.dev/gateway/sheet"
)

// listsView are the delinquent lists that a tenant may put here (contract §4.19): those that are here, and the names of
// all.
type listsView struct {
	Kept  table
	Names []string
}

func (s *Site) newListsView(r *Request) (v listsView, err error) {
	v.Names = api.HoldLists()
	all, err := s.API.Holds.List(r.Context(), owner(r))
	v.Kept = table{ID: "lists", Columns: []column{
		{Name: "List"}, {Name: "Its date", Look: "whole"}, {Name: "Licenses", Look: "number"},
		{Name: "Put here, UTC", Look: "whole"}, {Name: "Delete"},
	}}
	for _, e := range all {
		name := kept.NameOfList(e.State, e.List)
		row := texts(name, string(e.Date), strconv.Itoa(e.Licenses), e.UploadedAt.Format(time.DateTime))
		v.Kept.Rows = append(v.Kept.Rows,
			append(row, cell{Text: "Delete", Form: "forget-list", Send: field{"unlist", name}, Label: "Delete " + name}))
	}
	return v, err
}

// putList puts a delinquent list in place.
func (s *Site) putList(w http.ResponseWriter, r *Request, name string) error {
	content, _, err := sentFile(r)
	if err != nil {
		return s.writeFailedForm(w, r, customersPath, err)
	}
	query := url.Values{"date": r.PostForm["date"], "columns": {sheet.Auto}}
	for _, name := range []string{"date_form", "empty"} {
		if value := r.PostForm.Get(name); value != "" {
			query.Set(name, value)
		}
	}
	mediaType := "text/csv"
	if sheet.IsWorkbook(content) {
		mediaType = sheet.WorkbookType
	}
	answer := ask(r, http.MethodPut, listTarget(name)+"?"+query.Encode(), content, "Content-Type", mediaType)
	return s.done(w, r, answer, customersPath, customersPath+"#lists-title")
}

func (s *Site) deleteList(w http.ResponseWriter, r *Request, name string) error {
	return s.done(w, r, ask(r, http.MethodDelete, listTarget(name), nil), customersPath, customersPath+"#lists-title")
}

func listTarget(name string) string { return "/v1/abc/holds/" + url.PathEscape(name) }
