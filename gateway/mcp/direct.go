package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	sdkjson "github.com/segmentio/encoding/json"
)

// The protocol versions whose plain tool calls are answered directly: three with a handshake, the first of which is also
// meant by a request that names none, and one without.
const (
	protocol20250326 = "2025-03-26"
	protocol20250618 = "2025-06-18"
	protocol20251125 = "2025-11-25"
	protocol20260728 = "2026-07-28"
)

// direct answers plain tool calls itself: the SDK makes a session for each request, which costs several times what an
// answer from the cache does. A request that is in any way not plain is next's, the SDK's, to answer or to refuse.
type direct struct {
	*Server
	behindProxy bool
	next        http.Handler
}

// plainCall is a tool call that needs nothing but its answer.
type plainCall struct {
	id        json.RawMessage
	tool      *tool
	arguments json.RawMessage
	protocol  string
}

func (d direct) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if body, ok := d.plainRequest(r); ok {
		if c, ok := d.plainCall(r.Header, body); ok {
			d.answer(w, r, c)
			return
		}
	}
	d.next.ServeHTTP(w, r)
}

// answer writes the response as the SDK does.
func (d direct) answer(w http.ResponseWriter, r *http.Request, c plainCall) {
	o := c.tool.call(r.Context(), c.arguments)
	if c.protocol == protocol20260728 {
		o.meta[sdk.MetaKeyServerInfo] = d.info
	}
	body, err := c.response(o)
	if err != nil {
		c.tool.Log.ErrorContext(r.Context(), "a tool's result cannot be encoded", "error", err)
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache, no-transform")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body) //nolint:gosec // JSON, never shown as HTML; a caller that hung up is not our failure
}

// response is the JSON-RPC message with the [sdk.CallToolResult] of o. The API's body is copied into it, not encoded anew.
func (c plainCall) response(o outcome) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(3*len(o.body) + 1024)
	b.WriteString(`{"jsonrpc":"2.0","id":`)
	b.Write(c.id)
	b.WriteString(`,"result":{"content":[{"type":"text","text":`)
	err1 := encode(&b, o.message())
	b.WriteString(`}],"_meta":`)
	err2 := encode(&b, o.meta)
	if o.body != nil {
		b.WriteString(`,"structuredContent":`)
		b.Write(o.body)
	}
	if o.code != "" {
		b.WriteString(`,"isError":true`)
	}
	if c.protocol == protocol20260728 {
		b.WriteString(`,"resultType":"complete"`)
	}
	b.WriteString("}}")
	return b.Bytes(), errors.Join(err1, err2)
}

// encode adds v as JSON without the escapes that only matter inside HTML.
func encode(b *bytes.Buffer, v any) error {
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	b.Truncate(b.Len() - len("\n"))
	return nil
}

// plainRequest reads the body of a request that a client sends as the specification shows. What was read can be read
// again.
func (d direct) plainRequest(r *http.Request) ([]byte, bool) {
	switch {
	case r.Method != http.MethodPost, r.ContentLength <= 0, r.ContentLength > maxMessage, r.Header["Last-Event-Id"] != nil,
		!one(r.Header, "Content-Type", "application/json"), !accepts(r.Header["Accept"]),
		!d.behindProxy && rebound(r):
		return nil, false
	}
	body := make([]byte, r.ContentLength)
	n, err := io.ReadFull(r.Body, body)
	r.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body[:n]), r.Body))
	return body, err == nil
}

// accepts tells whether both forms of an answer are named.
func accepts(values []string) bool {
	var answer, stream bool
	for _, line := range values {
		for kind := range strings.SplitSeq(line, ",") {
			kind = strings.TrimSpace(kind)
			answer, stream = answer || kind == "application/json", stream || kind == "text/event-stream"
		}
	}
	return answer && stream
}

func one(h http.Header, name, value string) bool {
	values := h[name]
	return len(values) == 1 && values[0] == value
}

// rebound tells whether the request arrived on a loopback address under another name, as after DNS rebinding.
func rebound(r *http.Request) bool {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return ok && loopback(local.String()) && !loopback(r.Host)
}

func loopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	address, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return host == "localhost" || err == nil && address.IsLoopback()
}

// message is all that a plain tool call has.
type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  struct {
		Name      string                     `json:"name"`
		Arguments json.RawMessage            `json:"arguments"`
		Meta      map[string]json.RawMessage `json:"_meta"`
	} `json:"params"`
}

// decode is the SDK's own decoder, so that both read the same. Members that T does not have are an error.
func decode[T any](data []byte, flags sdkjson.ParseFlags) (value T, ok bool) {
	rest, err := sdkjson.Parse(data, &value, flags|sdkjson.DontMatchCaseInsensitiveStructFields|sdkjson.ZeroCopy)
	return value, err == nil && len(rest) == 0
}

func (d direct) plainCall(h http.Header, body []byte) (plainCall, bool) {
	m, ok := decode[message](body, sdkjson.DisallowUnknownFields)
	if !ok || m.JSONRPC != "2.0" || m.Method != "tools/call" || !plainID(m.ID) {
		return plainCall{}, false
	}
	p := m.Params
	c := plainCall{id: m.ID, tool: d.tools[p.Name], arguments: p.Arguments, protocol: h.Get("Mcp-Protocol-Version")}
	return c, c.tool != nil && plainMeta(h, c.protocol, p.Name, p.Meta)
}

// plainID accepts strings and short whole numbers.
func plainID(id json.RawMessage) bool {
	return len(id) > 0 && (id[0] == '"' || len(id) < 16 && strings.Trim(string(id), "0123456789") == "")
}

// plainMeta tells whether headers and _meta agree with the protocol's version and with each other.
func plainMeta(h http.Header, protocol, name string, meta map[string]json.RawMessage) bool {
	version := string(meta[sdk.MetaKeyProtocolVersion])
	switch protocol {
	case "", protocol20250326, protocol20250618, protocol20251125:
		return version == ""
	case protocol20260728:
		return version == `"`+protocol+`"` && one(h, "Mcp-Method", "tools/call") && one(h, "Mcp-Name", name) &&
			isObject[sdk.ClientCapabilities](meta[sdk.MetaKeyClientCapabilities]) &&
			(meta[sdk.MetaKeyClientInfo] == nil || isObject[sdk.Implementation](meta[sdk.MetaKeyClientInfo]))
	}
	return false
}

func isObject[T any](raw json.RawMessage) bool {
	_, ok := decode[T](raw, 0)
	return ok && raw[0] == '{'
}
