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

// manifest is the manifest.json of an .mcpb file, version 0.3
// (https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md). Its user_config is what the person who installs
// the bundle is asked for.
func (b Bundle) manifest() object {
	product := api.ProductOf(b.Product)
	var tools []object
	for _, e := range product.Tools() {
		tools = append(tools, object{"name": e.Tool.Name, "description": e.Tool.Title})
	}
	return object{
		"manifest_version": "0.3", "name": Name(b.Product), "display_name": "Assay: " + product.Title,
		"version":     openapi.Version,
		"description": product.Summary, "author": object{"name": "Assay"}, "tools": tools,
		"server": object{"type": "binary", "entry_point": b.binaryPath(), "mcp_config": object{
			"command": "${__dirname}/" +
				b.binaryPath(), "args": []string{"mcp", string(b.Product), "--url", "${user_config.url}"},
			"env": object{b.KeyVariable: "${user_config.api_key}"},
		}},
		"user_config": object{
			"api_key": object{"type": "string", "title": "API key", "description": keyDescription(b.Product), "required": true,
				"sensitive": true},
			"url": object{
				"type": "string", "title": "Address of the API", "description": "Such as https://api.example.com", "required": true,
				"default": b.URL,
			},
		},
		"compatibility": object{"platforms": []string{b.Platform}},
	}
}
