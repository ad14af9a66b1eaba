package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// TestWhatIsInABinaryAndItsImage describes this test's own binary beside a package.
func TestWhatIsInABinaryAndItsImage(t *testing.T) {
	rootfs := t.TempDir()
	status := filepath.Join(rootfs, "var/lib/dpkg/status.d")
	if err := os.MkdirAll(status, 0o755); err != nil {
		t.Fatal(err)
	}
	control := "Package: tini\nVersion: 0.19.0-1+b3\nArchitecture: arm64\nDescription: tiny\n Name: not a field\n"
	if err := os.WriteFile(filepath.Join(status, "tini"), []byte(control), 0o600); err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := write(&text, "worker", "1.2.3", os.Args[0], rootfs); err != nil {
		t.Fatal(err)
	}
	var bom cdx.BOM
	if err := cdx.NewBOMDecoder(strings.NewReader(text.String()), cdx.BOMFileFormatJSON).Decode(&bom); err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, c := range *bom.Components {
		found[c.Name] = true
		if c.Name == "tini" && c.PackageURL != "pkg:deb/debian/tini@0.19.0-1+b3?arch=arm64" {
			t.Errorf("tini is %s", c.PackageURL)
		}
	}
	for _, name := range []string{"stdlib", "github.com/CycloneDX/cyclonedx-go", "tini"} {
		if !found[name] {
			t.Errorf("%s is not in\n%s", name, &text)
		}
	}
	if err := write(&text, "worker", "1.2.3", os.Args[0], t.TempDir()); err == nil {
		t.Error("a root file system without packages passes")
	}
}
