package main

import (
	"slices"
	"testing"
	"time"
)

// sentChange is a change that the stream acknowledged.
type sentChange struct{ source, id, doc string }

// arrival is a request that came to an endpoint, and how the endpoint answered.
type arrival struct {
	endpoint, id, body string
	accepted           bool
	at                 time.Time
}

// webhookVerdict is what a history of deliveries comes to. Each change must be accepted once by each endpoint; what comes again must be the
// same; and at each endpoint the changes of a source come, each for the first time, in the order in which they were sent.
type webhookVerdict struct {
	first, again  int // arrivals of a change that its endpoint did not have, and had accepted
	retried       int // arrivals of one that its endpoint refused before
	foreign, lost int // arrivals of what nobody sent so, and changes that an endpoint never accepted
	disordered    int
}

func judgeWebhooks(sent []sentChange, endpoints []string, arrived []arrival) (v webhookVerdict) {
	type sentAs struct {
		sentChange
		place int
	}
	type seen struct{ came, accepted bool }
	all := make(map[string]sentAs, len(sent))
	for i, s := range sent {
		all[s.id] = sentAs{s, i}
	}
	had, newest := map[string]map[string]seen{}, map[[2]string]int{}
	for _, e := range endpoints {
		had[e] = map[string]seen{}
	}
	for _, a := range arrived {
		s, isSent := all[a.id]
		at, isEndpoint := had[a.endpoint]
		if !isSent || !isEndpoint || s.doc != a.body {
			v.foreign++
			continue
		}
		switch before, of := at[a.id], [2]string{a.endpoint, s.source}; {
		case before.accepted:
			v.again++
		case before.came:
			v.retried++
		default:
			v.first++
			if s.place < newest[of] {
				v.disordered++
			}
			newest[of] = max(newest[of], s.place)
		}
		at[a.id] = seen{true, at[a.id].accepted || a.accepted}
	}
	for _, at := range had {
		v.lost += len(all)
		for _, s := range at {
			if s.accepted {
				v.lost--
			}
		}
	}
	return v
}

func (v *webhookVerdict) holds() bool { return v.foreign == 0 && v.lost == 0 && v.disordered == 0 }

// longestPause is the longest time between two arrivals from began on.
func longestPause(arrived []arrival, began time.Time) (longest time.Duration) {
	last := began
	for _, a := range arrived {
		if a.at.After(last) {
			longest, last = max(longest, a.at.Sub(last)), a.at
		}
	}
	return longest
}

func TestHistoriesOfWebhooksAreJudged(t *testing.T) {
	t.Parallel()
	sent := []sentChange{{"CA", "CA.1", "a"}, {"NY", "NY.1", "b"}, {"CA", "CA.2", "c"}, {"CA", "CA.3", "d"}}
	doc := func(id string) string {
		return sent[slices.IndexFunc(sent, func(s sentChange) bool { return s.id == id })].doc
	}
	ok := func(ids ...string) (all []arrival) {
		for _, id := range ids {
			all = append(all, arrival{endpoint: "x", id: id, body: doc(id), accepted: true})
		}
		return all
	}
	refused := func(id string) []arrival { return []arrival{{endpoint: "x", id: id, body: doc(id)}} }
	join := slices.Concat[[]arrival]
	for name, test := range map[string]struct {
		arrived   []arrival
		endpoints []string
		want      webhookVerdict
		holds     bool
	}{
		"all in order":                {arrived: ok("CA.1", "NY.1", "CA.2", "CA.3"), want: webhookVerdict{first: 4}, holds: true},
		"sources among one another":   {arrived: ok("CA.1", "CA.2", "CA.3", "NY.1"), want: webhookVerdict{first: 4}, holds: true},
		"some again, as after deaths": {arrived: ok("CA.1", "NY.1", "CA.1", "NY.1", "CA.2", "CA.3"), want: webhookVerdict{first: 4, again: 2}, holds: true},
		"a refused one is retried later": {
			arrived: join(refused("CA.1"), ok("NY.1", "CA.2", "CA.3", "CA.1")), want: webhookVerdict{first: 4, retried: 1}, holds: true,
		},
		"nothing":                     {want: webhookVerdict{lost: 4}},
		"one is missing":              {arrived: ok("CA.1", "NY.1", "CA.3"), want: webhookVerdict{first: 3, lost: 1}},
		"the last is missing":         {arrived: ok("CA.1", "NY.1", "CA.2"), want: webhookVerdict{first: 3, lost: 1}},
		"one endpoint has nothing":    {arrived: ok("CA.1", "NY.1", "CA.2", "CA.3"), endpoints: []string{"x", "y"}, want: webhookVerdict{first: 4, lost: 4}},
		"a refused one never returns": {arrived: join(refused("CA.1"), ok("NY.1", "CA.2", "CA.3")), want: webhookVerdict{first: 4, lost: 1}},
		"a later one first":           {arrived: ok("NY.1", "CA.2", "CA.1", "CA.3"), want: webhookVerdict{first: 4, disordered: 1}},
		"a later one first, and again in order": {
			arrived: ok("CA.3", "CA.1", "NY.1", "CA.2", "CA.3"), want: webhookVerdict{first: 4, again: 1, disordered: 2},
		},
		"a refused one does not excuse a later one that came before it": {
			arrived: join(ok("CA.2"), refused("CA.1"), ok("CA.1", "NY.1", "CA.3")), want: webhookVerdict{first: 4, retried: 1, disordered: 1},
		},
		"another body under an id": {
			arrived: append(ok("CA.1", "NY.1", "CA.2", "CA.3"), arrival{endpoint: "x", id: "CA.1", body: "other", accepted: true}),
			want:    webhookVerdict{first: 4, foreign: 1},
		},
		"a body under another id": {
			arrived: append(ok("CA.1", "NY.1", "CA.2"), arrival{endpoint: "x", id: "CA.9", body: "d", accepted: true}),
			want:    webhookVerdict{first: 3, foreign: 1, lost: 1},
		},
		"at an endpoint of nobody": {
			arrived: append(ok("CA.1", "NY.1", "CA.2", "CA.3"), arrival{endpoint: "z", id: "CA.1", body: "a", accepted: true}),
			want:    webhookVerdict{first: 4, foreign: 1},
		},
	} {
		endpoints := test.endpoints
		if endpoints == nil {
			endpoints = []string{"x"}
		}
		if got := judgeWebhooks(sent, endpoints, test.arrived); got != test.want || got.holds() != test.holds {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
	}
}
