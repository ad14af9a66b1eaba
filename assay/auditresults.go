package main

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/schollz/progressbar/v3"

	"assay.dev/gateway/audit"
)

// auditTotal is the verdict of the line that ends an answer in NDJSON and CSV.
const auditTotal audit.Verdict = "TOTAL"

var errNoTotals = errors.New("its totals are missing")

// readResults reads an answer to its end, without its totals, and why lines have no verdict, where the totals say so.
func readResults(mediaType string, answer io.Reader, bar *progress) (results []audit.Result,
	causes []string, err error) {
	switch mediaType {
	case auditMedia[".json"]:
		return readJSONResults(json.NewDecoder(answer), bar)
	case auditMedia[".ndjson"]:
		lines := json.NewDecoder(answer)
		return readUntilTotal(bar, func() (r audit.Result, err error) {
			err = lines.Decode(&r)
			return r, err
		})
	}
	rows := csv.NewReader(answer)
	header, err := rows.Read()
	if err != nil {
		return nil, nil, err
	}
	begin := audit.OwnColumns(header)
	return readUntilTotal(bar, func() (audit.Result, error) {
		row, err := rows.Read()
		if err != nil {
			return audit.Result{}, err
		}
		return rowResult(header[begin:], row[begin:])
	})
}

// readUntilTotal reads results until the one that holds the totals, after which nothing comes.
func readUntilTotal(bar *progress, next func() (audit.Result, error)) (results []audit.Result,
	causes []string, err error) {
	for {
		r, err := next()
		switch {
		case errors.Is(err, io.EOF):
			return results, nil, errNoTotals
		case err != nil:
			return results, nil, err
		case r.Verdict == auditTotal:
			if _, err = next(); !errors.Is(err, io.EOF) {
				return results, nil, fmt.Errorf("more follows its totals: %w", err)
			}
			if r.Reason != nil {
				causes = strings.Split(*r.Reason, audit.CauseMark)[1:]
			}
			return results, causes, nil
		}
		results = append(results, r)
		bar.addLine()
	}
}

// readJSONResults reads {"results":[…],"totals":{…}} result by result.
func readJSONResults(answer *json.Decoder, bar *progress) (results []audit.Result, causes []string, err error) {
	for range 3 { // the brace, the name, the bracket
		if _, err := answer.Token(); err != nil {
			return nil, nil, err
		}
	}
	for answer.More() {
		var r audit.Result
		if err := answer.Decode(&r); err != nil {
			return results, nil, err
		}
		results = append(results, r)
		bar.addLine()
	}
	var totals audit.Totals
	_, err1 := answer.Token() // the bracket
	_, err2 := answer.Token() // the name
	err = errors.Join(err1, err2, answer.Decode(&totals))
	for open := 1; err == nil && open > 0; { // what else the answer says, up to its last brace
		var token json.Token
		token, err = answer.Token()
		switch token {
		case json.Delim('{'), json.Delim('['):
			open++
		case json.Delim('}'), json.Delim(']'):
			open--
		}
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	} else if err == nil {
		_, err = answer.Token()
	}
	for _, p := range totals.Problems {
		causes = append(causes, p.Text())
	}
	if errors.Is(err, io.EOF) && totals.Lines > 0 {
		err = nil
	}
	return results, causes, err
}

// rowResult reads a row of a CSV as a result. An empty cell is null.
func rowResult(header, row []string) (r audit.Result, err error) {
	object := map[string]any{}
	for i, name := range header {
		switch {
		case row[i] != "":
			object[name] = row[i]
		case name == "id" || name == "carrier":
			object[name] = ""
		}
	}
	text, err := json.Marshal(object)
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	r.Errors = []string{}
	if r.Verdict == audit.Invalid && r.Reason != nil {
		r.Errors = []string{*r.Reason}
	}
	return r, err
}

// progress is a bar on standard error where a person sees it, and nothing else.
type progress struct{ bar *progressbar.ProgressBar }

func newProgress(c *console, lines int) *progress {
	errs := c.bare.errs // the bar moves the cursor
	if !isTerminal(errs) || lines == 0 {
		return &progress{}
	}
	return &progress{progressbar.NewOptions(lines, progressbar.OptionSetWriter(errs),
		progressbar.OptionSetDescription("audited"),
		progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(false), progressbar.OptionClearOnFinish())}
}

func (p *progress) addLine() {
	if p.bar != nil {
		_ = p.bar.Add(1) // a bar that cannot be drawn is no failure
	}
}

func (p *progress) end() {
	if p.bar != nil {
		_ = p.bar.Finish() // as above
	}
}
