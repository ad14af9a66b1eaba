package mcp_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"assay.dev/contracts"
	"assay.dev/gateway/mcp"
)

// The registry takes no longer description, and finds the tool server however the address is written.
func TestRegistryEntries(t *testing.T) {
	for _, p := range contracts.Products {
		for _, base := range []string{"https://api.example.com", "https://api.example.com/"} {
			text, err := mcp.RegistryEntry(p, base)
			if err != nil {
				t.Fatal(err)
			}
			var entry struct {
				Name, Description, WebsiteURL string
				Remotes                       []struct{ Type, URL string }
			}
			if err := json.Unmarshal(text, &entry); err != nil || len(entry.Remotes) != 1 {
				t.Fatalf("%v %s", err, text)
			}
			n := len(entry.Description)
			if n == 0 || n > 100 || entry.Name != "dev.assay/service-"+string(p) || entry.WebsiteURL != "https://api.example.com/" ||
				entry.Remotes[0].URL != "https://api.example.com/mcp/"+string(p) {
				t.Errorf("%s", text)
			}
		}
	}
}

// A bundle has the manifest and the binary that it names, which can be run.
func TestBundlesHaveWhatTheyName(t *testing.T) {
	for platform, path := range map[string]string{"linux": "server/assay", "darwin": "server/assay", "win32": "server/assay.exe"} {
		var file bytes.Buffer
		b := mcp.Bundle{Product: contracts.ABC, Platform: platform, Binary: strings.NewReader("a program"), KeyVariable: "ASSAY_API_KEY", URL: "http://127.0.0.1:8080"}
		if err := b.Write(&file); err != nil {
			t.Fatal(err)
		}
		z, err := zip.NewReader(bytes.NewReader(file.Bytes()), int64(file.Len()))
		if err != nil {
			t.Fatal(err)
		}
		var manifest struct {
			Server struct {
				EntryPoint string `json:"entry_point"`
				Command    struct {
					Command string
					Args    []string
					Env     map[string]string
				} `json:"mcp_config"`
			}
			Tools         []struct{ Name string }
			Compatibility struct{ Platforms []string }
		}
		if err := json.Unmarshal(partOf(t, z, "manifest.json"), &manifest); err != nil {
			t.Fatal(err)
		}
		s := manifest.Server
		if s.EntryPoint != path || s.Command.Command != "${__dirname}/"+path || strings.Join(s.Command.Args, " ") != "mcp abc --url ${user_config.url}" ||
			s.Command.Env["ASSAY_API_KEY"] != "${user_config.api_key}" || len(manifest.Tools) != 5 || manifest.Compatibility.Platforms[0] != platform {
			t.Errorf("%s: %+v", platform, manifest)
		}
		if body := partOf(t, z, path); string(body) != "a program" || z.File[1].Mode()&0o111 == 0 {
			t.Errorf("%s: %q with mode %s", platform, body, z.File[1].Mode())
		}
	}
}

// partOf is a file of an archive.
func partOf(t *testing.T, z *zip.Reader, name string) []byte {
	t.Helper()
	f, err := z.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	body, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return body
}
