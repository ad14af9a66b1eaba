package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/archive"
	"assay.dev/platform/kv"
)

type archiveCommand struct {
	Import importWeeks `cmd:"" help:"Import weeks from a CSV file."`
}

// Help says which deployment is meant.
func (archiveCommand) Help() string {
	return "The archive holds every week that a carrier was seen to show." + targetHelp
}

type importWeeks struct {
	File        string                `arg:"" help:"CSV file; its first line names the columns." type:"existingfile"`
	Source      string                `help:"Where the values are from, in words that a user of them can check, such as \"ODFL tariff 128-CC, page 3, received 2025-04-09\"." required:""`
	Environment contracts.Environment `help:"live or test." default:"live"`
	JSON        bool                  `help:"Print the counts as JSON."`
}

// Help says what the file holds.
func (importWeeks) Help() string {
	return `Columns: carrier, effective_date, fuel_surcharge_pct, and any of end_date, doe_diesel_price_usd, truckload_pct.

An imported week says in every answer that it was imported, when, and from where. A week that was seen with other values
is an error, and then nothing is imported. To import a file again adds nothing.` + "\n" + targetHelp
}

const (
	maxSourceNote = 300
	importTime    = 2 * time.Minute
)

// Run imports the file.
func (i importWeeks) Run(ctx context.Context, c *console) error {
	note := strings.TrimSpace(i.Source)
	if note == "" || utf8.RuneCountInString(note) > maxSourceNote || strings.ContainsFunc(note, func(r rune) bool {
		return !unicode.IsPrint(r)
	}) {
		return fmt.Errorf("--source wants 1 to %d printable characters", maxSourceNote)
	}
	rows, err := i.readRows()
	if err != nil {
		return err
	}
	conn, js, err := connect(ctx, c)
	if err != nil {
		return err
	}
	defer conn.Close()
	ctx, cancel := context.WithTimeout(ctx, importTime)
	defer cancel()
	bucket, err := kv.Open(ctx, js, contracts.WeeksBucket)
	if err != nil {
		return err
	}
	done, err := archive.Import(ctx, i.Environment, js, bucket, rows, note)
	if err != nil {
		return err
	}
	if i.JSON {
		return printJSON(c, done)
	}
	_, err = fmt.Fprintf(c.out, "imported %d weeks; %d were known already\n", done.Added, done.Known)
	return err
}

func (i importWeeks) readRows() ([]archive.Row, error) {
	f, err := os.Open(i.File)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := archive.ReadCSV(f, contracts.Today(time.Now()))
	if err == nil && len(rows) == 0 {
		err = errors.New("it holds no weeks")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", i.File, err)
	}
	return rows, nil
}
