package system

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

// data is the directory in which assay up keeps everything. The lock keeps a second assay up out of it.
type data struct {
	dir  string
	lock *flock.Flock
}

// ErrRunning is of a data directory on which an assay up or a restore runs.
var ErrRunning = errors.New("another `assay up` or `assay restore` uses this directory; stop it or set ASSAY_DATA to " +
	"another one")

func openData(dir string) (*data, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("ASSAY_DATA=%s: %w", dir, err)
	}
	lock := flock.New(filepath.Join(dir, "lock"), flock.SetPermissions(0o600))
	switch mine, err := lock.TryLock(); {
	case err != nil:
		return nil, fmt.Errorf("ASSAY_DATA=%s: %w", dir, err)
	case !mine:
		return nil, fmt.Errorf("ASSAY_DATA=%s: %w", dir, ErrRunning)
	}
	return &data{dir, lock}, nil
}

func (d *data) close() error {
	return errors.Join(removeIfThere(d.path(natsURLFile)), d.lock.Close())
}

func (d *data) path(name string) string { return filepath.Join(d.dir, name) }

// writeFile creates or replaces a file of the directory, as a whole or not at all. Only its owner may read it.
func (d *data) writeFile(name, text string) error {
	next := d.path(name + ".next")
	if err := os.WriteFile(next, []byte(text), 0o600); err != nil {
		return errors.Join(err, removeIfThere(next))
	}
	return os.Rename(next, d.path(name))
}

func removeIfThere(path string) error {
	if err := os.Remove(path); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// birthsFile is the record of the streams that were made. It lies beside the folder of the NATS server, so that it
// outlives the loss of that folder.
const birthsFile = "births.json"

// natsURLFile holds the address of the NATS server, with its password, while assay up runs.
const natsURLFile = "nats-url"

// NATSURL reads the address of the NATS server of the assay up that runs on the data directory dir. The error says
// what to do when none runs there.
func NATSURL(dir string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dir, natsURLFile))
	if errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("no `assay up` runs on ASSAY_DATA=%s: start one, or set ASSAY_NATS_URL to the "+
			"servers of your deployment", dir)
	}
	return strings.TrimSpace(string(text)), err
}
