package site

import (
	"strings"
	"testing"

	"assay.dev/docs"
)

func TestMarkdown(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ source, want, not string }{
		"a script stays text":      {"a <script>alert(1)</script>", "<!-- raw HTML omitted -->", "<script"},
		"a link that runs is none": {"[x](https://a.example/) [y](/docs)", `<a href="https://a.example/">x</a> <a href="/docs">y</a>`, ""},
		"a document":               {"[x](contract.md)", `<a href="/docs/contract">`, ""},
		"a part of a document":     {"[x](guide.md#limits)", `<a href="/docs/guide#limits">`, ""},
		"a part of this one":       {"[x](#limits)", `<a href="#limits">`, ""},
		"tables scroll":            {"|a|\n|:-:|\n|b|", `<div class="scroll" tabindex="0"><table>`, "style="},
		"headings have names":      {"## How old it is", `<h2 id="how-old-it-is">`, ""},
	} {
		html, _, err := renderMarkdown([]byte(c.source))
		if err != nil || !strings.Contains(string(html), c.want) || c.not != "" && strings.Contains(string(html), c.not) {
			t.Errorf("%s: %v %s", name, err, html)
		}
	}
	for _, lost := range []string{"[x](runbook.md)", "[x](javascript:alert(1))", "[x](../README.md)"} {
		if html, _, err := renderMarkdown([]byte(lost)); err == nil {
			t.Errorf("%s: %s", lost, html)
		}
	}
}

// The pages show the whole of our documents: a link of theirs that leads nowhere would keep the gateway from starting.
func TestOurDocuments(t *testing.T) {
	t.Parallel()
	for name, source := range map[string][]byte{"guide": docs.Guide, "contract": docs.Contract} {
		html, parts, err := renderMarkdown(source)
		if err != nil || len(parts) < 10 {
			t.Fatalf("%s: %v, %d parts", name, err, len(parts))
		}
		for _, p := range parts {
			if p.Title == "" || !strings.Contains(string(html), `id="`+p.ID+`"`) {
				t.Errorf("%s: %+v", name, p)
			}
		}
	}
}

func TestImportsOfScripts(t *testing.T) {
	t.Parallel()
	a, err := loadAssets()
	if err != nil {
		t.Fatal(err)
	}
	for file, url := range a.urls {
		c, err := a.served[strings.TrimPrefix(url, assetsPath)]()
		if err != nil {
			t.Fatal(err)
		}
		body := string(c.plain)
		if strings.HasPrefix(file, "own/") && strings.Contains(body, `from "./`) {
			t.Errorf("%s imports a name without a hash", file)
		}
	}
}
