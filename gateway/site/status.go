package site

import (
	"fmt"
	"net/http"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/answers"
	"assay.dev/gateway/api"
)

// The paths of the status.
const (
	statusPath     = "/status"
	statusJSONPath = "/status.json"
)

// statusPolicy is as long as the status is read at once for all.
const statusPolicy = "public, max-age=5"

// statusContent is what the status page shows.
type statusContent struct {
	LookedAt time.Time
	Products []statusProduct
}

type statusProduct struct {
	Title   string
	Sources []sourceView
}

// sourceView is a source in words.
type sourceView struct {
	api.SourceStatus
	// State is good, partly, bad or unknown; Words say what that means.
	State, Words string
	// ReadAgo is how long ago the source was last read; empty for never.
	ReadAgo string
	Days    []dayMark
	// DaysText says what the marks show, for who does not see them.
	DaysText string
}

// dayMark is a bar of the picture of the last 90 days. It stands for the days from First to Last, which all have the same
// text. X and Width are the bar's place in the picture.
type dayMark struct {
	X, Width     int
	First, Last  contracts.Date
	State, Words string
}

func (s *Site) statusPage(w http.ResponseWriter, r *Request) error {
	status, err := s.API.Catalog.Status(r.Context())
	if err != nil {
		return err
	}
	content := statusContent{LookedAt: status.LookedAt}
	for _, p := range api.Products {
		view := statusProduct{Title: p.Title}
		for _, source := range status.Sources {
			if source.Product == p.Product {
				view.Sources = append(view.Sources, viewOf(source, status.LookedAt))
			}
		}
		content.Products = append(content.Products, view)
	}
	body, err := s.render("status", frame{Title: "Status", Path: statusPath, Content: content})
	if err != nil {
		return err
	}
	setPageHeaders(w.Header())
	writeBody(w, r.Request, http.StatusOK, body, htmlType, statusPolicy)
	return nil
}

func (s *Site) statusJSON(w http.ResponseWriter, r *Request) error {
	status, err := s.API.Catalog.Status(r.Context())
	if err != nil {
		return err
	}
	body, err := answers.Marshal(status)
	if err != nil {
		return err
	}
	writeBody(w, r.Request, http.StatusOK, body, "application/json", statusPolicy)
	return nil
}

func viewOf(source api.SourceStatus, now time.Time) sourceView {
	v := sourceView{SourceStatus: source}
	switch source.Breaker {
	case "closed":
		v.State, v.Words = "good", "requests go to its first path"
	case "half-open":
		v.State, v.Words = "partly", "its first path is being tried again"
	case "open":
		v.State, v.Words = "bad", "its first path failed and rests; other paths may answer"
	default:
		v.State, v.Words = "unknown", "no worker has told yet"
	}
	switch {
	case source.LastSuccess != nil:
		v.ReadAgo = ago(now.Sub(*source.LastSuccess))
	case v.State == "good": // a breaker that nothing has gone through says nothing of the source
		v.State, v.Words = "unknown", "nothing was read yet"
	}
	v.Days, v.DaysText = marksOf(source.Days, contracts.Date(now.UTC().Format(time.DateOnly)))
	return v
}

// dayWidth is the width of a day in the picture, with the gap behind it.
const dayWidth = 4

// marksOf are the last 90 days up to today, the oldest first. A day that nobody saw is unknown, never good. Days one after the other of
// which the same is said are one mark: a mark for each day of each source kept a browser busy for longer than all the rest of the page.
func marksOf(days []contracts.SourceDay, today contracts.Date) (marks []dayMark, text string) {
	seen := map[contracts.Date]contracts.SourceDay{}
	for _, d := range days {
		seen[d.Date] = d
	}
	count := map[string]int{}
	for i := range contracts.MaxHistoryDays {
		date := today.AddDays(i + 1 - contracts.MaxHistoryDays)
		m := markOf(seen[date])
		count[m.State]++
		if last := len(marks) - 1; last >= 0 && marks[last].State == m.State && marks[last].Words == m.Words {
			marks[last].Last = date
			marks[last].Width += dayWidth
			continue
		}
		m.X, m.Width, m.First, m.Last = dayWidth*i, dayWidth-1, date, date
		marks = append(marks, m)
	}
	text = fmt.Sprintf("Of the last %d days the breaker was closed throughout on %d, not closed at times on %d, mostly on %d; of %d nothing is known.",
		contracts.MaxHistoryDays, count["good"], count["partly"], count["bad"], count["unknown"])
	return marks, text
}

func markOf(d contracts.SourceDay) dayMark {
	switch {
	case d.Looks == 0:
		return dayMark{State: "unknown", Words: "not known"}
	case d.NotClosed == 0:
		return dayMark{State: "good", Words: "closed at every look"}
	}
	state := "partly"
	if 2*d.NotClosed > d.Looks {
		state = "bad"
	}
	return dayMark{State: state, Words: fmt.Sprintf("not closed at %d of %d looks", d.NotClosed, d.Looks)}
}

// ago is a time span in one unit, such as "3 hours".
func ago(d time.Duration) string {
	for _, unit := range []struct {
		length time.Duration
		name   string
	}{{24 * time.Hour, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}} {
		switch n := int(d / unit.length); {
		case n == 1:
			return "1 " + unit.name
		case n > 1:
			return fmt.Sprintf("%d %ss", n, unit.name)
		}
	}
	return "less than a minute"
}
