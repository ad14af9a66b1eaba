package sheet

import (
	"context"
	"maps"
	"strconv"
	"strings"

	"assay.dev/contracts"
)

// OfSheet is what a [Choice] has the sheet of a workbook under: its name, or its place as #2.
const OfSheet = "sheet"

// workbooks bounds how many are read at once in a process: each takes 100 MB meanwhile. Who waits is an upload, which
// are bounded.
var workbooks = make(chan struct{}, 2)

// MatchWorkbook matches, as [Match] does, the sheet that was chosen. Without a choice it matches the first one that is
// not hidden, unless others have lines too: then it asks which one is meant. The error is for a file that cannot be
// read.
func MatchWorkbook(ctx context.Context, body []byte, fields Fields, c Choice) (Matched, error) {
	select {
	case workbooks <- struct{}{}:
	case <-ctx.Done():
		return Matched{}, ctx.Err()
	}
	defer func() { <-workbooks }()
	w, err := openWorkbook(body)
	if err != nil {
		return Matched{}, err
	}
	chosen, isChosen := c[OfSheet]
	c = maps.Clone(c)
	delete(c, OfSheet)
	if isChosen {
		i := placeOf(w.names(), chosen)
		if i < 0 {
			return w.ask("no sheet is called " + strconv.Quote(contracts.Printable(chosen))), nil
		}
		return w.match(i, fields, c)
	}
	first, err := w.match(0, fields, c)
	for i := range w.sheets[1:] {
		m, failure := w.match(i+1, fields, c)
		switch mayHold := failure != nil || m.hasLines(); { // a sheet that cannot be read may have lines
		case mayHold && err == nil && first.hasLines():
			return w.ask("not only the first sheet has lines"), nil
		case mayHold:
			return w.ask("the first sheet has no lines that are understood, and another one may have some"), nil
		}
	}
	return first, err
}

func (m Matched) hasLines() bool { return m.Problem == nil && len(m.Rows) > 0 }

// match matches the i-th sheet.
func (w *workbook) match(i int, fields Fields, c Choice) (Matched, error) {
	rows, err := w.sheet(w.sheets[i].id)
	m := Match(rows, fields, c)
	m.Sheet, m.Sheets, m.Is1904 = i, w.names(), w.is1904
	return m, err
}

// ask asks for the sheet. Nothing is matched before it is known.
func (w *workbook) ask(why string) Matched {
	var told []string
	for i, name := range w.names()[:min(len(w.sheets), maxTold)] {
		told = append(told, "#"+strconv.Itoa(i+1)+" "+contracts.Printable(name))
	}
	return Matched{Sheets: w.names(), Sheet: -1, Problem: undecided("columns",
		"%s; say which one is to be read, such as columns=sheet:#2. The sheets: %s", why, strings.Join(told, ", "))}
}

func (w *workbook) names() (all []string) {
	for _, s := range w.sheets {
		all = append(all, s.name)
	}
	return all
}
