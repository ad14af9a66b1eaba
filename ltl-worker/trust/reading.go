package trust

import "assay.dev/contracts"

// Line is the text of one block element, or of one member of a JSON document, as it stands there, white space folded.
type Line struct {
	Text string `json:"text"`
	// Near is set for a line that belongs to the table: its title, its headings, its columns' labels, a note in its
	// container.
	Near bool `json:"near"`
	// Week is the first day of the week in whose record the line stands, such as a remark in its row; "" outside of
	// records. A row with a date after the newest week, which could not be read, counts as its record.
	Week contracts.Date `json:"week,omitempty"`
}

// Reading is what was read from one document by one path of a source. It does not matter which extractor made it.
type Reading struct {
	// Path names the way, such as "page", "rendered" or "api". Wording belongs to a path, since each shows other words.
	Path string
	// Lines are those of the document, each once.
	Lines []Line
	// Weeks are all that the document shows, those to come too, newest first. Only dates, percents and prices are looked
	// at.
	Weeks []contracts.SurchargeWeek
}

// newest is the first day of the newest week; "" where there is none.
func (r Reading) newest() contracts.Date {
	if len(r.Weeks) == 0 {
		return ""
	}
	return r.Weeks[0].EffectiveDate
}
