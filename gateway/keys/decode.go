package keys

import (
	"github.com/segmentio/encoding/json" // four times as fast as encoding/json, which took half of a gateway's copy
)

// decode reads the record of a name from its JSON.
func decode(name string, value []byte) (h Hash, r Record, err error) {
	if h, err = parseHash(name); err == nil {
		err = json.Unmarshal(value, &r)
	}
	if err == nil {
		err = r.validate()
	}
	return h, r, err
}
