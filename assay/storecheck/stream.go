package storecheck

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Stream is the folder of one stream.
type Stream struct {
	Name string
	Dir  string
	// Bytes is the size of its message blocks.
	Bytes int64
}

// Damage says what of a stream cannot be read.
type Damage struct {
	Stream string
	// File is relative to the stream's folder.
	File string
	What string
}

func (d *Damage) Error() string { return fmt.Sprintf("stream %s: %s: %s", d.Stream, d.File, d.What) }

// Account is the folder of the streams of the account that a server without accounts uses, below the server's store
// directory.
const Account = "jetstream/$G/streams"

// Streams lists the streams below a server's store directory; none when the server never ran there.
func Streams(store string) ([]Stream, error) {
	dir := filepath.Join(store, filepath.FromSlash(Account))
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var streams []Stream
	for _, e := range entries {
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") { // a stream that was being deleted
			continue
		}
		s := Stream{Name: e.Name(), Dir: filepath.Join(dir, e.Name())}
		if s.Bytes, err = s.size(); err != nil {
			return nil, err
		}
		streams = append(streams, s)
	}
	return streams, nil
}

func (s Stream) size() (total int64, err error) {
	blocks, err := s.blocks()
	for _, b := range blocks {
		info, err := os.Stat(s.block(b))
		if err != nil {
			return 0, err
		}
		total += info.Size()
	}
	return total, err
}

// blocks lists the numbers of the message blocks in their order.
func (s Stream) blocks() ([]int, error) {
	names, err := filepath.Glob(filepath.Join(s.Dir, "msgs", "*.blk"))
	var numbers []int
	for _, name := range names {
		if n, err := strconv.Atoi(strings.TrimSuffix(filepath.Base(name), ".blk")); err == nil {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return numbers, err
}

func (s Stream) block(number int) string {
	return filepath.Join(s.Dir, "msgs", strconv.Itoa(number)+".blk")
}

// Verify reads all of the stream's files. The error is a *[Damage], or says that a file cannot be read.
//
// An interrupted write at the very end of a stream, such as one on a full disk, is no damage: nobody was told that it
// is stored. It is returned, because the server would call it lost. With recent set, the messages that the server had
// at its last stop must all be there.
func (s Stream) Verify(ctx context.Context, recent bool) (torn Torn, err error) {
	subjects, err := s.subjects()
	if err != nil {
		return torn, err
	}
	if err := s.consumers(); err != nil {
		return torn, err
	}
	numbers, err := s.blocks()
	if err != nil {
		return torn, err
	}
	var last uint64
	for i, n := range numbers {
		if ctx.Err() != nil {
			return torn, ctx.Err()
		}
		content, err := os.ReadFile(s.block(n))
		if err != nil {
			return torn, err
		}
		b := block{
			content: content, sum: newChecksum(fmt.Sprintf("%s-%d", s.Name, n)),
			subjects: subjects, newest: i == len(numbers)-1,
		}
		if err := b.verify(); err != nil {
			return torn, s.damage(filepath.Join("msgs", filepath.Base(s.block(n))), err.Error())
		}
		if b.whole < len(content) {
			torn = Torn{File: s.block(n), Whole: int64(b.whole)}
		}
		last = max(last, b.last)
	}
	if known, ok := s.indexed(); recent && ok && known > last {
		return torn, s.damage("msgs",
			fmt.Sprintf("the messages %d to %d, which the server had at its last stop, are missing", last+1, known))
	}
	return torn, nil
}

// Torn is a write that was interrupted, behind the whole records of the newest block. File is empty when there is none.
type Torn struct {
	File  string
	Whole int64 // bytes
}

// Cut cuts the interrupted write off.
func (t Torn) Cut() error {
	if t.File == "" {
		return nil
	}
	return os.Truncate(t.File, t.Whole)
}

func (s Stream) damage(file, what string) error { return &Damage{s.Name, file, what} }

// subjects reads the configuration, as far as it is needed here.
func (s Stream) subjects() ([]string, error) {
	content, err := s.described(".", s.Name)
	if err != nil {
		return nil, err
	}
	var config struct {
		Name     string   `json:"name"`
		Subjects []string `json:"subjects"`
	}
	if err := json.Unmarshal(content, &config); err != nil || config.Name != s.Name {
		return nil, s.damage("meta.inf", "it does not describe this stream")
	}
	return config.Subjects, nil
}

// consumers checks what describes them; where they stand in the stream has no checksum.
func (s Stream) consumers() error {
	entries, err := os.ReadDir(filepath.Join(s.Dir, "obs"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if _, err := s.described(filepath.Join("obs", e.Name()), s.Name+"/"+e.Name()); err != nil {
			return err
		}
	}
	return err
}

// described reads the meta.inf of a folder and holds it to its checksum, which is keyed by name.
func (s Stream) described(folder, name string) ([]byte, error) {
	file := filepath.Join(folder, "meta.inf")
	content, err := os.ReadFile(filepath.Join(s.Dir, file))
	if err != nil {
		return nil, s.damage(file, "it cannot be read: "+reason(err))
	}
	sum, err := os.ReadFile(filepath.Join(s.Dir, folder, "meta.sum"))
	if err != nil {
		return nil, s.damage(filepath.Join(folder, "meta.sum"), "it cannot be read: "+reason(err))
	}
	if hex.EncodeToString(newChecksum(name).of(content)) != string(sum) {
		return nil, s.damage(file, "its checksum is wrong")
	}
	return content, nil
}

// reason leaves out the path, which the damage names.
func reason(err error) string {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err.Error()
	}
	return err.Error()
}
