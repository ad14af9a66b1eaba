package register

import (
	"context"
	"slices"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"assay.dev/abc-worker/fold"
	"assay.dev/abc-worker/mirror"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// Standing is a status. Because says what it follows from when the source does not print it.
type Standing struct {
	Status  contracts.Status
	Because string
}

// Reported is what a word means, for [mirror.Watch]: a status that follows from something else is not reported.
func Reported(standing func(word string) Standing) func(string) (contracts.Status, bool) {
	return func(word string) (contracts.Status, bool) {
		s := standing(word)
		return s.Status, s.Because == "" && s.Status != NoLicense
	}
}

// BulkFiles reads the licenses of a state from the mirror of its bulk files.
type BulkFiles struct {
	Mirror *mirror.Mirror
	// Standing is what a status word of the files means on a day for a license with that expiration date. Of the date only
	// whether it is before the day may count. Rows with a word that is not known are marked in the mirror.
	Standing func(word string, expires, today contracts.Date) Standing
	Today    func() contracts.Date
	// OtherTypes makes the note that names the types of a number beside that of the first entry; nil where a number has
	// one type.
	OtherTypes func(all []mirror.Entry) []contracts.Note
	// Clock is set where the files are tables whose service can be asked too, and a path that does so follows. Neither a
	// late copy nor a request for a fresh reading is then answered from the copy.
	Clock func() time.Time
}

const (
	// bulkTimeout leaves time to download and read the largest file.
	bulkTimeout = 25 * time.Second
	// tableTimeout is how long a question waits for a copy that is being loaded, where the service can be asked instead.
	tableTimeout = 6 * time.Second
)

// Mirror is the name of the paths that read the copies.
const Mirror = "mirror"

// Path is p, read from the bulk files.
func (b BulkFiles) Path(p Path) Path {
	p.Name, p.Method, p.Timeout, p.Read = Mirror, contracts.APIMirror, bulkTimeout, b.read
	if b.Clock != nil {
		p.Timeout = tableTimeout
		p.Asks = func(q Question) bool { return !q.Fresh }
	}
	return p
}

func (b BulkFiles) read(ctx context.Context, q Question) (Reading, error) {
	renewed := !q.Fresh || b.Mirror.Renew(ctx)
	c, err := b.Copy(ctx)
	if err != nil {
		return Reading{}, err
	}
	reading := Reading{
		EvidenceURL: c.Files[0].URL, ReadAt: c.ReadAt, PublishedAt: c.PublishedAt(), RefreshFailed: !renewed,
		DataDate: c.DataDate(), IsPast: c.IsPast, IsShort: c.IsShort,
	}
	if q.Number != "" {
		b.fill(&reading, b.numbered(c, q.Number, &reading))
	} else {
		b.search(c, q, &reading)
	}
	recordFiles(ctx, c)
	return reading, nil
}

// search gives as many records as an answer holds, and what is to be said of all matches.
func (b BulkFiles) search(c *mirror.Copy, q Question, reading *Reading) {
	hits := c.Find(q.Query)
	reading.Unclear = hits.Unclear()
	reading.Total = hits.Count() - reading.Unclear
	reading.Records = make([]Record, 0, min(reading.Total, contracts.MaxKept))
	today := b.Today()
	reading.More = hits.After(q.After, contracts.MaxKept, func(e *mirror.Entry) {
		reading.Records = append(reading.Records, b.record(e, today))
	})
	var files []int // those with matches
	for _, k := range hits.Kinds(today) {
		reading.MatchGroups = append(reading.MatchGroups, MatchGroup{b.record(&k.Entry, today), k.N})
		if !slices.Contains(files, k.File) {
			files = append(files, k.File)
		}
	}
	slices.Sort(files)
	cite(reading, c, files)
}

// cite names the first file in which matches stand, and in a note all of them.
func cite(reading *Reading, c *mirror.Copy, files []int) {
	var urls []string
	for _, i := range files {
		urls = append(urls, c.Files[i].URL)
	}
	if len(urls) > 0 {
		reading.EvidenceURL = urls[0]
	}
	if len(urls) > 1 {
		reading.Notes = ByForm("The matches stand in %d data sets: %s", len(urls), strings.Join(urls, " and "))
	}
}

// recordFiles says that an answer was read from a copy: what one file says of a license is weighed against the others.
func recordFiles(ctx context.Context, c *mirror.Copy) {
	for _, f := range c.Files {
		scrape.Record(ctx, scrape.Document{Kept: f.Kept})
	}
}

// numbered gives the entry of a number, and tells its other types. A type that is asked for and not there is no entry.
func (b BulkFiles) numbered(c *mirror.Copy, asked string, reading *Reading) []mirror.Entry {
	kind, number := "", asked
	if b.OtherTypes != nil {
		kind, number = contracts.SplitLicenseType(contracts.CA, asked)
	}
	entries := c.Lookup(number)
	if kind != "" {
		entries = slices.DeleteFunc(entries, func(e mirror.Entry) bool { return e.Record.LicenseTypeCode != kind })
	}
	if len(entries) == 0 {
		if c.MayHide(number) {
			reading.Unclear = 1
		}
		return nil
	}
	reading.EvidenceURL = c.Files[entries[0].File].URL
	if kind == "" && b.OtherTypes != nil {
		reading.Notes = b.OtherTypes(entries)
	}
	return entries[:1]
}

// lists tells whether the copy has a license of that number: a source that shows none does not prove then that there is
// none. What is read again was compared when it was read.
func (b BulkFiles) lists(ctx context.Context, number string) bool {
	if b.Mirror == nil || b.Mirror.Rereads() {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, AccentWait)
	defer cancel()
	c, err := b.Copy(ctx)
	if err != nil {
		return false
	}
	entries := b.numbered(c, number, &Reading{})
	return len(entries) > 0 && b.record(&entries[0], b.Today()).Status != NoLicense
}

// IsShort tells whether many rows are gone from the files at once: their source proves no absence then.
func (b BulkFiles) IsShort(ctx context.Context) bool {
	if b.Mirror.Rereads() {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, AccentWait)
	defer cancel()
	c, err := b.Mirror.Copy(ctx)
	return err == nil && c.IsShort
}

// fill makes records of entries.
func (b BulkFiles) fill(reading *Reading, entries []mirror.Entry) {
	today := b.Today()
	for i := range entries {
		if entries[i].Unclear {
			reading.Unclear++
			continue
		}
		reading.Records = append(reading.Records, b.record(&entries[i], today))
	}
}

func (b BulkFiles) record(e *mirror.Entry, today contracts.Date) Record {
	standing := b.Standing(e.Word, e.Record.ExpirationDate, today)
	e.Record.Status = standing.Status
	return Record{LicenseRecord: e.Record, Because: standing.Because, Unreadable: UnreadableUnless(!e.Undated, Expiration)}
}

// RarestPart is the part of the query's names that the fewest licenses of the files have: a form that is asked by it
// shows the fewest that do not match. It is the longest part when the files cannot be asked.
func (b BulkFiles) RarestPart(ctx context.Context, q contracts.Query) (rarest string) {
	ctx, cancel := context.WithTimeout(ctx, AccentWait)
	defer cancel()
	c, err := b.Copy(ctx)
	fewest := 0
	try := func(text string, asQuery func(part string) contracts.Query) {
		for _, part := range fold.Parts(text) {
			n := -len(part)
			if err == nil {
				n = c.Find(asQuery(part)).Count()
			}
			if rarest == "" || n < fewest {
				rarest, fewest = part, n
			}
		}
	}
	try(q.DBAName, func(part string) contracts.Query { return contracts.Query{DBAName: part} })
	try(q.OwnerName, func(part string) contracts.Query { return contracts.Query{OwnerName: part} })
	return rarest
}

// RarestAddress is that of [fold.SearchTexts] by which the fewest licenses of the files are found. It is the first when
// the files cannot be asked, and nil when there is none. Files that change the number of questions become documents of
// the answer, so that a replay asks as often.
func (b BulkFiles) RarestAddress(ctx context.Context, texts [][]string) (rarest []string) {
	if len(texts) < 2 {
		return slices.Concat(texts...)
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second) // most are loaded
	defer cancel()
	c, err := b.Copy(ctx)
	if err != nil {
		return texts[0]
	}
	fewest := 0
	for _, spellings := range texts {
		n := 0
		for _, text := range spellings {
			n += c.Find(contracts.Query{Address: text}).Count()
		}
		if rarest == nil || n < fewest {
			rarest, fewest = spellings, n
		}
	}
	if len(rarest) != len(texts[0]) {
		recordFiles(ctx, c)
	}
	return rarest
}

// OwnedByAnother tells whether the files show the license under another owner. While a license is transferred, a search
// by the old owner's name shows a row that is no longer in force.
func (b BulkFiles) OwnedByAnother(ctx context.Context, r contracts.LicenseRecord) bool {
	ctx, cancel := context.WithTimeout(ctx, AccentWait)
	defer cancel()
	c, err := b.Mirror.Copy(ctx)
	if err != nil {
		return false // that the files were not asked lowers the confidence already
	}
	recordFiles(ctx, c)
	entries := c.Lookup(r.LicenseNumber)
	return len(entries) > 0 && fold.String(entries[0].Record.OwnerName) != fold.String(r.OwnerName)
}

// Accents tells whether the files know a license that matches the query, and what of it a form is asked by accents
// only. looked is false when they could not be asked in time. A form whose answer is read again was asked already,
// perhaps because they could not.
func (b BulkFiles) Accents(ctx context.Context, q, asked contracts.Query) (match, looked bool) {
	if b.Mirror.Rereads() {
		return false, true
	}
	ctx, cancel := context.WithTimeout(ctx, AccentWait)
	defer cancel()
	c, err := b.Copy(ctx)
	if err != nil {
		scrape.Notef(ctx, "spellings with accents are not looked for: %v", err)
		return false, false
	}
	byAccents := func(e mirror.Entry) bool { return !MatchesLiterally(asked, e.Record) }
	return slices.ContainsFunc(c.Find(q).Accented(), byAccents), true
}

// Copy is the newest copy. It has a span of its own, because the first question waits until the mirror is loaded.
func (b BulkFiles) Copy(ctx context.Context) (*mirror.Copy, error) {
	ctx, span := trace.SpanFromContext(ctx).TracerProvider().Tracer("assay.dev/abc-worker").Start(ctx, "mirror.copy")
	defer span.End()
	c, err := b.Mirror.Copy(ctx)
	if err != nil {
		span.SetStatus(codes.Error, err.Error())
		return nil, err
	}
	span.SetAttributes(attribute.Int("assay.mirror.licenses", c.Len()),
		attribute.Float64("assay.mirror.age_s", time.Since(c.ReadAt).Seconds()))
	if b.Clock != nil && b.Clock().Sub(c.ReadAt) > contracts.LicenseTTL {
		return nil, scrape.Failf(scrape.Unavailable, "the copy is of %s", c.ReadAt.Format(time.RFC3339))
	}
	scrape.Notef(ctx, "mirror %s of %s: %d licenses", b.Mirror.Name, c.ReadAt.Format(time.RFC3339), c.Len())
	return c, nil
}
