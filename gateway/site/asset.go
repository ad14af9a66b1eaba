package site

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"

	"assay.dev/contracts"
)

// assetsPath is where assets are served.
const assetsPath = "/assets/"

// assetPolicy is how long browsers may keep an asset: for good, as its name changes with its content.
const assetPolicy = "public, max-age=31536000, immutable"

//go:embed assets
var assetFiles embed.FS

// mediaTypes are those of assets, by the end of their names.
var mediaTypes = map[string]string{
	".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
	".txt": "text/plain; charset=utf-8", "": "text/plain; charset=utf-8", // a license
}

// assets are all assets.
type assets struct {
	urls   map[string]string                   // by the path in the folder assets, such as "own/site.css"
	served map[string]func() (*content, error) // by the name in the URL
}

// loadAssets reads the embedded files. Scripts of our own may import one another by their plain names: import
// "./api.js" then names the URL with the hash. No two may import each other.
func loadAssets() (*assets, error) {
	a := &assets{urls: map[string]string{}, served: map[string]func() (*content, error){}}
	err := fs.WalkDir(assetFiles, "assets", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		_, err = a.load(strings.TrimPrefix(file, "assets/"))
		return err
	})
	return a, err
}

// load reads a file and those that it imports, once, and returns its URL.
func (a *assets) load(file string) (url string, err error) {
	if url, ok := a.urls[file]; ok {
		return url, nil
	}
	mediaType, ok := mediaTypes[path.Ext(file)]
	if !ok {
		return "", fmt.Errorf("asset %s: the end of its name says no media type", file)
	}
	body, err := a.readFile(file)
	if err != nil {
		return "", err
	}
	name := hashedName(file, body)
	a.urls[file] = assetsPath + name
	a.served[name] = sync.OnceValues(func() (*content, error) { // it may be large, and never asked for
		body, err := a.readFile(file)
		return newContent(body, mediaType, assetPolicy), err
	})
	return a.urls[file], nil
}

// readFile reads a file as it is served.
func (a *assets) readFile(file string) ([]byte, error) {
	body, err := assetFiles.ReadFile("assets/" + file)
	if err != nil {
		return nil, err
	}
	return a.resolveImports(file, body)
}

// resolveImports puts URLs in the place of "./NAME.js" in a script of our own.
func (a *assets) resolveImports(file string, body []byte) ([]byte, error) {
	dir, text := path.Dir(file), string(body)
	if dir != "own" || path.Ext(file) != ".js" {
		return body, nil
	}
	siblings, err := assetFiles.ReadDir("assets/" + dir)
	for _, sibling := range siblings {
		plain := `"./` + sibling.Name() + `"`
		if !strings.Contains(text, plain) {
			continue
		}
		url, err := a.load(dir + "/" + sibling.Name())
		if err != nil {
			return nil, err
		}
		text = strings.ReplaceAll(text, plain, `"`+url+`"`)
	}
	return []byte(text), err
}

// hashedName is such as "site-0123456789ab.css" for own/site.css.
func hashedName(file string, body []byte) string {
	sum := sha256.Sum256(body)
	end := path.Ext(file)
	return strings.TrimSuffix(path.Base(file), end) + "-" + hex.EncodeToString(sum[:6]) + end
}

// url is where a page finds an asset.
func (a *assets) url(file string) (string, error) {
	if url, ok := a.urls[file]; ok {
		return url, nil
	}
	return "", fmt.Errorf("there is no asset %s", file)
}

// license is the text of a license of what others made.
type license struct{ Name, URL string }

// licenses are those of all assets, in the order of their names.
func (a *assets) licenses() []license {
	var all []license
	for file, url := range a.urls {
		if strings.Contains(file, "LICENSE") || strings.HasSuffix(file, "NOTICE") {
			all = append(all, license{Name: file, URL: url})
		}
	}
	slices.SortFunc(all, func(x, y license) int { return strings.Compare(x.Name, y.Name) })
	return all
}

func (a *assets) serve(w http.ResponseWriter, r *Request) error {
	made, ok := a.served[strings.TrimPrefix(r.URL.Path, assetsPath)]
	if !ok {
		return contracts.Missing(contracts.PathUnknown, "there is no such asset; reload the page that names it")
	}
	c, err := made()
	if err != nil {
		return err
	}
	c.serve(w, r.Request)
	return nil
}

// icon is what browsers ask for at a fixed path on pages that are not ours, such as an answer in JSON.
func (a *assets) icon() (*content, error) {
	body, err := assetFiles.ReadFile("assets/own/icon.svg")
	return newContent(body, mediaTypes[".svg"], documentPolicy), err
}

// robots tells crawlers to read the pages, and nothing that needs a key.
var robots = newContent([]byte("User-agent: *\nDisallow: /v1/\nDisallow: /console\n"),
	mediaTypes[".txt"], documentPolicy)
