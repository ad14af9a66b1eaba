// Command image writes a container image archive, as docker save would, of files and a root file system, without a registry
// or an engine:
//
//	image --ref assay/gateway:dev --out gateway.tar [--rootfs DIR] --entrypoint /gateway FILE=/PATH...
package main

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// searchPath finds Debian's programs, and those that lie in the root as in most images of one binary.
const searchPath = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/"

func main() {
	ref := flag.String("ref", "", "NAME:TAG of the image")
	out := flag.String("out", "", "archive to write")
	rootfs := flag.String("rootfs", "", "directory that the image begins with")
	entrypoint := flag.String("entrypoint", "", "command and arguments, separated by blanks")
	flag.Parse()
	if *ref == "" || *out == "" || *entrypoint == "" {
		flag.Usage()
		os.Exit(2)
	}
	if err := write(*out, *ref, *rootfs, strings.Fields(*entrypoint), flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "image:", err)
		os.Exit(1)
	}
}

// write makes the one layer in a file beside the archive: it may be large. The file has no name, so nothing stays of it
// however this ends.
func write(out, ref, rootfs string, entrypoint, files []string) (err error) {
	layer, err := os.CreateTemp(filepath.Dir(out), "layer")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, layer.Close()) }()
	if err := os.Remove(layer.Name()); err != nil {
		return err
	}
	sum := sha256.New()
	t := tar.NewWriter(io.MultiWriter(layer, sum))
	if rootfs != "" {
		err = addTree(t, rootfs)
	} else {
		err = t.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: "tmp/", Mode: 0o1777})
	}
	for _, f := range files {
		host, path, _ := strings.Cut(f, "=")
		if err == nil {
			err = addFile(t, host, path)
		}
	}
	if err = errors.Join(err, t.Close()); err != nil {
		return err
	}
	if err := archive(out+".part", ref, entrypoint, layer, hex.EncodeToString(sum.Sum(nil))); err != nil {
		return err
	}
	return os.Rename(out+".part", out)
}

func addTree(t *tar.Writer, root string) error {
	type inode struct{ device, number uint64 }
	names := map[inode]string{} // files with several names are stored once
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		name, relErr := filepath.Rel(root, path)
		if err = errors.Join(err, relErr); err != nil || name == "." {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if info.Mode()&(fs.ModeDevice|fs.ModeSocket|fs.ModeNamedPipe) != 0 {
			return nil // the container's runtime makes its own
		}
		link := ""
		if info.Mode()&fs.ModeSymlink != 0 {
			if link, err = os.Readlink(path); err != nil {
				return err
			}
		}
		h, err := tar.FileInfoHeader(info, link)
		if err != nil {
			return err
		}
		h.Name, h.Uname, h.Gname = name, "", ""
		if info.IsDir() {
			h.Name += "/"
		}
		if stat := info.Sys().(*syscall.Stat_t); info.Mode().IsRegular() && stat.Nlink > 1 {
			file := inode{stat.Dev, stat.Ino}
			if first, ok := names[file]; ok {
				h.Typeflag, h.Linkname, h.Size = tar.TypeLink, first, 0
			} else {
				names[file] = name
			}
		}
		return add(t, h, path)
	})
}

func addFile(t *tar.Writer, host, path string) error {
	info, err := os.Stat(host)
	if err != nil {
		return err
	}
	mode := int64(0o644)
	if info.Mode()&0o111 != 0 {
		mode = 0o755
	}
	return add(t, &tar.Header{Typeflag: tar.TypeReg, Name: strings.TrimPrefix(path, "/"), Mode: mode, Size: info.Size()}, host)
}

func add(t *tar.Writer, h *tar.Header, path string) error {
	if err := t.WriteHeader(h); err != nil || h.Typeflag != tar.TypeReg {
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	_, err = io.Copy(t, f)
	return errors.Join(err, f.Close())
}

// archive puts the layer and what describes it together.
func archive(out, ref string, entrypoint []string, layer *os.File, sum string) error {
	config, err := json.Marshal(map[string]any{
		"architecture": runtime.GOARCH, "os": "linux",
		"config": map[string]any{"Entrypoint": entrypoint, "User": "65532:65532", "Env": []string{searchPath}},
		"rootfs": map[string]any{"type": "layers", "diff_ids": []string{"sha256:" + sum}},
	})
	if err != nil {
		return err
	}
	id := sha256.Sum256(config)
	name := hex.EncodeToString(id[:]) + ".json"
	manifest, err := json.Marshal([]map[string]any{{"Config": name, "RepoTags": []string{ref}, "Layers": []string{"layer.tar"}}})
	if err != nil {
		return err
	}
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	t := tar.NewWriter(f)
	for n, content := range map[string][]byte{name: config, "manifest.json": manifest} {
		err = errors.Join(err, t.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: n, Mode: 0o644, Size: int64(len(content))}))
		_, copyErr := io.Copy(t, bytes.NewReader(content))
		err = errors.Join(err, copyErr)
	}
	size, seekErr := layer.Seek(0, io.SeekEnd)
	_, startErr := layer.Seek(0, io.SeekStart)
	if err = errors.Join(err, seekErr, startErr, t.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: "layer.tar", Mode: 0o644, Size: size})); err == nil {
		_, err = io.Copy(t, layer)
	}
	return errors.Join(err, t.Close(), f.Close())
}
