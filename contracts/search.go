package contracts

import (
	"slices"
	"strings"
	"time"
	"unicode"
)

const (
	// MaxResults bounds the records of one page of a search.
	MaxResults = 100
	// MaxKept bounds the records of one [SearchAnswer] whose source can be asked for further ones.
	MaxKept = 500
)

// Query is a license search. Each member is split at blanks and punctuation; every part must occur somewhere in the
// field, without regard to case and accents, in any order. Address is street and city. Empty members match all.
type Query struct {
	DBAName   string `json:"dba_name,omitempty"`
	OwnerName string `json:"owner_name,omitempty"`
	Address   string `json:"address,omitempty"`
}

// SearchRequest asks an abc-worker for the licenses of a state that match all members of the query, from After on.
type SearchRequest struct {
	State State `json:"state"`
	Query
	// After is the license after which the answer begins; the zero Position for the first page.
	After Position `json:"after,omitzero"`
	// Schema is [AnswerSchema] of who asks; 0 from the version before there were numbers, which expects at most
	// [MaxResults] results.
	Schema int `json:"schema,omitempty"`
	// Fresh asks for a new reading of the source although a stored answer may be servable.
	Fresh bool `json:"fresh,omitempty"`
}

// SearchAnswer is what an abc-worker answers to a [SearchRequest] and what the cache holds. Its tally is the lowest of
// those of all matches together and of each match by itself, whatever page of them is shown.
type SearchAnswer struct {
	Provenance
	Tally
	State State `json:"state"`
	Query Query `json:"query"`
	// After is the position that the request named: Results begin behind it.
	After Position `json:"after,omitzero"`
	Total int      `json:"total"`
	// Results are the matches after the request's position, in order of their positions.
	Results []LicenseRecord `json:"results"`
	// Tallies are those of the results by themselves, in their order. None in entries of the version before there were
	// verdicts: the answer's tally stands for each.
	Tallies []Tally `json:"tallies,omitempty"`
	// Whole tells that Results holds all matches after the request's position. Where it does not, a further request
	// with the position of the last result gives those that follow.
	Whole bool `json:"whole"`
	// NotReported and Inferred are those of all matches together.
	NotReported Members `json:"not_reported"`
	Inferred    Members `json:"inferred"`
}

// SearchResult is a match of a search: the record, and the verdict on it.
type SearchResult struct {
	LicenseRecord
	Judgement
}

// Search is the HTTP body of a search (contract §4.5).
type Search struct {
	State        State          `json:"state"`
	Query        Query          `json:"query" jsonschema:"The filters that were applied."`
	TotalResults int            `json:"total_results" jsonschema:"All matches, as far as 'complete' says; 'results' holds a page of them."`
	Results      []SearchResult `json:"results" jsonschema:"Sorted by license number, runs of digits as numbers, ties by type."`
	// NextCursor asks for the page that follows; nil at the end. The gateway makes it.
	NextCursor    *string       `json:"next_cursor" jsonschema:"The cursor of the next page; null at the end."`
	Verifiability Verifiability `json:"_verifiability"`
}

// Body is the HTTP body with the first limit matches after a position, which lies at or after the request's. next is
// the position of the last one when more follow, and nil at the end. The verdicts are those of now.
func (a SearchAnswer) Body(limit int, after Position, now time.Time) (page Search, next *Position) {
	if !a.OfThisVersion() {
		a = a.doubted()
	}
	begin, exact := slices.BinarySearchFunc(a.Results, after,
		func(r LicenseRecord, p Position) int { return r.Position().Compare(p) })
	if exact {
		begin++
	}
	end := min(begin+max(limit, 0), len(a.Results))
	v := a.Verifiability(a.Tally, LicenseTTL)
	results := make([]SearchResult, 0, end-begin)
	for i := begin; i < end; i++ {
		results = append(results, SearchResult{a.Results[i], a.input(i, v, now).judged()})
	}
	if n := len(results); n > 0 && (end < len(a.Results) || !a.Whole) {
		next = new(results[n-1].Position())
	}
	v.NotReported, v.Inferred = a.NotReported, a.Inferred
	return Search{State: a.State, Query: a.Query, TotalResults: a.Total, Results: results, Verifiability: v}, next
}

// EndWithVerdict makes the answer end at the state's midnight at which a date passes that the verdict on one of its
// results rests on.
func (a *SearchAnswer) EndWithVerdict(now time.Time) {
	v := a.Verifiability(a.Tally, LicenseTTL)
	for i := range a.Results {
		a.EndBy(a.input(i, v, now).changes(now, a.ExpiresAt))
	}
}

// input is what the verdict on a result is made of: its own confidence, not that of the least sure match.
func (a SearchAnswer) input(result int, v Verifiability, now time.Time) verdictInput {
	s := inputOf(a.Results[result], a.State, v, now)
	s.otherType = otherType(v.Notes, "License "+s.LicenseNumber+" ")
	if len(a.Tallies) > 0 && a.OfThisVersion() {
		s.confidence = a.Tallies[result].Confidence()
	}
	return s
}

// doubted is the answer of another version, whose results may be in another order, and which is not asked for what
// follows.
func (a SearchAnswer) doubted() SearchAnswer {
	results := make([]LicenseRecord, 0, len(a.Results))
	for _, r := range a.Results {
		results = append(results, r.doubted())
		a.NotReported, a.Inferred = a.NotReported.With(results[len(results)-1].NotReported...), a.Inferred.With("status")
	}
	slices.SortFunc(results, func(x, y LicenseRecord) int { return x.Position().Compare(y.Position()) })
	a.Results, a.Tallies, a.Whole = results, nil, true
	return a
}

// Validate refuses a filter without a letter or digit, which would match everything, and one with invisible characters,
// which would match nothing.
func (q Query) Validate() error {
	for _, f := range []struct{ name, text string }{{"dba_name", q.DBAName}, {"owner_name", q.OwnerName},
		{"address", q.Address}} {
		switch {
		case f.text == "":
		case strings.ContainsFunc(f.text, Invisible):
			return Invalid("query", f.name, "string_invisible", "invisible characters are not allowed")
		case !strings.ContainsFunc(f.text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }):
			return Invalid("query", f.name, "value_error", "a filter needs at least one letter or digit")
		}
	}
	return nil
}
