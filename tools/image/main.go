// Command image writes a container image archive, as docker save would, of files and a root file system, without a registry
// or an engine:
//
//	image --ref assay/gateway:dev --out gateway.tar [--rootfs DIR] --entrypoint /gateway FILE=/PATH...
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

const (
	// user is nobody that Debian knows: the containers need no rights.
	user = "65532:65532"
	// searchPath finds Debian's programs, and those that lie in the root, as they do in most images of one binary.
	searchPath = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/"
)

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

// write writes the archive out of an image with one layer. It makes the layer in a file beside the archive, because a layer
// with Chromium is too large for memory, and removes that file however it ends. An archive that exists is replaced only by
// a whole one.
func write(out, ref, rootfs string, entrypoint, files []string) error {
	tag, err := name.NewTag(ref)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp(filepath.Dir(out), "image")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	image, err := build(filepath.Join(dir, "layer.tar.gz"), rootfs, entrypoint, files)
	if err != nil {
		return err
	}
	part := filepath.Join(dir, "archive.tar")
	if err := tarball.WriteToFile(part, tag, image); err != nil {
		return err
	}
	return os.Rename(part, out)
}

// build writes the layer to a file and returns an image that reads it from there.
func build(layerFile, rootfs string, entrypoint, files []string) (v1.Image, error) {
	if err := writeLayer(layerFile, rootfs, files); err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromFile(layerFile)
	if err != nil {
		return nil, err
	}
	base, err := mutate.ConfigFile(empty.Image, &v1.ConfigFile{
		Architecture: runtime.GOARCH, OS: "linux",
		Config: v1.Config{Entrypoint: entrypoint, User: user, Env: []string{searchPath}},
		RootFS: v1.RootFS{Type: "layers"},
	})
	if err != nil {
		return nil, err
	}
	return mutate.AppendLayers(base, layer)
}
