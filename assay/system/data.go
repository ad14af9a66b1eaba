package system

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// data is the directory that keeps everything, locked for one process.
type data struct {
	dir  string
	lock *os.File
}

func openData(dir string) (*data, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("ASSAY_DATA=%s: %w", dir, err)
	}
	lock, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("ASSAY_DATA=%s: %w", dir, err)
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = lock.Close()
		return nil, fmt.Errorf("ASSAY_DATA=%s: another `assay up` uses this directory; stop it or set ASSAY_DATA to another one", dir)
	}
	return &data{dir, lock}, nil
}

func (d *data) close() error {
	return errors.Join(removeIfThere(d.path(natsURLFile)), d.lock.Close()) // closing unlocks
}

func (d *data) path(name string) string { return filepath.Join(d.dir, name) }

// write replaces a file that only its owner may read.
func (d *data) write(name, text string) error {
	return os.WriteFile(d.path(name), []byte(text), 0o600)
}

func removeIfThere(path string) error {
	if err := os.Remove(path); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

const natsURLFile = "nats-url"

// NATSURL is where operators reach the system that runs on a data directory. The error says what to do when none runs.
func NATSURL(dir string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dir, natsURLFile))
	if errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("no `assay up` runs on ASSAY_DATA=%s: start one, or set ASSAY_NATS_URL to the servers of your deployment", dir)
	}
	return strings.TrimSpace(string(text)), err
}
