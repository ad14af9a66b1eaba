package site

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
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
	// All says how the live sources are, in one line; State is that of the worst of them.
	All, State string
	Products   []statusProduct
	Test       []sourceView
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

// dayMark is a bar of the picture of the last 90 days. It stands for the days from First to Last, which all have the
// same text. X and Width are the bar's place in the picture.
type dayMark struct {
	X, Width     int
	First, Last  contracts.Date
	State, Words string
}

// Trouble are the days on which the first way did not work at every look.
func (v sourceView) Trouble() []dayMark {
	return slices.DeleteFunc(slices.Clone(v.Days), func(d dayMark) bool {
		return d.State == "good" || d.State == "unknown"
	})
}

func (s *Site) statusPage(w http.ResponseWriter, r *Request) error {
	status, err := s.API.Catalog.Status(r.Context())
	if err != nil {
		return err
	}
	content := newStatusContent(status)
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

func newStatusContent(status api.Status) statusContent {
	c := statusContent{LookedAt: status.LookedAt}
	count := map[string]int{}
	for _, p := range api.Products {
		view := statusProduct{Title: p.Title}
		for _, source := range status.Sources {
			if source.Product == p.Product {
				view.Sources = append(view.Sources, viewOf(source, status.LookedAt))
				count[view.Sources[len(view.Sources)-1].State]++
			}
		}
		c.Products = append(c.Products, view)
	}
	for _, source := range status.Test {
		c.Test = append(c.Test, viewOf(source, status.LookedAt))
	}
	c.All, c.State = sumUp(count)
	return c
}

// sumUp says how many sources are how, with the worst state that one of them has.
func sumUp(count map[string]int) (words, worst string) {
	var all []string
	for _, of := range []struct{ state, words string }{
		{"bad", "failing"}, {"partly", "answering by a fallback or in doubt"}, {"good", "answering now"},
		{"unknown", "not read yet, or not known"},
	} {
		if n := count[of.state]; n > 0 {
			all = append(all, fmt.Sprintf("%d %s", n, of.words))
			worst = cmp.Or(worst, of.state)
		}
	}
	if len(all) == 1 && worst == "good" {
		return "All live sources answer now.", worst
	}
	if len(all) == 0 {
		return "No live source is known yet.", "unknown"
	}
	return "Live sources: " + strings.Join(all, ", ") + ".", worst
}

// silence is how long no worker tells of a source until nothing is known of it. Each tells once a minute.
const silence = 5 * time.Minute

func viewOf(source api.SourceStatus, now time.Time) sourceView {
	v := sourceView{SourceStatus: source}
	if source.LastSuccess != nil {
		v.ReadAgo = ago(now.Sub(*source.LastSuccess))
	}
	switch {
	case source.ToldAt != nil && now.Sub(*source.ToldAt) > silence:
		v.State, v.Words = "unknown", "Not known: no worker has told of it"+sinceWords(source.ToldAt)
	case source.FailingSince != nil:
		v.State, v.Words = "bad", "Failing"+sinceWords(source.FailingSince)
	case source.DoubtSince != nil:
		v.State, v.Words = "partly", "In doubt"+sinceWords(source.DoubtSince)
	case source.FallbackSince != nil:
		v.State, v.Words = "partly", "Answers by a fallback"+sinceWords(source.FallbackSince)
	case source.Breaker == "open", source.Breaker == "half-open":
		// It says "no such license" by a fallback, or its worker is older than this.
		v.State, v.Words = "partly", "Answers by a fallback"+sinceWords(source.ChangedAt)
	case source.LastSuccess == nil:
		v.State, v.Words = "unknown", "Not read yet"
	default:
		v.State, v.Words = "good", "Answers now"
	}
	v.Days, v.DaysText = marksOf(source.Days, contracts.Date(now.UTC().Format(time.DateOnly)))
	return v
}

// sinceWords is such as " since 2026-11-24 04:10 UTC".
func sinceWords(at *time.Time) string {
	if at == nil {
		return ""
	}
	return " since " + moment(at) + " UTC"
}

// dayWidth is the width of a day in the picture, with the gap behind it.
const dayWidth = 4

// marksOf are the last 90 days up to today, the oldest first. A day that nobody saw is unknown, never good. Days one
// after the other of which the same is said are one mark: a mark for each day of each source kept a browser busy for
// longer than all the rest of the page.
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
	text = fmt.Sprintf("Of the last %d days it was read the first way throughout on %d, by a fallback or not at all at "+
		"times on %d, mostly on %d; of %d nothing is known.",
		contracts.MaxHistoryDays, count["good"], count["partly"], count["bad"], count["unknown"])
	return marks, text
}

func markOf(d contracts.SourceDay) dayMark {
	switch {
	case d.Looks == 0:
		return dayMark{State: "unknown", Words: "not known"}
	case d.NotClosed == 0:
		return dayMark{State: "good", Words: "read the first way at every look"}
	}
	state := "partly"
	if 2*d.NotClosed > d.Looks {
		state = "bad"
	}
	return dayMark{State: state,
		Words: fmt.Sprintf("by a fallback, or not at all, at %d of %d looks", d.NotClosed, d.Looks)}
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
