package main

import (
	"fmt"
	"regexp"
	"strconv"
	"time"
)

// period is a length of time on the command line, such as 90s, 1h30m, 1d or 2w. A day has 24 hours.
type period time.Duration

const day = 24 * time.Hour

// periodForm splits weeks and days from what [time.ParseDuration] reads.
var periodForm = regexp.MustCompile(`^(?:(\d{1,4})w)?(?:(\d{1,4})d)?(.*)$`)

// UnmarshalText reads a period. Negative ones are refused.
func (p *period) UnmarshalText(text []byte) error {
	parts := periodForm.FindStringSubmatch(string(text))
	if parts == nil {
		return wrongPeriod(text)
	}
	weeks, _ := strconv.Atoi(parts[1]) // at most four digits, or none
	days, _ := strconv.Atoi(parts[2])
	total := time.Duration(weeks)*7*day + time.Duration(days)*day
	if parts[3] != "" || parts[1]+parts[2] == "" {
		rest, err := time.ParseDuration(parts[3])
		if err != nil || rest < 0 {
			return wrongPeriod(text)
		}
		total += rest
	}
	*p = period(total)
	return nil
}

func wrongPeriod(text []byte) error {
	return fmt.Errorf("period %q: want one such as 90s, 12h, 1d or 2w", text)
}
