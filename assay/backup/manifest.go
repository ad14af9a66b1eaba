// Package backup writes what nothing can replace to a directory, and puts it back where nothing stands.
//
// A stream that only grows is kept as the server's own snapshot, with its sequences. The keys of a bucket are listed
// and read one by one: a snapshot of a bucket loses keys that are overwritten while it runs, and reports success.
package backup

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/nats-io/jsm.go"

	"assay.dev/contracts"
)

// manifestFile lists what a backup holds. It is written last: a directory without it is no backup.
const manifestFile = "manifest.json"

// form is the version of the files.
const form = 1

// Manifest describes a backup.
type Manifest struct {
	Form int `json:"form"`
	// Began is when the backup began: every write that was acknowledged before is in it.
	Began time.Time `json:"began"`
	Ended time.Time `json:"ended"`
	// Stores stand in the order in which they were read; they are put back in the reverse order.
	Stores []Store `json:"stores"`
	// Lost is what a restore does not bring back, in words.
	Lost []string `json:"lost"`
}

// Store is one stream or bucket.
type Store struct {
	Stream string `json:"stream"`
	// Messages is how many messages are kept, Keys how many keys they are of (buckets only).
	Messages uint64 `json:"messages"`
	Keys     uint64 `json:"keys,omitempty"`
	// First and Last are sequences; LastAt is when the last message was stored.
	First  uint64    `json:"first"`
	Last   uint64    `json:"last"`
	LastAt time.Time `json:"last_at,omitzero"`
	// Files are the SHA-256 of each file in hex, by its name within the backup.
	Files   map[string]string `json:"files"`
	Seconds float64           `json:"seconds"`
}

// order lists the streams in the order of a backup. A stream that refers to another one comes before it, so what it
// refers to is in the backup too, because nothing is removed. Usage events are the exception: they come before the
// receipts, so that no request is charged twice after a restore. Which edition was compared comes before its changes: a
// worker sees in the stream that more was told than the entry says. Endpoints of webhooks come before the changes, so
// that none has a place behind the last change.
var order = []string{
	contracts.KeysBucket.Stream(), contracts.CreditsBucket.Stream(),
	contracts.UsageStream.Name, contracts.ReceiptsBucket.Stream(), contracts.AgreementsBucket.Stream(),
	contracts.AuditsBucket.Stream(),
	contracts.RepliesBucket.Stream(), contracts.PortfoliosBucket.Stream(), contracts.SharesBucket.Stream(),
	contracts.WeeksBucket.Stream(), contracts.TariffsBucket.Stream(), contracts.WordingBucket.Stream(),
	contracts.EventsStream.Name,
	contracts.ComparedBucket.Stream(), contracts.EndpointsBucket.Stream(), contracts.ChangesStream.Name,
	contracts.EvidenceStream(contracts.Live).Name, contracts.EvidenceStream(contracts.Test).Name,
	contracts.FilesStream(contracts.Live).Name, contracts.FilesStream(contracts.Test).Name,
}

// lost is what no backup brings back.
var lost = []string{
	"everything that was stored after the backup began and is not in it",
	"revocations of keys and of shared proofs since then: none is good before `assay keys confirm`",
	"what else was ended since then: accepted words that were forgotten, webhooks that were deleted, paused or given a " +
		"new secret, sessions of the console",
	"contracts, portfolios and lists of delinquents that were put since then: verdicts go by those of the backup",
	"calls that were paid since then: none is made before the provider's count is known, or `assay credits confirm`",
	"the memory of duplicates (2 minutes): an event that a gateway sends again after the restore is counted twice",
	"the moments at which entries of buckets were stored: receipts live for up to a day longer, kept audits take their " +
		"room for up to 90 days longer, shared proofs for up to 400",
	"which changes were delivered since then, or in the second before it: webhooks tell those of them again that are in " +
		"it, with the same id; what was tried in the last 7 days is not listed any more",
	"what changed in the registers of the states from the last edition that was compared to the first one after the " +
		"restore: it is told to nobody",
	"the secrets, which are kept apart: ASSAY_DATA/webhook-key, console-secret and keys, in Kubernetes the Secrets of " +
		"`assay secrets`; without the webhook-key no webhook is sent until its tenant rotates the secret",
	"cached answers, rate limits, listings, job results, jobs and mirrors, which are made anew",
}

// bucketOf returns the bucket that a stream is.
func bucketOf(stream string) (contracts.Bucket, bool) {
	for _, b := range contracts.Buckets {
		if b.Stream() == stream {
			return b, true
		}
	}
	return contracts.Bucket{}, false
}

// maxManifest bounds a manifest, which has some 5 KB.
const maxManifest = 1 << 20

// Read reads the manifest of a backup and compares every file with it. A backup may come from anywhere: it names the
// files that [Write] writes and no others, and they stand in dir.
func Read(dir string) (*Manifest, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("%s holds no whole backup: %w", dir, err)
	}
	defer root.Close()
	f, err := root.Open(manifestFile)
	if err != nil {
		return nil, fmt.Errorf("%s holds no whole backup: %w", dir, err)
	}
	defer f.Close()
	var m Manifest
	if err := json.NewDecoder(io.LimitReader(f, maxManifest)).Decode(&m); err != nil {
		return nil, fmt.Errorf("%s cannot be understood: %w", manifestFile, err)
	}
	if m.Form != form {
		return nil, fmt.Errorf("%s has form %d, this assay knows form %d", manifestFile, m.Form, form)
	}
	var errs []error
	known := map[string]bool{}
	for _, s := range m.Stores {
		if !slices.Contains(order, s.Stream) || known[s.Stream] || len(s.Files) != len(filesOf(s.Stream)) {
			return nil, fmt.Errorf("%s is not of a backup: it names %q with %d files", manifestFile, s.Stream, len(s.Files))
		}
		known[s.Stream] = true
		for _, name := range filesOf(s.Stream) {
			if got, err := hashFile(root, name); err != nil || got != s.Files[name] {
				errs = append(errs, errors.Join(fmt.Errorf("the file %s of the backup is damaged", name), err))
			}
		}
	}
	return &m, errors.Join(errs...)
}

// filesOf are the files of a stream within a backup.
func filesOf(stream string) []string {
	if b, ok := bucketOf(stream); ok {
		return []string{entriesFile(b)}
	}
	return []string{path.Join(stream, jsm.SnapshotMetaFile), path.Join(stream, jsm.SnapshotDataFile)}
}

func (m *Manifest) writeFile(dir string) error {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(dir, manifestFile), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(text, '\n'))
	return errors.Join(err, f.Sync(), f.Close())
}

func hashFile(root *os.Root, name string) (string, error) {
	f, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
