package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay.dev/assay/backup"
	"assay.dev/platform/access"
)

type backupCommand struct {
	Dir  string `arg:"" help:"Directory of backups; each has a folder of its own there, named by its time."`
	Keep int    `help:"Remove the oldest whole backups beyond so many, and what was cut short 12 hours ago; 0 keeps all." default:"0"`
}

// Help says what is in a backup.
func (backupCommand) Help() string {
	return `A backup holds every stream that nothing can replace, as it was when the command began or later, while the system runs.
Only its owner may read it. manifest.json in it says what it holds and what a restore does not bring back.
` + targetHelp
}

// Run writes one backup and prints its folder.
func (b backupCommand) Run(ctx context.Context, c *console) error {
	conn, _, err := connectAs(ctx, c, access.Backup)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := os.MkdirAll(b.Dir, 0o700); err != nil {
		return err
	}
	if err := b.prune(c.errs); err != nil { // first, for room
		fmt.Fprintln(c.errs, "what is old cannot be removed:", err)
	}
	dir := filepath.Join(b.Dir, time.Now().UTC().Format(backupName))
	m, err := backup.Write(ctx, conn, dir, c.errs)
	if err != nil {
		return fmt.Errorf("no backup was made: %w", err)
	}
	fmt.Fprintf(c.errs, "every write that was acknowledged before %s is in it; %.1f s\n", m.Began.Format(time.RFC3339),
		m.Ended.Sub(m.Began).Seconds())
	if _, err := fmt.Fprintln(c.out, dir); err != nil {
		return err
	}
	return b.prune(io.Discard)
}

// backupName is the form of a backup's folder. Names sort by time.
const backupName = "20060102T150405Z"

// runTime is more than a backup takes: a folder without a manifest that is older was cut short.
const runTime = 12 * time.Hour

// prune removes old backups, and what is left of ones that were cut short. It tells errs of those that a clock that was
// ahead dated: they neither count nor go.
func (b backupCommand) prune(errs io.Writer) error {
	if b.Keep <= 0 {
		return nil
	}
	entries, err := os.ReadDir(b.Dir)
	if err != nil {
		return err
	}
	whole := 0
	for _, e := range slices.Backward(entries) { // os.ReadDir sorts by name
		at, err := time.Parse(backupName, e.Name())
		if err != nil || !e.IsDir() {
			continue
		}
		dir := filepath.Join(b.Dir, e.Name())
		if at.After(time.Now()) {
			fmt.Fprintf(errs, "%s is dated in the future and stays: remove it once a newer backup is whole\n", dir)
			continue
		}
		spent := false
		if backup.Whole(dir) {
			whole++
			spent = whole > b.Keep
		} else if info, err := e.Info(); err == nil {
			spent = time.Since(info.ModTime()) > runTime
		}
		if !spent {
			continue
		}
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	return nil
}

type restoreCommand struct {
	Dir      string   `arg:"" help:"Folder of one backup." type:"existingdir"`
	Streams  []string `arg:"" optional:"" help:"Streams that are put back, such as KV_assay_keys; all of the backup when none is named."`
	Replicas int      `help:"Copies of each stream, as for provision." default:"1"`
}

// Help says where a backup can be put back.
func (restoreCommand) Help() string {
	return `It puts back only what is gone: when one of the streams stands, it changes nothing. Keys are not accepted before ` +
		"`assay keys confirm`" + `,
and no call is paid before the provider's own count is known or ` + "`assay credits confirm`" + `. Run ` + "`assay provision`" + ` after it.
` + targetHelp + ` When none runs, the NATS server is started on ASSAY_DATA for the
time of the restore.`
}

// Run puts the streams back and checks them.
func (r restoreCommand) Run(ctx context.Context, c *console) (err error) {
	conn, stop, err := connectForRestore(ctx, c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	m, err := backup.Restore(ctx, conn, r.Dir, r.Streams, r.Replicas, c.errs)
	if err != nil {
		return err
	}
	if err := checkStreams(ctx, c, conn, restored(m, r.Streams)); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, "as of %s. Not brought back:\n- %s\n", m.Began.Format(time.RFC3339),
		strings.Join(m.Lost, "\n- "))
	return err
}

// restored lists the streams of a backup that were put back.
func restored(m *backup.Manifest, names []string) []string {
	if len(names) > 0 {
		return names
	}
	for _, s := range m.Stores {
		names = append(names, s.Stream)
	}
	return names
}
