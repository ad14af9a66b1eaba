package sheet

import (
	"regexp"
	"strings"
)

// timeOfDay is the end of a text with a time: hours, the rest of it, AM or PM, and what names a zone.
var timeOfDay = regexp.MustCompile(`(?i)[T ](\d{1,2})((?::\d\d){1,2}(?:[.,]\d+)?) ?([AP]\.?M\b\.?)?(.*)$`)

// local begins what may follow a time of the United States; anything else may be UTC, as in Z[UTC] and GMT+0000.
var local = regexp.MustCompile(`(?i)^((GMT|UTC)?[+-](0?[1-9]|1\d)|[ECMPAH][SD]?T\b|America/)`)

// isUTCNight tells of a time of UTC before 8:00, when it is midnight in Los Angeles in winter. Midnight itself is how
// programs write a mere day.
func isUTCNight(text string) bool {
	m := timeOfDay.FindStringSubmatch(text)
	if m == nil {
		return false
	}
	hour, zone := number(m[1]), strings.TrimSpace(m[4])
	if m[3] != "" && hour == 12 {
		hour = 0
	}
	isMidnight := hour == 0 && strings.Trim(m[2], ":0.,") == ""
	isAfternoon := strings.HasPrefix(strings.ToUpper(m[3]), "P")
	return hour < 8 && !isMidnight && !isAfternoon && zone != "" && !local.MatchString(zone)
}
