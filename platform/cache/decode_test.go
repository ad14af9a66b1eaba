package cache_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/cache"
)

// unchecked is an answer without its method Fits.
type unchecked contracts.SurchargeAnswer

// Answers are decoded as encoding/json decodes them, and what it refuses is refused.
func TestDecodedAsByEncodingJSON(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 9, 9, 14, 2, 11, 123456789, time.UTC)
	price, hash := 5.599, "9f86d081884c7d65"
	whole, err := json.Marshal(contracts.SurchargeAnswer{
		Provenance: contracts.Provenance{
			Schema: contracts.AnswerSchema, ReadAt: at, PublishedAt: &at, ExpiresAt: at.Add(time.Hour), Method: contracts.APIMirror,
			EvidenceURL: "https://example.com/?a=1&b=<2>", Evidence: []contracts.Evidence{{SHA256: hash, Role: contracts.RoleValues, At: "1"}},
			Notes: []contracts.Note{{Code: contracts.NoteFallback, Message: "a \"quoted\" text, \u2028, é, \U0001f69a and \t"}},
		},
		Carrier: contracts.ODFL, Due: "2026-09-09",
		Weeks: []contracts.ObservedWeek{
			{SurchargeWeek: contracts.SurchargeWeek{EffectiveDate: "2026-09-09", Percent: 46.32, DieselUSD: &price, FirstSeen: &at, EvidenceSHA256: &hash}},
			{Archived: &contracts.Sighting{At: at}, Tally: contracts.Tally{Clean: 1, Required: 2}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, doc := range map[string]string{
		"whole": string(whole), "in pieces": string(whole[:len(whole)/2]), "more behind it": string(whole) + "x", "nothing": "", "null": "null",
		"unknown members": `{"new":{"a":[1,{"b":null}]},"carrier":"SAIA"}`, "another type": `{"carrier":{"code":1}}`,
		"a number as text": `{"weeks":[{"fuel_surcharge_pct":"46.32"}]}`, "a time that is none": `{"read_at":"yesterday"}`,
		"exponents": `{"weeks":[{"fuel_surcharge_pct":4.632e1,"doe_diesel_price_usd":1E-7}]}`, "an array": `[]`, "HTML": "<html>",
		"an odd number": `{"weeks":[{"fuel_surcharge_pct":046.32}]}`, "escapes": `{"evidence_url":"\u00e9\ud83d\ude9a\/"}`,
	} {
		var want unchecked
		failure := json.Unmarshal([]byte(doc), &want)
		got, err := cache.Decode[unchecked](key, []byte(doc))
		if (err == nil) != (failure == nil) || failure == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v, want %+v, %v", name, got, err, want, failure)
		}
	}
}
