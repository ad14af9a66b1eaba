package contracts

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

// CacheKey names an answer in [AnswersBucket]. What a client sent (a number, a query) is hashed: keys allow few
// characters, and a key must not tell what was asked. It names the environment, the product and the answers' schema,
// such as live.ltl.v4.ODFL: versions with different schemas that run side by side never read each other's answers.
type CacheKey string

// answerForm names [AnswerSchema] in keys.
const answerForm = ".v4."

func answerKey(env Environment, p Product, rest string) CacheKey {
	return CacheKey(string(env) + "." + string(p) + answerForm + rest)
}

// SurchargeKey is the key of a carrier's [SurchargeAnswer].
func SurchargeKey(env Environment, c Carrier) CacheKey {
	return answerKey(env, LTL, string(c))
}

// FuelTableKey is the key of a carrier's [FuelTableAnswer] for a day; "" is the table that applies now.
func FuelTableKey(env Environment, c Carrier, asOf Date) CacheKey {
	if asOf == "" {
		return answerKey(env, LTL, "table."+string(c))
	}
	return answerKey(env, LTL, "table."+string(c)+"."+string(asOf))
}

// DieselKey is the key of a [DieselAnswer] for a range of days. Without days it is the key of the answer with all
// weeks.
func DieselKey(env Environment, from, to Date) CacheKey {
	if from == "" {
		return answerKey(env, LTL, "diesel")
	}
	return answerKey(env, LTL, "diesel."+string(from)+"."+string(to))
}

// HistoryKey names a [HistoryAnswer] among the gateway's own copies. No bucket holds it.
func HistoryKey(env Environment, r HistoryRequest) CacheKey {
	known := ""
	if r.KnownAt != nil {
		known = r.KnownAt.UTC().Format(time.RFC3339Nano)
	}
	return answerKey(env, LTL,
		"history."+string(r.Carrier)+"."+hash(string(r.From), string(r.To), known, strconv.FormatBool(r.Announced)))
}

// LicensesOf begins the keys of all [LicenseAnswer]s of a state.
func LicensesOf(env Environment, s State) CacheKey {
	return answerKey(env, ABC, "license."+string(s)+".")
}

// LicenseKey is the key of a [LicenseAnswer].
func LicenseKey(env Environment, r LicenseRequest) CacheKey {
	return LicensesOf(env, r.State) + CacheKey(hash(r.Number))
}

// SearchesOf begins the keys of all [SearchAnswer]s of a state.
func SearchesOf(env Environment, s State) CacheKey {
	return answerKey(env, ABC, "search."+string(s)+".")
}

// SearchKey is the key of a [SearchAnswer].
func SearchKey(env Environment, r SearchRequest) CacheKey {
	return SearchesOf(env, r.State) + CacheKey(hash(r.DBAName, r.OwnerName, r.Address, r.After.Number, r.After.Type))
}

// TurnKey is the key in [FlightsBucket] of a source's turn, such as live.abc.turn.CA. The worker that creates it may
// read the source anew on request; the others may not until it is gone.
func TurnKey(env Environment, p Product, code string) string {
	return string(env) + "." + string(p) + ".turn." + code
}

// ListingKey is the key in [SourcesBucket] of a carrier's or a state's listing.
func ListingKey(env Environment, p Product, code string) string {
	return string(env) + "." + string(p) + "." + code
}

// SourceHistoryKey is the key in [SourcesBucket] of the [SourceHistory] of the source that is listed under a
// [ListingKey].
func SourceHistoryKey(listing string) string { return listing + ".history" }

func hash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:16])
}
