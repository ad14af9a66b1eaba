package trust

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"assay.dev/contracts"
)

// LinesOfJSON are the lines of a JSON document from which these weeks were read, newest first: the names of the members of its records,
// and each further member that is no figure of a record, such as "status: draft". All are near.
func LinesOfJSON(doc []byte, weeks []contracts.SurchargeWeek) ([]Line, error) {
	decoder := json.NewDecoder(bytes.NewReader(doc))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	m := &members{outline: newOutline(weeks)}
	m.value("", value, &element{}, 0)
	return m.lines(func(int, int) func(int) bool { return func(int) bool { return true } }), nil
}

// maxDepth bounds the nesting of what is looked at.
const maxDepth = 50

// members cuts a JSON document into leaves.
type members struct{ *outline }

func (m *members) value(name string, value any, in *element, depth int) {
	if depth > maxDepth {
		m.add(leaf{text: "there are more levels", in: in})
		return
	}
	e := &element{up: in, from: len(m.leaves)}
	switch v := value.(type) {
	case map[string]any:
		names := slices.Sorted(maps.Keys(v))
		m.add(leaf{text: "members of " + name + ": " + strings.Join(names, " | "), in: e})
		for _, member := range names {
			m.value(strings.TrimPrefix(name+"."+member, "."), v[member], e, depth+1)
		}
	case []any:
		for _, one := range v {
			m.value(name, one, e, depth+1)
		}
	case nil:
	case json.Number:
		m.add(leaf{text: name + ": " + dateOr(v), in: in})
	default:
		m.add(leaf{text: fmt.Sprintf("%s: %v", name, v), in: in})
	}
	e.to = len(m.leaves)
}

// dateOr is a number as it is written, or the date of a moment in seconds or milliseconds.
func dateOr(n json.Number) string {
	const firstSecond = 1e9 // 2001
	at, err := n.Int64()
	switch {
	case err != nil || at < firstSecond:
	case at >= 1000*firstSecond:
		return time.UnixMilli(at).UTC().Format(time.DateOnly)
	case at < 10*firstSecond:
		return time.Unix(at, 0).UTC().Format(time.DateOnly)
	}
	return n.String()
}
