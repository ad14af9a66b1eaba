package client

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"mime"
	"path/filepath"

	"assay.dev/contracts"
)

// Document is a document that an answer was read from, byte for byte.
type Document struct {
	contracts.Evidence
	// Name is a name for a file, such as ODFL-9f86d081884c.json. It has no directory.
	Name  string
	Bytes []byte
}

// Evidence downloads a document that an answer names (contract §4.12). Bytes that do not have the SHA-256 of the answer
// are an error.
func (c *Client) Evidence(ctx context.Context, e contracts.Evidence) (*Document, error) {
	if !contracts.IsSHA256(e.SHA256) {
		return nil, fmt.Errorf("%q is no SHA-256 of a document", contracts.Printable(e.SHA256))
	}
	response, err := c.exchange(ctx, get("/v1/evidence/"+e.SHA256, values("at", string(e.At))))
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := c.readBody(response)
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(body); hex.EncodeToString(sum[:]) != e.SHA256 {
		return nil, fmt.Errorf("the document that came is not the one with the SHA-256 %s", e.SHA256)
	}
	return &Document{Evidence: e, Name: fileName(response.Header.Get("Content-Disposition"), e.SHA256), Bytes: body}, nil
}

// fileName is the name that the API gives to the document, without a directory; its hash where there is none.
func fileName(disposition, hash string) string {
	_, parameters, err := mime.ParseMediaType(disposition)
	name := filepath.Base(filepath.Clean("/" + parameters["filename"]))
	if err != nil || name == "/" || name == "." {
		return hash
	}
	return name
}
