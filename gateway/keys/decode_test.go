package keys

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
)

// Records are decoded as encoding/json decodes them, and what it refuses is refused.
func TestDecodedAsByEncodingJSON(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 9, 9, 14, 2, 11, 0, time.UTC)
	doc, err := json.Marshal(Record{
		Tenant: "rapidapi:mona", Environment: contracts.Live, Products: contracts.Products, Limit: 1000, Last4: "\"\u2028é<", Imported: true,
		CreatedAt: at, ExpiresAt: at.Add(time.Hour), RevokedAt: at.Add(123456789),
	})
	if err != nil {
		t.Fatal(err)
	}
	whole := string(doc)
	docs := []string{whole, whole[:len(whole)/2], whole + "x", "", "null", "[]", "<html>", `"tenant":"acme"}`}
	for _, member := range []string{ // the last one of a name counts
		`"new":{"a":[1,{"b":null}]}`, `"tenant":{"code":1}`, `"tenant":"other"`, `"TENANT":"other"`, `"tenant":null`, `"tenant":""`,
		`"limit":"60"`, `"limit":6e1`, `"limit":60.5`, `"limit":99999999999999999999`, `"limit":060`, `"limit":-1`, `"limit":60`,
		`"products":["ltl","oil"]`, `"products":["abc"]`, `"products":[]`, `"products":null`, `"products":"abc"`, `"environment":"prod"`,
		`"imported":1`, `"imported":false`, `"last4":"\u00e9\/\ud83d"`, `"created_at":"2026-09-09T14:02:11+02:00"`, `"revoked_at":"yesterday"`,
		`"revoked_at":"2026-02-29T00:00:00Z"`, `"revoked_at":"2028-02-29T00:00:00Z"`, `"revoked_at":"2026-09-09"`, `"revoked_at":null`,
		`"revoked_at":0`, `"revoked_at":""`, `"expires_at":"2026-09-09T24:00:00Z"`, `"expires_at":"2026-09-09T23:00:00.5Z"`,
	} {
		docs = append(docs, whole[:len(whole)-1]+","+member+"}")
	}
	name := hashOf("any").String()
	for _, doc := range docs {
		var want Record
		failure := json.Unmarshal([]byte(doc), &want)
		if failure == nil {
			failure = want.validate()
		}
		_, got, err := decode(name, []byte(doc))
		if (err == nil) != (failure == nil) || failure == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, %v, want %+v, %v", doc, got, err, want, failure)
		}
	}
}

func TestNamesOfTenants(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 101)
	for name, want := range map[string]bool{
		"a": true, "7": true, "rapidapi:mona": true, "A.b_c:d@e-f": true, long[:100]: true,
		"": false, long: false, ".a": false, "-a": false, "a b": false, "a\n": false, "a/b": false, "é": false, "a\x00": false, "a\xff": false,
	} {
		if got := ValidTenant(name); got != want {
			t.Errorf("ValidTenant(%q) = %t", name, got)
		}
	}
}
