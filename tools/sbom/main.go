// Command sbom writes what a program or an image is made of, as a CycloneDX document: the Go modules that are linked
// into the binary, and the Debian packages of the root file system beside it.
//
//	sbom --name ltl-worker --version 1.1.0 [--rootfs DIR] BINARY >ltl-worker.cdx.json
//
// The same files make the same document: it has no time and no serial number.
package main

import (
	"bufio"
	"debug/buildinfo"
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

func main() {
	name := flag.String("name", "", "of the program or image")
	version := flag.String("version", "", "of it")
	rootfs := flag.String("rootfs", "", "directory whose Debian packages belong to it")
	flag.Parse()
	if *name == "" || *version == "" || flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := write(os.Stdout, *name, *version, flag.Arg(0), *rootfs); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func write(w io.Writer, name, version, binary, rootfs string) error {
	components, err := modules(binary)
	if err != nil {
		return err
	}
	if rootfs != "" {
		installed, err := packages(rootfs)
		if err != nil {
			return err
		}
		components = append(components, installed...)
	}
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{Component: &cdx.Component{BOMRef: name, Type: cdx.ComponentTypeApplication, Name: name,
		Version: version}}
	bom.Components = &components
	return cdx.NewBOMEncoder(w, cdx.BOMFileFormatJSON).SetPretty(true).Encode(bom)
}

// modules are Go itself and the modules of a binary. Those of this repository have no version of their own.
func modules(binary string) ([]cdx.Component, error) {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	all := []cdx.Component{library("golang/stdlib", "stdlib", strings.TrimPrefix(info.GoVersion, "go"), "")}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		if !strings.HasPrefix(m.Path, "assay.dev/") {
			all = append(all, library("golang/"+m.Path, m.Path, m.Version, ""))
		}
	}
	return all, nil
}

// library is a component with its package URL, https://github.com/package-url/purl-spec.
func library(purl, name, version, qualifiers string) cdx.Component {
	purl = "pkg:" + purl + "@" + url.PathEscape(version) + qualifiers
	return cdx.Component{BOMRef: purl, Type: cdx.ComponentTypeLibrary, Name: name, Version: version, PackageURL: purl}
}

// packages are those of which the root file system holds a control file.
func packages(rootfs string) ([]cdx.Component, error) {
	files, err := filepath.Glob(filepath.Join(rootfs, "var/lib/dpkg/status.d/*"))
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s says of no package that it is installed", rootfs)
	}
	if err != nil {
		return nil, err
	}
	var all []cdx.Component
	for _, file := range files {
		control, err := fields(file)
		if err != nil {
			return nil, err
		}
		name := control["Package"]
		all = append(all, library("deb/debian/"+name, name, control["Version"], "?arch="+control["Architecture"]))
	}
	return all, nil
}

// fields are the one-line fields of a control file.
func fields(file string) (map[string]string, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	all := map[string]string{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if name, value, ok := strings.Cut(lines.Text(), ": "); ok && !strings.HasPrefix(name, " ") {
			all[name] = value
		}
	}
	return all, lines.Err()
}
