package daemon

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// variablePrefix is the beginning of the variables that only Assay reads. One that no setting reads is a mistake.
const variablePrefix = "ASSAY_"

// CheckUnknown returns an error for each variable of e that begins with ASSAY_ and that is not a setting of program.
// The error names the setting with the most similar name, such as ASSAY_SOLVER_KEY for ASSAY_SLOVER_KEY.
func CheckUnknown(program string, e Environ, settings []Setting) error {
	known := Variables(settings)
	var unknown []string
	for name := range e {
		if strings.HasPrefix(name, variablePrefix) && !slices.Contains(known, name) {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	var errs []error
	for _, name := range unknown {
		err := fmt.Errorf("%s is not a setting of %s", name, program)
		if len(known) > 0 {
			err = fmt.Errorf("%w, the nearest is %s", err, nearest(name, known))
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// Variables lists the variables of the settings. A secret has two, such as ASSAY_SOLVER_KEY and ASSAY_SOLVER_KEY_FILE.
func Variables(settings []Setting) []string {
	var names []string
	for _, s := range settings {
		names = append(names, s.Variable)
		if s.Secret {
			names = append(names, s.Variable+secretFile)
		}
	}
	return names
}

// nearest returns the candidate with the smallest [editDistance] from name, and the first of several.
func nearest(name string, candidates []string) string {
	return slices.MinFunc(candidates, func(a, b string) int { return editDistance(name, a) - editDistance(name, b) })
}

// editDistance returns how many edits turn a into b. An edit inserts, deletes or replaces a character, or swaps two
// neighbours: this is the optimal string alignment distance,
// https://en.wikipedia.org/wiki/Damerau–Levenshtein_distance.
func editDistance(a, b string) int {
	var before []int // the row of the prefix of a that is two shorter
	last := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+differ(a[i-1], b[j-1]))
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}

func differ(a, b byte) int {
	if a == b {
		return 0
	}
	return 1
}
