// Command image writes a container image archive, as docker save would, of files and a root file system, without a
// registry or an engine; and joins the archives of an image for several architectures to one that a registry takes, as
// a directory of the OCI image layout, whose digest it prints:
//
//	image --ref assay/gateway:1.1.0 --out gateway-arm64.tar --arch arm64 --version 1.1.0 [--rootfs DIR] --entrypoint /gateway FILE=/PATH...
//	image --join gateway/ gateway-amd64.tar gateway-arm64.tar
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
	// versionLabel is OCI's name for it.
	versionLabel = "org.opencontainers.image.version"
)

// contents say what an image is made of.
type contents struct {
	arch, version string
	// rootfs is a directory that the image begins with; "" for none.
	rootfs     string
	entrypoint []string
	// env are variables beside PATH, each NAME=VALUE.
	env []string
	// files are added, each FILE=/PATH.
	files []string
}

func main() {
	var c contents
	flag.StringVar(&c.arch, "arch", runtime.GOARCH, "architecture of the image")
	flag.StringVar(&c.version, "version", "devel", "version, for the image's label")
	flag.StringVar(&c.rootfs, "rootfs", "", "directory that the image begins with")
	ref := flag.String("ref", "", "NAME:TAG of the image")
	out := flag.String("out", "", "archive to write")
	entrypoint := flag.String("entrypoint", "", "command and arguments, separated by blanks")
	env := flag.String("env", "", "variables beside PATH, separated by blanks")
	layoutDir := flag.String("join", "", "directory to write the archives that follow to, as one image")
	flag.Parse()
	c.entrypoint, c.env, c.files = strings.Fields(*entrypoint), strings.Fields(*env), flag.Args()
	var err error
	switch {
	case *layoutDir != "":
		err = join(os.Stdout, *layoutDir, flag.Args())
	case *ref == "" || *out == "" || *entrypoint == "":
		flag.Usage()
		os.Exit(2)
	default:
		err = write(*out, *ref, c)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "image:", err)
		os.Exit(1)
	}
}

// write writes the archive out of an image with one layer. It makes the layer in a file beside the archive, because a
// layer with Chromium is too large for memory, and removes that file however it ends. An archive that exists is
// replaced only by a whole one.
func write(out, ref string, c contents) error {
	tag, err := name.NewTag(ref)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp(filepath.Dir(out), "image")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	image, err := build(filepath.Join(dir, "layer.tar.gz"), c)
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
func build(layerFile string, c contents) (v1.Image, error) {
	if err := writeLayer(layerFile, c.rootfs, c.files); err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromFile(layerFile)
	if err != nil {
		return nil, err
	}
	base, err := mutate.ConfigFile(empty.Image, &v1.ConfigFile{
		Architecture: c.arch, OS: "linux",
		Config: v1.Config{
			Entrypoint: c.entrypoint, User: user, Env: append([]string{searchPath}, c.env...),
			Labels: map[string]string{versionLabel: c.version},
		},
		RootFS: v1.RootFS{Type: "layers"},
	})
	if err != nil {
		return nil, err
	}
	return mutate.AppendLayers(base, layer)
}
