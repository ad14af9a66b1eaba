// Package monitor turns what the NATS servers' own monitoring says of JetStream into metrics: disks, streams, their
// leaders, and how far replicas are behind.
package monitor

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/nats-io/nats-server/v2/server"
)

// Server is a NATS server that is asked. Name is its server_name, such as nats-0.
type Server struct {
	Name string
	ask  func(context.Context) (*server.JSInfo, error)
}

// Local is a server that runs in this process.
func Local(s *server.Server) Server {
	return Server{s.Name(), func(context.Context) (*server.JSInfo, error) {
		return s.Jsz(&server.JSzOptions{Accounts: true, Streams: true, Config: true, RaftGroups: true})
	}}
}

// page is what Local asks for, at a server's monitoring port.
const page = "/jsz?accounts=true&streams=true&config=true&raft=true"

// maxPage bounds the answer of a server. 25 streams of three replicas take 40 KB.
const maxPage = 8 << 20

// client goes through no proxy, and keeps no connection: the next question comes in 15 seconds.
var client = http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

// Remote is a server whose monitoring port is at base, such as http://nats-0.nats-peers:8222.
func Remote(name, base string) Server {
	return Server{name, func(ctx context.Context) (*server.JSInfo, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+page, http.NoBody)
		if err != nil {
			return nil, err
		}
		resp, err := client.Do(req)
		if err != nil {
			return nil, err
		}
		defer func() { _ = resp.Body.Close() }()
		if resp.StatusCode != http.StatusOK {
			return nil, fmt.Errorf("%s answers %s", name, resp.Status)
		}
		info := &server.JSInfo{}
		if err := json.NewDecoder(io.LimitReader(resp.Body, maxPage)).Decode(info); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return info, nil
	}}
}

// Servers are the servers of a deployment, written as NAME=URL and separated by commas:
// nats-0=http://nats-0.nats-peers:8222,nats-1=http://nats-1.nats-peers:8222.
type Servers []Server

// UnmarshalText reads the list. It refuses an empty one, a name that stands twice, and what is no http URL.
func (s *Servers) UnmarshalText(text []byte) error {
	var list Servers
	seen := map[string]bool{}
	for part := range strings.SplitSeq(string(text), ",") {
		name, address, _ := strings.Cut(strings.TrimSpace(part), "=")
		u, err := url.Parse(address)
		if err != nil || name == "" || seen[name] || u.Scheme != "http" || u.Host == "" {
			return fmt.Errorf("%q: want NAME=http://HOST:PORT of each server, separated by commas", part)
		}
		seen[name] = true
		list = append(list, Remote(name, strings.TrimSuffix(address, "/")))
	}
	*s = list
	return nil
}
