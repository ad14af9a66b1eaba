package monitor

import (
	"github.com/nats-io/nats-server/v2/server"

	"assay.dev/platform/provision"
)

// metaGroup is what NATS calls the group of servers that decides where streams are placed. It has a leader as streams
// have.
const metaGroup = "_meta_"

// copies are what servers tell of their copies of one stream, by server.
type copies map[string]*server.StreamDetail

// streams sorts the servers' answers by stream: those that a deployment has, and metaGroup.
func streams(answers map[string]*server.JSInfo) map[string]copies {
	all := map[string]copies{metaGroup: {}}
	for _, name := range provision.Streams() {
		all[name] = copies{}
	}
	for name, info := range answers {
		all[metaGroup][name] = meta(info)
		for _, account := range info.AccountDetails {
			for i := range account.Streams {
				if s, ours := all[account.Streams[i].Name]; ours {
					s[name] = &account.Streams[i]
				}
			}
		}
	}
	return all
}

// meta describes the meta group as a stream. A server that stands alone has none and leads itself.
func meta(info *server.JSInfo) *server.StreamDetail {
	d := &server.StreamDetail{}
	if m := info.Meta; m != nil {
		d.Cluster = &server.ClusterInfo{Leader: m.Leader, Replicas: m.Replicas}
	}
	return d
}

// leader names the server that says that it leads, else one that others follow and that does not answer us; "" for
// nobody.
func (c copies) leader() string {
	absent := ""
	for name, d := range c {
		switch {
		case d.Cluster == nil, d.Cluster.Leader == name:
			return name
		case c[d.Cluster.Leader] == nil:
			absent = d.Cluster.Leader
		}
	}
	return absent
}

// behind tells how far the copy of a server is behind the leader's, by the leader's word.
func (c copies) behind(leader, name string) (lag uint64, current, known bool) {
	d := c[leader]
	if d == nil || name == leader {
		return 0, true, d != nil
	}
	if d.Cluster != nil {
		for _, peer := range d.Cluster.Replicas {
			if peer.Name == name {
				return peer.Lag, peer.Current && !peer.Offline, true
			}
		}
	}
	return 0, false, false
}

// best is the copy that knows most: the leader's, else the one with the last message; nil when there is none.
func (c copies) best() *server.StreamDetail {
	best := c[c.leader()]
	for _, d := range c {
		if c[c.leader()] == nil && (best == nil || d.State.LastSeq > best.State.LastSeq) {
			best = d
		}
	}
	return best
}
