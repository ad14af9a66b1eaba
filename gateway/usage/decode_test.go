package usage

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	segmentio "github.com/segmentio/encoding/json"

	"assay.dev/contracts"
)

// Events are decoded as encoding/json decodes them, and what it refuses is refused.
func TestDecodedAsByEncodingJSON(t *testing.T) {
	t.Parallel()
	doc, err := json.Marshal(Event{
		ID: "0123456789abcdef", Tenant: "acme", Product: contracts.LTL, Route: "/v1/audit/{a}?b=<c>&d", RequestID: "a \"\u2028é\U0001f69a\t",
		At: time.Date(2026, 9, 9, 14, 2, 11, 123456789, time.UTC), Price: 30_000, Lines: 10, LinePrice: 3_000,
	})
	if err != nil {
		t.Fatal(err)
	}
	whole := string(doc)
	docs := []string{whole, whole[:len(whole)/2], whole + "x", "", "null", "[]", `{}`}
	for _, member := range []string{ // the last one of a name counts
		`"new":{"a":[1,{"b":null}]}`, `"tenant":{"code":1}`, `"tenant":"other"`, `"TENANT":"other"`, `"tenant":null`, `"product":"abc"`, `"product":1`,
		`"lines":"60"`, `"lines":6e1`, `"lines":60.5`, `"lines":99999999999999999999`, `"lines":060`, `"lines":-1`, `"lines":0`,
		`"line_price_usd":"3"`, `"line_price_usd":0.003`, `"line_price_usd":3e-3`, `"line_price_usd":null`, `"line_price_usd":"x"`,
		`"at":"2026-09-09T14:02:11+02:00"`, `"at":"yesterday"`, `"at":"2026-02-29T00:00:00Z"`, `"at":"2026-09-09"`, `"at":null`, `"at":0`,
	} {
		docs = append(docs, whole[:len(whole)-1]+","+member+"}")
	}
	for _, doc := range docs {
		var want, got Event
		failure, err := json.Unmarshal([]byte(doc), &want), segmentio.Unmarshal([]byte(doc), &got)
		if (err == nil) != (failure == nil) || failure == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, %v, want %+v, %v", doc, got, err, want, failure)
		}
	}
}
