package mcp

import (
	"archive/zip"
	"encoding/json"
	"io"
	"io/fs"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/openapi"
)

// bundleManifest is the manifest.json of an .mcpb file, version 0.3
// (https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md).
type bundleManifest struct {
	ManifestVersion string                  `json:"manifest_version"`
	Name            string                  `json:"name"`
	DisplayName     string                  `json:"display_name"`
	Version         string                  `json:"version"`
	Description     string                  `json:"description"`
	Author          bundleAuthor            `json:"author"`
	Server          bundleServer            `json:"server"`
	Tools           []bundleTool            `json:"tools"`
	Settings        map[string]bundleOption `json:"user_config"`
	Compatibility   bundleCompatibility     `json:"compatibility"`
}

type bundleAuthor struct {
	Name string `json:"name"`
}

type bundleServer struct {
	Type       string        `json:"type"`
	EntryPoint string        `json:"entry_point"`
	Command    bundleCommand `json:"mcp_config"`
}

type bundleCommand struct {
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env"`
}

type bundleTool struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

// bundleOption is a setting that the person who installs the bundle is asked for.
type bundleOption struct {
	Type        string `json:"type"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Required    bool   `json:"required"`
	Sensitive   bool   `json:"sensitive,omitempty"`
	Default     string `json:"default,omitempty"`
}

type bundleCompatibility struct {
	Platforms []string `json:"platforms"`
}

// Bundle is what an .mcpb file is made of: a zip that desktop agents install a local tool server from.
type Bundle struct {
	Product contracts.Product
	// Platform is the system that the binary is for, as the manifest names it: linux, darwin or win32.
	Platform string
	// Binary is the assay binary.
	Binary io.Reader
	// KeyVariable is the environment variable in which the binary takes the API key.
	KeyVariable string
	// URL is the API's address where the person names no other.
	URL string
}

// binaryPath is where the binary lies in the bundle.
func (b Bundle) binaryPath() string {
	if b.Platform == "win32" {
		return "server/assay.exe"
	}
	return "server/assay"
}

// Write writes the bundle. The same input gives the same bytes.
func (b Bundle) Write(w io.Writer) error {
	manifest, err := json.MarshalIndent(b.manifest(), "", "  ")
	if err != nil {
		return err
	}
	z := zip.NewWriter(w)
	head, err := z.CreateHeader(bundled("manifest.json", 0o644))
	if err != nil {
		return err
	}
	if _, err := head.Write(manifest); err != nil {
		return err
	}
	body, err := z.CreateHeader(bundled(b.binaryPath(), 0o755))
	if err != nil {
		return err
	}
	if _, err := io.Copy(body, b.Binary); err != nil {
		return err
	}
	return z.Close()
}

func bundled(name string, mode fs.FileMode) *zip.FileHeader {
	h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)}
	h.SetMode(mode)
	return h
}

func (b Bundle) manifest() bundleManifest {
	product := api.ProductOf(b.Product)
	m := bundleManifest{
		ManifestVersion: "0.3", Name: Name(b.Product), DisplayName: "Assay: " + product.Title, Version: openapi.Version,
		Description: product.Summary, Author: bundleAuthor{"Assay"}, Compatibility: bundleCompatibility{[]string{b.Platform}},
		Server: bundleServer{Type: "binary", EntryPoint: b.binaryPath(), Command: bundleCommand{
			Command: "${__dirname}/" + b.binaryPath(), Args: []string{"mcp", string(b.Product), "--url", "${user_config.url}"},
			Env: map[string]string{b.KeyVariable: "${user_config.api_key}"},
		}},
		Settings: map[string]bundleOption{
			"api_key": {Type: "string", Title: "API key", Description: keyHeader(b.Product).Description, Required: true, Sensitive: true},
			"url":     {Type: "string", Title: "Address of the API", Description: "Such as https://api.example.com", Required: true, Default: b.URL},
		},
	}
	for _, e := range product.Tools() {
		m.Tools = append(m.Tools, bundleTool{e.Tool.Name, e.Tool.Title})
	}
	return m
}
