package main

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// writeLayer writes a compressed layer of the tree at rootfs and of files, each FILE=/PATH, such as
// bin/gateway=/gateway. A layer without a tree has a /tmp that everybody may write to.
func writeLayer(out, rootfs string, files []string) error {
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	z, err := gzip.NewWriterLevel(f, gzip.BestSpeed) // for a cluster on the same machine
	if err != nil {
		return errors.Join(err, f.Close())
	}
	t := tar.NewWriter(z)
	return errors.Join(addAll(t, rootfs, files), t.Close(), z.Close(), f.Close())
}

func addAll(t *tar.Writer, rootfs string, files []string) error {
	if rootfs == "" {
		if err := t.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: "tmp/", Mode: 0o1777}); err != nil {
			return err
		}
	} else if err := addTree(t, rootfs); err != nil {
		return err
	}
	for _, f := range files {
		host, path, _ := strings.Cut(f, "=")
		if err := addFile(t, host, path); err != nil {
			return err
		}
	}
	return nil
}

// addTree adds what lies under root, with its owners and modes. It leaves devices, sockets and pipes out: the
// container's runtime makes its own.
func addTree(t *tar.Writer, root string) error {
	names := linkNames{}
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		name, relErr := filepath.Rel(root, path)
		if err = errors.Join(err, relErr); err != nil || name == "." {
			return err
		}
		info, err := entry.Info()
		if err != nil || info.Mode()&(fs.ModeDevice|fs.ModeSocket|fs.ModeNamedPipe) != 0 {
			return err
		}
		h, err := treeHeader(path, name, info)
		if err != nil {
			return err
		}
		names.link(h, info)
		return addEntry(t, h, path)
	})
}

// treeHeader describes the file at path, which is called name in the image.
func treeHeader(path, name string, info fs.FileInfo) (h *tar.Header, err error) {
	target := ""
	if info.Mode()&fs.ModeSymlink != 0 {
		if target, err = os.Readlink(path); err != nil {
			return nil, err
		}
	}
	if h, err = tar.FileInfoHeader(info, target); err != nil {
		return nil, err
	}
	h.Name, h.Uname, h.Gname = name, "", "" // this machine's names of users are not the image's
	h.ModTime = time.Time{}                 // nor when it unpacked them: the same packages make the same image
	if info.IsDir() {
		h.Name += "/"
	}
	return h, nil
}

type inode struct{ device, number uint64 }

// linkNames holds the first name of each file that has several, such as perl and perl5.36.0 in /usr/bin.
type linkNames map[inode]string

// link makes h a link to the file's first name where the file has been added under another.
func (l linkNames) link(h *tar.Header, info fs.FileInfo) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || !info.Mode().IsRegular() || stat.Nlink < 2 {
		return
	}
	file := inode{stat.Dev, stat.Ino}
	if first, ok := l[file]; ok {
		h.Typeflag, h.Linkname, h.Size = tar.TypeLink, first, 0
	} else {
		l[file] = h.Name
	}
}

// addFile adds the file at host as path, readable by all, and executable by all if it is so for anybody.
func addFile(t *tar.Writer, host, path string) error {
	info, err := os.Stat(host)
	if err != nil {
		return err
	}
	mode := int64(0o644)
	if info.Mode()&0o111 != 0 {
		mode = 0o755
	}
	h := &tar.Header{Typeflag: tar.TypeReg, Name: strings.TrimPrefix(path, "/"), Mode: mode, Size: info.Size()}
	return addEntry(t, h, host)
}

func addEntry(t *tar.Writer, h *tar.Header, path string) error {
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
