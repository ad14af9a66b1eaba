package main

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

const ref = "docker.io/assay/gateway:dev"

// written writes an archive and reads it as a container engine does.
func written(t *testing.T, rootfs string, entrypoint []string, files ...string) v1.Image {
	t.Helper()
	out := filepath.Join(t.TempDir(), "image.tar")
	if err := write(out, ref, contents{arch: "arm64", version: "1.2.3", rootfs: rootfs, entrypoint: entrypoint, env: []string{"A=b"}, files: files}); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(out), "*"))
	if err != nil || !slices.Equal(left, []string{out}) {
		t.Errorf("beside the archive lie %v, %v", left, err)
	}
	tag, err := name.NewTag(ref)
	if err != nil {
		t.Fatal(err)
	}
	image, err := tarball.ImageFromPath(out, &tag)
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Image(image); err != nil {
		t.Error(err)
	}
	return image
}

// listed describes each entry of the image's file system: type, mode, what a link points to, text.
func listed(t *testing.T, image v1.Image) map[string]string {
	t.Helper()
	fs := mutate.Extract(image)
	defer fs.Close()
	found := map[string]string{}
	for r := tar.NewReader(fs); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		found[h.Name] = fmt.Sprintf("%c %o %s%s", h.Typeflag, h.Mode, h.Linkname, text)
	}
}

func wantContents(t *testing.T, image v1.Image, want map[string]string) {
	t.Helper()
	got := listed(t, image)
	if !maps.Equal(got, want) {
		t.Errorf("the image holds\n%v, want\n%v", got, want)
	}
}

func put(t *testing.T, path, text string, mode os.FileMode) string {
	t.Helper()
	if err := errors.Join(os.WriteFile(path, []byte(text), 0o600), os.Chmod(path, mode)); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAnImageOfOneBinary(t *testing.T) {
	dir := t.TempDir()
	binary, notes := put(t, filepath.Join(dir, "gateway"), "binary", 0o700), put(t, filepath.Join(dir, "notes"), "text", 0o600)
	image := written(t, "", []string{"/gateway"}, binary+"=/gateway", notes+"=/etc/notes")
	wantContents(t, image, map[string]string{"tmp": "5 1777 ", "gateway": "0 755 binary", "etc/notes": "0 644 text"})
	c, err := image.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	if c.OS != "linux" || c.Config.User != user || !slices.Equal(c.Config.Entrypoint, []string{"/gateway"}) ||
		!slices.Equal(c.Config.Env, []string{searchPath, "A=b"}) || c.Architecture != "arm64" || c.Config.Labels[versionLabel] != "1.2.3" {
		t.Errorf("%+v", c)
	}
}

// A root file system keeps its modes and links, and loses what the container's runtime makes itself.
func TestAnImageOfARootFileSystem(t *testing.T) {
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	perl := put(t, filepath.Join(root, "bin", "perl"), "perl", 0o755)
	if err := errors.Join(
		os.Link(perl, filepath.Join(root, "bin", "perl5")),
		os.Symlink("perl", filepath.Join(root, "bin", "interpreter")),
		syscall.Mkfifo(filepath.Join(root, "pipe"), 0o600),
	); err != nil {
		t.Fatal(err)
	}
	binary := put(t, filepath.Join(t.TempDir(), "worker"), "binary", 0o700)
	image := written(t, root, []string{"/usr/bin/tini", "--", "/worker"}, binary+"=/worker")
	wantContents(t, image, map[string]string{
		"bin": "5 755 ", "bin/perl": "0 755 perl", "bin/perl5": "1 755 bin/perl", "bin/interpreter": "2 777 perl", "worker": "0 755 binary",
	})
}

func TestNoArchiveIsLeftOfAFailure(t *testing.T) {
	for name, c := range map[string]struct{ ref, file string }{
		"a file that is not there": {ref, "/nonexistent=/gateway"},
		"a name that is none":      {"Assay/GATEWAY:dev:dev", "image_test.go=/gateway"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := write(filepath.Join(dir, "image.tar"), c.ref, contents{entrypoint: []string{"/gateway"}, files: []string{c.file}}); err == nil {
				t.Error("it was written")
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
				t.Errorf("%v, %v are left", left, err)
			}
		})
	}
}

// An image for two architectures has a digest of its own, which is that of the same files again.
func TestAnImageOfTwoArchitectures(t *testing.T) {
	dir := t.TempDir()
	binary := put(t, filepath.Join(dir, "gateway"), "binary", 0o755)
	var archives []string
	for _, arch := range []string{"amd64", "arm64"} {
		archive := filepath.Join(dir, arch+".tar")
		if err := write(archive, ref, contents{arch: arch, entrypoint: []string{"/gateway"}, files: []string{binary + "=/gateway"}}); err != nil {
			t.Fatal(err)
		}
		archives = append(archives, archive)
	}
	var digests [2]strings.Builder
	for i := range digests {
		if err := join(&digests[i], filepath.Join(dir, "gateway-image"), archives); err != nil {
			t.Fatal(err)
		}
	}
	index, err := layout.ImageIndexFromPath(filepath.Join(dir, "gateway-image"))
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Index(index); err != nil {
		t.Error(err)
	}
	digest, err := index.Digest()
	if err != nil || digests[0].String() != digest.String()+"\n" || digests[1].String() != digests[0].String() {
		t.Errorf("%v: printed %s and %s, is %s", err, &digests[0], &digests[1], digest)
	}
	manifest, err := index.IndexManifest()
	if err != nil || len(manifest.Manifests) != 2 || manifest.Manifests[1].Platform.Architecture != "arm64" {
		t.Errorf("%v: %+v", err, manifest)
	}
}
